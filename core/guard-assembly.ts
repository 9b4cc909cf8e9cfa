import { builtPredicate } from "./adapters/precompiled.ts";
import type { Catalog } from "./catalog.ts";
import { Guard, type Audit, type Handlers, type OwnRules } from "./guard.ts";
import { editFinder, factFinders, machinePlaces, type FactSources } from "./guard-facts.ts";
import type { EditPlace } from "./guard/desk.ts";
import { ownRules, patternsAt } from "./guard/own/own-rules.ts";
import { keptPlaces, phaseSources } from "./guard/phases.ts";
import type { Environment } from "./ports/environment.ts";

/** The parts of a guard, the same for every surface. */
export interface GuardSetup extends Omit<FactSources, "phases" | "places"> {
  readonly catalog: Catalog;
  /** Rule handlers, loaded when a rule that has one matches. */
  readonly handlers: Handlers;
  /** Rules of the working folder, the user and the machine; the rules of the core are added here. */
  readonly rules?: OwnRules | undefined;
  readonly audit?: Audit | undefined;
  readonly environment: Environment;
  readonly files: EditPlace["files"];
  readonly now?: () => number;
}

/**
 * Builds the one guard that the command line, hooks, HTTP, MCP and embedders share. Rules are compiled, shell commands
 * parsed and documents opened when a request needs them.
 */
export function guardOf({ catalog, handlers, environment, state, files, ...parts }: GuardSetup): Guard {
  const places = machinePlaces(environment);
  return new Guard(catalog, handlers, {
    ...parts,
    ...factFinders({
      environment,
      state,
      files,
      phases: phaseSources(catalog),
      places: keptPlaces(catalog),
    }),
    edits: editFinder(environment, files),
    rules: { ...parts.rules, core: ownRules(places) },
    built: async ({ id }) =>
      (await builtPredicate(id))?.((source, flags) => new RegExp(patternsAt(places)(source), flags)),
  });
}
