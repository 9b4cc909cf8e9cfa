import { auditFile } from "../../../adapters/audit-file.ts";
import { processEnvironment } from "../../../adapters/environment.ts";
import { nodeFiles } from "../../../adapters/files.ts";
import { hookInput } from "../../../adapters/hook-input.ts";
import { Catalog } from "../../../catalog.ts";
import { Guard } from "../../../guard.ts";
import { DIALECT_NAMES, dialectOf } from "../../hook/dialects.ts";
import {
  MAX_EVENT_BYTES,
  UNJUDGED,
  UNREADABLE,
  answered,
  reasonOf,
  type Dialect,
  type Spoken,
} from "../../hook/hook.ts";
import type { Verb, VerbContext } from "../verb.ts";

const SEE = "skillctl guard --help";
const HELP = `Puts one event of an agent's hook before the rules of the hosted skills.

Usage: skillctl guard --dialect D < EVENT

  --dialect D   whose words come in and go out: ${DIALECT_NAMES.slice(0, 4).join(", ")},
                or skillctl (core/guard-request in, core/guard-decision out)

The event is one JSON object on standard input, at most ${MAX_EVENT_BYTES / 1024 / 1024} MiB. Whatever goes
wrong is a denial in that agent's own words. \`skillctl why\` explains decisions.

Exit status: what the agent takes for it; of skillctl's own dialect 0 for
allow, warn and transform, 77 for deny and ask, 70 when a rule failed, 65 when
the event cannot be read.
`;
/** How long the agent may take to hand over the event, in milliseconds. */
const WAIT_MS = 5_000;

export const verb: Verb = { help: HELP, run };

async function run(words: readonly string[], context: VerbContext): Promise<number> {
  const { terminal } = context;
  const say = ({ out, err, status }: Spoken): number => {
    if (out !== "") terminal.out(out);
    if (err !== "") terminal.err(err);
    return status;
  };
  const dialect = await chosen(words, context);
  const last = terminal.lastWord?.((reason) => say(dialect.refuse(`${UNJUDGED} ${reason}.`, "GUARD_FAILED")));
  try {
    return say(await spokenBy(dialect, context));
  } finally {
    last?.();
  }
}

async function spokenBy(dialect: Dialect, context: VerbContext): Promise<Spoken> {
  let event: string;
  try {
    event = await hookInput({ maxBytes: MAX_EVENT_BYTES, withinMs: WAIT_MS }, context.standardInput?.());
  } catch (caught) {
    return dialect.refuse(`${UNREADABLE} ${reasonOf(caught)}.`, "REQUEST_UNREADABLE");
  }
  try {
    if (context.configurationFault) throw context.configurationFault;
    const guard = await guardOf(context);
    const { home, workingFolder } = processEnvironment(context.variables, context.workingFolder);
    const place = { cwd: workingFolder, home, files: nodeFiles };
    return await answered(event, { dialect, place, decide: (subject) => guard.decide(subject) });
  } catch (caught) {
    return dialect.refuse(`${UNJUDGED} ${reasonOf(caught)}.`, "GUARD_FAILED");
  }
}

/** @throws SkillError `USAGE` */
async function chosen(words: readonly string[], context: VerbContext): Promise<Dialect> {
  const name = await dialectName(words);
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
async function dialectName(words: readonly string[]): Promise<string> {
  const [flag, name = "", ...more] = words;
  if (flag === "--dialect" && more.length === 0 && !name.startsWith("-")) return name;
  const { readWords, single, superfluous } = await import("../words.ts");
  const read = readWords(words, new Map([["dialect", "text"]]), SEE);
  if (read.positionals[0] !== undefined) throw superfluous(read.positionals[0], SEE);
  return single(read, "dialect") ?? "";
}

/** The rules of the skills in the box need no host: it is built when a handler, a phase or a foreign skill is asked for. */
async function guardOf(context: VerbContext): Promise<Guard> {
  if (context.options.plugins.length > 0) {
    const { catalog, guard } = await context.host();
    const [fault] = catalog.faults;
    // A skill that is left out may have had a rule about this very event.
    if (fault) throw new Error(`the skill ${fault.skill} was left out: ${fault.sentence}`);
    return guard;
  }
  const { stateFolder, home, workingFolder } = processEnvironment(context.variables, context.workingFolder);
  const handlers = {
    rule: async (skill: string, name: string) => (await context.host()).activator.rule(skill, name),
  };
  return new Guard(new Catalog(context.builtin), handlers, {
    rules: await context.rules(),
    audit: auditFile(stateFolder, { notice: (sentence) => context.terminal.err(`${sentence}\n`) }),
    phases: async (cwd) => (await context.host()).phases(cwd),
    shell: async (command, cwd = workingFolder) => {
      const { readShell } = await import("../../../shell/read-shell.ts");
      return readShell(command, { cwd, home });
    },
  });
}
