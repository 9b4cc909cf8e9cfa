import type { Environment } from "../../../ports/environment.ts";
import type { State } from "../../../ports/state.ts";
import { stateAddress } from "../../../adapters/environment.ts";
import { mayHoldDocuments } from "../../../adapters/state-folder.ts";
import { builtPredicate, builtScreen } from "../../../adapters/precompiled.ts";
import type { GuardDecision } from "../../../contract.ts";
import { editFinder, factFinders, machinePlaces } from "../../../guard-facts.ts";
import { withFacts } from "../../../guard/facts.ts";
import { mayAllSpeak } from "../../../guard/screen.ts";
import type { Guard } from "../../../guard.ts";
import type { LinkFiles } from "../../../ports/files.ts";
import type { Subject } from "../../../plugin.ts";

/** The parts of a hook process that decide. */
export interface HookJudge {
  readonly environment: Environment;
  readonly files: LinkFiles;
  /** The whole guard, loaded only when a rule may apply. */
  readonly guard: () => Promise<Guard>;
  /** The built-in rules are the only ones. */
  readonly isAlone: boolean;
}

/**
 * Decides one request. Built-in rules are loaded and evaluated only if the request contains their necessary words; if there is no
 * such rule, the request is allowed without loading the guard.
 */
export async function decideOnce(
  subject: Subject,
  { environment, files, guard, isAlone }: HookJudge,
): Promise<GuardDecision> {
  const screen = await builtScreen();
  if (!screen) return (await guard()).decide(subject);
  const { stateFolder } = environment;
  const places = machinePlaces(environment);
  const noPhases =
    subject.phases === undefined &&
    stateAddress(environment.variable) === undefined &&
    !screen.phases.some(({ collection }) => mayHoldDocuments(stateFolder, collection));
  const started: Subject = noPhases ? { ...subject, phases: [] } : subject;
  const open = (["phases", "shell"] as const).filter(
    (fact) => started[fact] === undefined && (fact === "phases" || started.command !== undefined),
  );
  const isSilent = (allowed: ReadonlySet<string>): boolean => allowed.size === 0 && isAlone;
  let may = mayAllSpeak(screen, started, places, open);
  let whole = started;
  if (open.length > 0 && !isSilent(may)) {
    const finders = factFinders({
      environment,
      state: () => stateOf(environment),
      files,
      phases: screen.phases,
      places: screen.places,
    });
    whole = await withFacts(started, open, finders);
    may = mayAllSpeak(screen, whole, places);
  }
  if (isAlone && may.size > 0) {
    whole = await withEdits(whole, environment);
    may = await speaking(may, whole);
  }
  if (isSilent(may)) return { decision: "allow" };
  return (await guard()).decide(whole, ({ id, builtin }) => !builtin || may.has(id));
}

async function withEdits(subject: Subject, environment: Environment): Promise<Subject> {
  if (!subject.phases?.length || subject.edits !== undefined) return subject;
  const { nodeFiles } = await import("../../../adapters/files.ts");
  return withFacts(subject, ["edits"], { edits: editFinder(environment, nodeFiles) });
}

/**
 * The built-in rules whose `when` holds. Returns all if one belongs to the core, since the guard completes its patterns with the
 * folders of this machine.
 */
async function speaking(ids: ReadonlySet<string>, subject: Subject): Promise<ReadonlySet<string>> {
  if ([...ids].some((id) => id.startsWith("core/"))) return ids;
  const kept = new Set<string>();
  for (const id of ids) if (await mayHold(id, subject)) kept.add(id);
  return kept;
}

/** A `when` that fails counts as true: the guard evaluates it again and denies. */
async function mayHold(id: string, subject: Subject): Promise<boolean> {
  const built = await builtPredicate(id);
  try {
    return built?.((source, flags) => new RegExp(source, flags))(subject) ?? true;
  } catch {
    return true;
  }
}

/** The documents of a state folder or database. */
export async function stateOf(environment: Environment): Promise<State> {
  const [{ systemClock: clock }, { nodeFiles: files }] = await Promise.all([
    import("../../../adapters/clock.ts"),
    import("../../../adapters/files.ts"),
  ]);
  if (stateAddress(environment.variable) === undefined) {
    const { stateFiles } = await import("../../../adapters/state-files.ts");
    return stateFiles(environment.stateFolder, files, clock);
  }
  const { storesOf } = await import("../../../adapters/stores.ts");
  return storesOf({ environment, files, clock, log: { notice: () => undefined } }).state;
}
