import { auditFile, noteSaid } from "../../adapters/audit-file.ts";
import { processEnvironment } from "../../adapters/environment.ts";
import { nodeFiles } from "../../adapters/files.ts";
import { hookInput, type ByteStream } from "../../adapters/hook-input.ts";
import { Catalog } from "../../catalog.ts";
import { SkillError } from "../../errors/skill-error.ts";
import type { Guard } from "../../guard.ts";
import { guardOf } from "../../guard-assembly.ts";
import type { Environment } from "../../ports/environment.ts";
import { waitingLine } from "../../trust/trust.ts";
import {
  MAX_EVENT_BYTES,
  UNJUDGED,
  UNREADABLE,
  answered,
  sentenceOf,
  type Dialect,
  type Spoken,
} from "../hook/hook.ts";
import { printable } from "./text.ts";
import type { VerbContext } from "./verb.ts";

/** How long the agent may take to hand over the event, in milliseconds. */
const WAIT_MS = 5_000;
export const EVENT_BOUNDS = { maxBytes: MAX_EVENT_BYTES, withinMs: WAIT_MS };

/** Where an event comes from, and who judges it; both have defaults. */
export interface SpokenOptions {
  readonly input?: ByteStream;
  readonly guard?: () => Promise<Pick<Guard, "decide">>;
}

/** What an agent is told of one event. `guard` is asked for once the event is read. Throws nothing. */
export async function spokenBy(
  dialect: Dialect,
  context: VerbContext,
  { input, guard = () => guardFor(context) }: SpokenOptions = {},
): Promise<Spoken> {
  let event: string;
  try {
    event = await hookInput(EVENT_BOUNDS, input ?? context.standardInput?.());
  } catch (caught) {
    return dialect.refuse(sentenceOf(UNREADABLE, caught), "REQUEST_UNREADABLE");
  }
  let environment: Environment;
  try {
    environment = processEnvironment(context.variables, context.workingFolder);
  } catch (caught) {
    return dialect.refuse(sentenceOf(UNJUDGED, caught), "GUARD_FAILED");
  }
  const { home, workingFolder, stateFolder } = environment;
  const waits = context.waiting && printable(waitingLine(context.waiting));
  if (waits !== undefined) context.terminal.err(waits);
  return answered(event, {
    dialect,
    place: { cwd: workingFolder, home, files: nodeFiles },
    decide: async (subject) => {
      if (context.configurationFault) throw context.configurationFault;
      const decision = await (await guard()).decide(subject);
      // Some agents show nobody the standard error of a hook that answers.
      const isTold =
        waits !== undefined && subject.event === "session.start" && decision.decision === "allow";
      return isTold
        ? { decision: "warn", reasonCode: "NOT_TRUSTED", message: waits, agentMessage: waits }
        : decision;
    },
    changed: (evaluation, said) =>
      noteSaid(stateFolder, { id: evaluation, decision: said, by: dialect.name }, noticesOf(context)),
  });
}

function noticesOf({ terminal }: VerbContext): { readonly notice: (sentence: string) => void } {
  return { notice: (sentence) => terminal.err(`${sentence}\n`) };
}

/** The rules of the skills in the box need no host: it is built when a handler or a foreign skill is asked for. */
export async function guardFor(context: VerbContext): Promise<Guard> {
  if (context.options.plugins.length > 0) {
    const { catalog, guard } = await context.host();
    const [fault] = catalog.faults;
    // A skill that is left out may have had a rule about this very event.
    if (fault)
      throw new SkillError(fault.code, `the skill ${fault.skill} was left out: ${fault.sentence}`, {
        file: fault.file,
        pointer: fault.pointer,
        hint: `Mend ${fault.file}; \`skillctl validate\` shows every fault.`,
      });
    return guard;
  }
  const environment = processEnvironment(context.variables, context.workingFolder);
  return guardOf({
    catalog: new Catalog(context.builtin),
    handlers: { rule: async (skill, name) => (await context.host()).activator.rule(skill, name) },
    rules: await context.rules(),
    audit: auditFile(environment.stateFolder, noticesOf(context)),
    environment,
    state: async () => {
      const [{ stateFiles }, { systemClock: clock }] = await Promise.all([
        import("../../adapters/state-files.ts"),
        import("../../adapters/clock.ts"),
      ]);
      return stateFiles({ files: nodeFiles, clock, environment });
    },
    files: nodeFiles,
  });
}
