import { auditFile } from "../../../adapters/audit-file.ts";
import { RULES_UNKNOWN } from "../../../adapters/configuration.ts";
import { processEnvironment } from "../../../adapters/environment.ts";
import { nodeFiles } from "../../../adapters/files.ts";
import { Catalog } from "../../../catalog.ts";
import { SkillError } from "../../../errors/skill-error.ts";
import type { Guard } from "../../../guard.ts";
import { guardOf } from "../../../guard-assembly.ts";
import type { OwnRules } from "../../../guard/rules.ts";
import { quotedName } from "../../../quoted-name.ts";
import { waitingLine } from "../../../trust/trust.ts";
import { CLIENTS, DIALECT_NAMES, MAX_EVENT_BYTES, UNJUDGED, dialectOf } from "../../hook/hook.ts";
import type { Dialect, HookResponse } from "../../hook/hook.ts";
import { ANSWERED, answered, patience, respondTo } from "../hook/answer.ts";
import { decideOnce, stateOf } from "../hook/decision.ts";
import { printable } from "../text.ts";
import type { Invocation, Surroundings, Verb } from "../verb.ts";
import { readWords, single, type Flags } from "../words.ts";

const DIALECT = { type: "string", values: DIALECT_NAMES } as const;
const FLAGS: Flags = { dialect: DIALECT, hook: DIALECT, timed: { type: "boolean" } };
const HELP = `Judges one event of an agent's hook by the rules of the hosted skills.

Usage: skillctl guard --dialect D < EVENT

  --dialect D   the format of the event and the answer:
                ${CLIENTS.map(({ name }) => name).join(", ")},
                or skillctl (core/guard-request in, core/guard-decision out)
  --hook D      the same for the command of an installed hook: an event that was
                answered ends with the status 93 instead of 0

The event is one JSON object on standard input, at most ${MAX_EVENT_BYTES / 1024 / 1024} MiB. Every
failure is a denial in the agent's format, and so is a judgement that takes
longer than 4 s (SKILLCTL_GUARD_TIMEOUT: up to 60, for a slow machine).
\`skillctl why\` explains decisions.

Exit status: as the agent expects it. In the dialect skillctl: 0 for allow, warn
and transform, 77 for deny and ask, 70 if a rule failed, 65 if the event cannot
be read.
`;

export const verb: Verb = { help: HELP, flags: FLAGS, run };

