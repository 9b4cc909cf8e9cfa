import { auditFile, noteOutcome } from "../../../adapters/audit-file.ts";
import { processEnvironment } from "../../../adapters/environment.ts";
import { nodeFiles } from "../../../adapters/files.ts";
import { hookInput, isTyped, type ByteStream } from "../../../adapters/hook-input.ts";
import { Catalog } from "../../../catalog.ts";
import { SkillError } from "../../../errors/skill-error.ts";
import type { Guard } from "../../../guard.ts";
import { guardOf } from "../../../guard-assembly.ts";
import { waitingLine } from "../../../trust/trust.ts";
import {
  CLIENTS,
  DIALECT_NAMES,
  MAX_EVENT_BYTES,
  UNJUDGED,
  UNREADABLE,
  dialectOf,
  respond,
  sentenceOf,
  type Dialect,
  type HookResponse,
} from "../../hook/hook.ts";
import { printable } from "../text.ts";
import type { Verb, Invocation } from "../verb.ts";

const HELP = `Puts one event of an agent's hook before the rules of the hosted skills.

Usage: skillctl guard --dialect D < EVENT

  --dialect D   whose words come in and go out:
                ${CLIENTS.map(({ name }) => name).join(", ")},
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

async function run(words: readonly string[], invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const { name, timed } = await read(words);
  const dialect = await chosen(name);
  const say = ({ out, err, status }: HookResponse): number => {
    if (out !== "") terminal.out(out);
    if (err !== "") terminal.err(err);
    return status;
  };
  const last = terminal.lastWord?.((reason) => say(dialect.refuse(`${UNJUDGED} ${reason}.`, "GUARD_FAILED")));
  try {
    return say(await inTime(dialect, timed, invocation));
  } finally {
    last?.();
  }
}

/** `timed`: whoever started this process ends it when it is late. */
interface GuardWords {
  readonly name: string;
  readonly timed: boolean;
}

/** Hooks are written one way; whatever else is typed is read as it is everywhere, which takes a tenth of a start. */
async function read(words: readonly string[]): Promise<GuardWords> {
  const [flag, name = "", last = "--warm", ...more] = words;
  // What earlier versions installed says --warm, which means nothing any more.
  const isHook = flag === "--dialect" && !name.startsWith("-") && last === "--warm" && more.length === 0;
  if (isHook) return { name, timed: false };
  const { readWords, single } = await import("../words.ts");
  const sorted = readWords(words, { dialect: { type: "string" }, timed: { type: "boolean" } }, 0);
  return { name: single(sorted, "dialect") ?? "", timed: single(sorted, "timed") === "true" };
}

/** @throws SkillError `USAGE` */
async function chosen(name: string): Promise<Dialect> {
  const dialect = await dialectOf(name, async () => {
    const { coreSchemas } = await import("../schema-files.ts");
    return coreSchemas.check("core/guard-request");
  });
  if (dialect) return dialect;
  throw new SkillError("USAGE", `--dialect must be one of ${DIALECT_NAMES.join(", ")}.`);
}

/** An answer takes no longer, in seconds: agents wait for some, and some let a call through then. */
const WITHIN_S = 4;
const MOST_S = 60;

/** The answer, or a denial when it is late, whatever keeps it: an input without an end, files, code of others. */
async function inTime(dialect: Dialect, timed: boolean, invocation: Invocation): Promise<HookResponse> {
  const named = Number(invocation.variables["SKILLCTL_GUARD_TIMEOUT"]);
  const seconds = named > 0 && named <= MOST_S ? named : WITHIN_S;
  const late = (): HookResponse =>
    dialect.refuse(`${UNJUDGED} no answer came within ${seconds} s.`, "GUARD_FAILED");
  const input = invocation.standardInput?.();
  const event = eventFrom(input);
  if (isTyped(input)) {
    invocation.terminal.err(
      `Waiting for one event as JSON on standard input (end: Ctrl-D). See: skillctl guard --help\n`,
    );
    await event;
  }
  const end = Date.now() + seconds * 1_000;
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise<HookResponse>((resolve) => {
    timer = setTimeout(() => resolve(late()), seconds * 1_000);
  });
  const answer = event.then(async (read) => {
    if (typeof read !== "string") return dialect.refuse(sentenceOf(UNREADABLE, read), "REQUEST_UNREADABLE");
    const isApart = !timed && invocation.ownProgram && invocation.options.plugins.length > 0;
    if (!isApart) return judged(read, dialect, invocation);
    return (await judgedApart(read, dialect, invocation, end - Date.now())) ?? late();
  });
  try {
    return await Promise.race([answer, waited]);
  } finally {
    clearTimeout(timer);
  }
}

async function eventFrom(input: ByteStream | undefined): Promise<string | SkillError> {
  try {
    return await hookInput(MAX_EVENT_BYTES, input);
  } catch (caught) {
    if (caught instanceof SkillError) return caught;
    throw caught;
  }
}

/** Code of others can keep a process busy for ever: it judges in a process of its own, which can be ended. */
async function judgedApart(
  input: string,
  dialect: Dialect,
  { ownProgram = [], options, variables, workingFolder: cwd }: Invocation,
  leftMs: number,
): Promise<HookResponse | undefined> {
  const { timedRun } = await import("../../../adapters/timed-run.ts");
  const plugins = options.plugins.flatMap((path) => ["--plugin", path]);
  const words = [...ownProgram, "guard", "--dialect", dialect.name, "--timed", ...plugins];
  return timedRun(words, { input, cwd, env: variables, withinMs: Math.max(1, leftMs) });
}

/** What an agent is told of one event. Throws nothing. */
async function judged(event: string, dialect: Dialect, invocation: Invocation): Promise<HookResponse> {
  const { configurationFault: fault, waiting, terminal } = invocation;
  const ignored = (sentence: string): string =>
    `${sentence} It is ignored, but for rules that ask or deny.\n`;
  const note = fault ? ignored(fault.message) : waiting && waitingLine(waiting);
  const told = note && printable(note);
  if (told !== undefined) terminal.err(told);
  try {
    const { home, workingFolder, stateFolder } = processEnvironment(
      invocation.variables,
      invocation.workingFolder,
    );
    return await respond(event, {
      dialect,
      base: { cwd: workingFolder, home, files: nodeFiles },
      decide: async (subject) => {
        const decision = await (await guardFor(invocation)).decide(subject);
        const { decision: given, message = "", agentMessage = message } = decision;
        if (told === undefined || subject.event !== "session.start") return decision;
        if (given !== "allow" && given !== "warn") return decision;
        // Some agents show nobody the standard error of a hook that answers.
        const reasonCode = fault?.code ?? "NOT_TRUSTED";
        // Names in a broken file are words of a folder that nobody trusts: for the person, not for the model.
        const forModel = fault ? ignored("The skillctl.json of this folder cannot be used.") : told;
        return {
          reasonCode,
          ...decision,
          decision: "warn",
          message: told + message,
          agentMessage: forModel + agentMessage,
        };
      },
      changed: (evaluation, outcome) =>
        noteOutcome(
          stateFolder,
          { id: evaluation, decision: outcome, by: dialect.name },
          noticesOf(invocation),
        ),
    });
  } catch (caught) {
    return dialect.refuse(sentenceOf(UNJUDGED, caught), "GUARD_FAILED");
  }
}

function noticesOf({ terminal }: Invocation): { readonly notice: (sentence: string) => void } {
  return { notice: (sentence) => terminal.err(`${sentence}\n`) };
}

/** The rules of the skills in the box need no host: it is built when a handler or a foreign skill is asked for. */
async function guardFor(invocation: Invocation): Promise<Guard> {
  if (invocation.options.plugins.length > 0) {
    const { catalog, guard } = await invocation.host();
    const [fault] = catalog.faults;
    // A skill that is left out may have had a rule about this very event.
    if (fault)
      throw new SkillError(fault.code, `the skill ${fault.skill} was left out: ${fault.sentence}`, {
        hint: `Mend ${fault.file}; \`skillctl validate\` shows every fault.`,
      });
    return guard;
  }
  const environment = processEnvironment(invocation.variables, invocation.workingFolder);
  return guardOf({
    catalog: new Catalog(invocation.builtin),
    handlers: { rule: async (skill, name) => (await invocation.host()).activator.rule(skill, name) },
    rules: await invocation.rules(),
    audit: auditFile(environment.stateFolder, noticesOf(invocation)),
    environment,
    state: async () => {
      const [{ stateFiles }, { systemClock: clock }] = await Promise.all([
        import("../../../adapters/state-files.ts"),
        import("../../../adapters/clock.ts"),
      ]);
      return stateFiles(environment.stateFolder, nodeFiles, clock);
    },
    files: nodeFiles,
  });
}
