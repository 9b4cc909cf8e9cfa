import { placesOf } from "./adapters/disk-look.ts";
import { builtPredicate } from "./adapters/precompiled.ts";
import type { Catalog } from "./catalog.ts";
import { Guard, type Audit, type Handlers, type OwnRules } from "./guard.ts";
import { ownRules, patternsAt } from "./guard/own/own-rules.ts";
import { phasesAt } from "./guard/phases.ts";
import type { Environment } from "./ports/environment.ts";
import type { Files } from "./ports/files.ts";
import type { State } from "./ports/state.ts";

/** What a guard is made of, wherever it stands. */
export interface GuardSetup {
  readonly catalog: Catalog;
  /** The code of rules, asked for when one that has some speaks. */
  readonly handlers: Handlers;
  /** Rules of the working folder, the person and the machine; those of the core come from here. */
  readonly rules?: OwnRules | undefined;
  readonly audit?: Audit | undefined;
  readonly environment: Environment;
  /** Asked for when a rule looks at phases. */
  readonly state: () => State | Promise<State>;
  readonly files: Pick<Files, "realPath">;
  readonly now?: () => number;
}

/**
 * The one guard: the command line, hooks, HTTP, MCP and embedders put their requests before what this makes. Rules are
 * compiled, shell commands read and documents opened when a request needs them.
 */
export function guardOf({ catalog, handlers, environment, state, files, ...parts }: GuardSetup): Guard {
  const { home, stateFolder, workingFolder } = environment;
  const [folders, homes] = [placesOf(stateFolder), placesOf(home)];
  return new Guard(catalog, handlers, {
    ...parts,
    rules: { ...parts.rules, core: ownRules(folders, homes) },
    built: async ({ id }) =>
      (await builtPredicate(id))?.((source, flags) => new RegExp(patternsAt(folders, homes)(source), flags)),
    phases: async (cwd = workingFolder, named, options) =>
      phasesAt([cwd, ...named], catalog, { state: await state(), files }, options),
    shell: async (command, cwd = workingFolder) => {
      const { readShell } = await import("./shell/read-shell.ts");
      return readShell(command, { cwd, home });
    },
  });
}