async function run(words: readonly string[], invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const read = readWords(words, FLAGS, 0);
  const hook = single(read, "hook");
  // The parent process enforces the time limit.
  const timed = single(read, "timed") === "true";
  const dialect = await chosen(hook ?? single(read, "dialect") ?? "");
  const say = ({ out, err, status }: HookResponse): number => {
    if (out !== "") terminal.out(out);
    if (err !== "") terminal.err(err);
    return status;
  };
  const last = terminal.lastWord?.((reason) => say(dialect.refuse(`${UNJUDGED} ${reason}.`, "GUARD_FAILED")));
  try {
    const { variables, standardInput, ownProgram, options } = invocation;
    const isApart = !timed && ownProgram !== undefined && options.plugins.length > 0;
    const response = await answered({
      dialect,
      input: standardInput?.(),
      seconds: patience(variables),
      err: terminal.err,
      judge: (written, leftMs) =>
        isApart ? judgedApart(written, dialect, invocation, leftMs) : judged(written, dialect, invocation),
    });
    const status = say(response);
    return hook !== undefined && status === 0 ? ANSWERED : status;
  } finally {
    last?.();
  }
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

/** Third-party code may never return, so it judges in a child process that can be killed. */
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

/** Answers one event. Tells the person, and at the start of a session the model, which files of the folder are ignored. */
function judged(event: string, dialect: Dialect, invocation: Invocation): Promise<HookResponse> {
  const { configurationFault: fault, waiting, terminal, variables, workingFolder, options } = invocation;
  const ignored = (sentence: string): string => `${sentence} ${remainder(invocation.tighteningRules)}\n`;
  const note = fault ? ignored(fault.message) : waiting && waitingLine(waiting);
  const told = note && printable(note);
  if (told !== undefined) terminal.err(told);
  const environment = processEnvironment(variables, workingFolder);
  const guard = (): Promise<Guard> => guardFor(invocation);
  return respondTo(event, {
    dialect,
    environment,
    files: nodeFiles,
    notice: noticesOf(invocation).notice,
    decide: async (subject) => {
      const decision =
        options.plugins.length > 0
          ? await (await guard()).decide(subject)
          : await decideOnce(subject, {
              environment: await invocation.environment(),
              files: nodeFiles,
              guard,
              isAlone: false,
            });
      const { decision: given, message = "", agentMessage = message } = decision;
      if (told === undefined || subject.event !== "session.start") return decision;
      if (given !== "allow" && given !== "warn") return decision;
      // Some agents do not show the standard error of a hook that answers.
      const reasonCode = fault?.code ?? "NOT_TRUSTED";
      // Names in a broken file come from a folder that is not trusted: they are for the person, not for the model.
      const forModel = fault ? ignored("The skillctl.json of this folder cannot be used.") : told;
      return {
        reasonCode,
        ...decision,
        decision: "warn",
        message: told + message,
        agentMessage: forModel + agentMessage,
      };
    },
  });
}

/** A sentence about the rules that still apply although their file cannot be used. */
function remainder(rules: OwnRules["workspace"] = {}): string {
  if (Object.hasOwn(rules, RULES_UNKNOWN)) return "Until it is repaired, everything is denied.";
  const count = Object.keys(rules).length;
  if (count === 0) return "It is ignored.";
  return `It is ignored, except for ${count === 1 ? "1 rule that asks or denies" : `${count} rules that ask or deny`}.`;
}

/** The guard of the built-in skills for a process without other rules, and a function that closes what it opens. */
export async function openGuard(
  surroundings: Surroundings,
): Promise<{ readonly guard: Guard; readonly close: () => Promise<unknown> }> {
  const { openInvocation } = await import("../invocation.ts");
  const words = { json: false, verbose: false, help: false, version: false, progress: false, plugins: [] };
  const terminal = surroundings.terminal(false);
  const { invocation, close } = await openInvocation(
    { ...words, verb: "guard", words: [] },
    terminal,
    surroundings,
    { lenient: true },
  );
  return { guard: await guardFor(invocation), close };
}

function noticesOf({ terminal }: Invocation): { readonly notice: (sentence: string) => void } {
  return { notice: (sentence) => terminal.err(`${sentence}\n`) };
}

/** The built-in rules need no host. One is created for handlers and third-party skills. */
async function guardFor(invocation: Invocation): Promise<Guard> {
  if (invocation.options.plugins.length > 0) {
    const { catalog, guard } = await invocation.host();
    const [fault] = catalog.faults;
    // A skill that is left out may have had a rule about this event.
    if (fault)
      throw new SkillError(
        fault.code,
        `the skill ${quotedName(fault.skill)} was left out: ${fault.sentence}`,
        {
          hint: `Fix ${quotedName(fault.file)}; \`skillctl validate ${quotedName(fault.file)}\` shows every fault.`,
        },
      );
    return guard;
  }
  const environment = await invocation.environment();
  return guardOf({
    catalog: new Catalog(await invocation.builtin()),
    handlers: {
      rule: async (skill, name) => (await invocation.host()).activator.rule(skill, name),
      placeIn: async (skill, cause) => (await invocation.host()).activator.placeIn(skill, cause),
    },
    rules: await invocation.rules(),
    audit: auditFile(environment.stateFolder, noticesOf(invocation)),
    environment,
    state: () => stateOf(environment),
    files: nodeFiles,
  });
}
