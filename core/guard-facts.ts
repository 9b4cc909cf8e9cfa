import { placesOf } from "./adapters/disk-look.ts";
import { packageFolder } from "./adapters/package-folder.ts";
import type { EditPlace } from "./guard/desk.ts";
import { phasesAt } from "./guard/phases.ts";
import type { GuardOptions } from "./guard/options.ts";
import type { PhaseSource, Places } from "./guard/screen.ts";
import type { Environment } from "./ports/environment.ts";
import type { Files } from "./ports/files.ts";
import type { State } from "./ports/state.ts";

/** Where facts about a request come from. */
export interface FactSources {
  readonly environment: Pick<Environment, "home" | "workingFolder">;
  /** Asked for when a rule looks at phases. */
  readonly state: () => State | Promise<State>;
  readonly files: Pick<Files, "realPath">;
  readonly phases: readonly PhaseSource[];
}

/** The folders of this machine that rules protect. */
export function machinePlaces({ stateFolder, home }: Pick<Environment, "stateFolder" | "home">): Places {
  return { state: placesOf(stateFolder), home: placesOf(home), program: placesOf(packageFolder()) };
}

/** Reads shell commands and finds the phases of a place. The code for either is loaded when it is needed. */
export function factFinders({
  environment: { home, workingFolder },
  state,
  files,
  phases,
}: FactSources): Required<Pick<GuardOptions, "phases" | "shell">> {
  return {
    phases: async (cwd = workingFolder, named, options) =>
      phasesAt([cwd, ...named], phases, { state: await state(), files }, options),
    shell: async (command, cwd = workingFolder) => {
      const { readShell } = await import("./shell/read-shell.ts");
      return readShell(command, { cwd, home });
    },
  };
}

/** Computes the results of edits. The code is loaded when it is needed. */
export function editFinder(
  { home, workingFolder }: FactSources["environment"],
  files: EditPlace["files"],
): NonNullable<GuardOptions["edits"]> {
  return async (subject) => {
    const { editsOf } = await import("./guard/edits.ts");
    return editsOf(subject, { cwd: subject.cwd ?? workingFolder, home, files });
  };
}
