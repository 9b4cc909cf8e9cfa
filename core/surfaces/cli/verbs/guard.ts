import { hookInput, isTyped, type ByteStream } from "../../../adapters/hook-input.ts";
import { DIALECT_NAMES, dialectOf } from "../../hook/dialects.ts";
import {
  MAX_EVENT_BYTES,
  UNJUDGED,
  UNREADABLE,
  sentenceOf,
  type Dialect,
  type Spoken,
} from "../../hook/hook.ts";
import { EVENT_BOUNDS, spokenBy } from "../judging.ts";
import type { Verb, VerbContext } from "../verb.ts";

const SEE = "skillctl guard --help";
const HELP = `Puts one event of an agent's hook before the rules of the hosted skills.

Usage: skillctl guard --dialect D < EVENT

  --dialect D   whose words come in and go out: ${DIALECT_NAMES.slice(0, 4).join(", ")},
                or skillctl (core/guard-request in, core/guard-decision out)

The event is one JSON object on standard input, at most ${MAX_EVENT_BYTES / 1024 / 1024} MiB. Whatever goes
wrong is a denial in that agent's own words; so is what takes longer than 4 s
(SKILLCTL_GUARD_TIMEOUT: other seconds, up to 60, on a machine that is slow).
\`skillctl why\` explains decisions.

Exit status: what the agent takes for it; of skillctl's own dialect 0 for
allow, warn and transform, 77 for deny and ask, 70 when a rule failed, 65 when
the event cannot be read.
`;

export const verb: Verb = { help: HELP, run };

/** What the words ask for. */
interface Asked {
  readonly dialect: string;
  /** Whoever started this process ends it when it is late. */
  readonly timed?: boolean;
}

/** An answer takes no longer, in seconds: agents wait for some, and some let a call through then. */
const WITHIN_S = 4;
const MOST_S = 60;

/** The user's own bound of the time, where it is one. */
function boundOf(variables: VerbContext["variables"]): number {
  const seconds = Number(variables["SKILLCTL_GUARD_TIMEOUT"]);
  return seconds > 0 && seconds <= MOST_S ? seconds : WITHIN_S;
}

/**
 * The answer, or a denial when it is late. Code of others can keep a process busy for ever: it judges in a process of its own,
 * which can be ended.
 */
async function inTime(
  dialect: Dialect,
  { timed = false }: Asked,
  context: VerbContext,
  input?: ByteStream,
): Promise<Spoken> {
  const { ownProgram, options, variables, workingFolder } = context;
  const seconds = boundOf(variables);
  const withinMs = seconds * 1_000;
  const late = (): Spoken =>
    dialect.refuse(`${UNJUDGED} no answer came within ${seconds} s.`, "GUARD_FAILED");
  if (!timed && ownProgram && options.plugins.length > 0) {
    let event: string;
    try {
      event = await hookInput(EVENT_BOUNDS, input);
    } catch (caught) {
      return dialect.refuse(sentenceOf(UNREADABLE, caught), "REQUEST_UNREADABLE");
    }
    const { timedRun } = await import("../../../adapters/timed-run.ts");
    const plugins = options.plugins.flatMap((path) => ["--plugin", path]);
    const words = ["guard", "--dialect", dialect.name, "--timed", ...plugins];
    const run = { input: event, cwd: workingFolder, env: variables, withinMs };
    return timedRun([...ownProgram, ...words], run) ?? late();
  }
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise<Spoken>((resolve) => (timer = setTimeout(() => resolve(late()), withinMs)));
  try {
    return await Promise.race([spokenBy(dialect, context, input && { input }), waited]);
  } finally {
    clearTimeout(timer);
  }
}

async function run(words: readonly string[], context: VerbContext): Promise<number> {
  const { terminal } = context;
  const asked = await read(words);
  const say = ({ out, err, status }: Spoken): number => {
    if (out !== "") terminal.out(out);
    if (err !== "") terminal.err(err);
    return status;
  };
  const dialect = await chosen(asked.dialect, context);
  const input = context.standardInput?.();
  if (isTyped(input))
    terminal.err(`Waiting for one event as JSON on standard input (end: Ctrl-D). See: ${SEE}\n`);
  const last = terminal.lastWord?.((reason) => say(dialect.refuse(`${UNJUDGED} ${reason}.`, "GUARD_FAILED")));
  try {
    return say(await inTime(dialect, asked, context, input));
  } finally {
    last?.();
  }
}

/** @throws SkillError `USAGE` */
async function chosen(name: string, context: VerbContext): Promise<Dialect> {
  const dialect = await dialectOf(name, async () => {
    const { coreSchemas } = await import("../schema-files.ts");
    return coreSchemas(context.precompiled).check("core/guard-request");
  });
  if (dialect) return dialect;
  const { SkillError } = await import("../../../errors/skill-error.ts");
  throw new SkillError("USAGE", `--dialect must be one of ${DIALECT_NAMES.join(", ")}.`, {
    hint: `See: ${SEE}`,
  });
}

/** Hooks are written one way; whatever else is typed is read as it is everywhere, which takes a tenth of a start. */
async function read(words: readonly string[]): Promise<Asked> {
  const [flag, dialect = "", third, ...more] = words;
  if (flag === "--dialect" && !dialect.startsWith("-") && more.length === 0) {
    if (third === undefined) return { dialect };
    if (third === "--timed") return { dialect, timed: true };
  }
  const { readWords, single, superfluous } = await import("../words.ts");
  const known = new Map([["dialect", "text"] as const, ["timed", "switch"] as const]);
  const sorted = readWords(words, known, SEE);
  if (sorted.positionals[0] !== undefined) throw superfluous(SEE);
  return { dialect: single(sorted, "dialect") ?? "", timed: single(sorted, "timed") === "true" };
}
