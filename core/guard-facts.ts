import { diskLook, placesOf } from "./adapters/disk-look.ts";
import { packageFolder } from "./adapters/package-folder.ts";
import type { ShellFacts } from "./contract.ts";
import agents from "./guard/own/agents.json" with { type: "json" };
import type { EditPlace } from "./guard/desk.ts";
import { phasesAt } from "./guard/phases.ts";
import type { GuardOptions } from "./guard/options.ts";
import type { PhaseSource, Places } from "./guard/screen.ts";
import type { Environment } from "./ports/environment.ts";
import type { LinkFiles } from "./ports/files.ts";
import type { State } from "./ports/state.ts";

/** The sources of facts about a request. */
export interface FactSources {
  readonly environment: Pick<Environment, "home" | "workingFolder" | "stateFolder">;
  /** Called when a rule reads phases. */
  readonly state: () => State | Promise<State>;
  readonly files: LinkFiles;
  readonly phases: readonly PhaseSource[];
  /** Files of skills in the home folder and in projects, as `{home}/…` and `{work}/…`. */
  readonly places: readonly string[];
}

/** Files that rules protect in every folder, by their trailing path segments. */
const INNER = [
  ...Object.values(agents).flatMap(({ guarded }) => guarded.map((path) => path.replace("*", ""))),
  ".config/skillctl/skillctl.json",
];

/** Further ones, which a pattern can name. */
const NAMED = ["skillctl.json", "node_modules/skillctl"];

/** Limit for path segments to resolve in one command; a file system resolves about 50,000 a second. */
const MOST_NAMES = 10_000;

const loadReader = () => Promise.all([import("./shell/read-shell.ts"), import("./shell/unread.ts")]);
let reader: ReturnType<typeof loadReader> | undefined;

/** The folders of this machine that rules protect. */
export function machinePlaces({ stateFolder, home }: Pick<Environment, "stateFolder" | "home">): Places {
  return { state: placesOf(stateFolder), home: placesOf(home), program: placesOf(packageFolder()) };
}

/** Parses shell commands and finds the phases of a folder. Either module is loaded on first use. */
export function factFinders({
  environment: { home, workingFolder, stateFolder },
  state,
  files,
  phases,
  places,
}: FactSources): Required<Pick<GuardOptions, "phases" | "shell">> {
  return {
    phases: async (cwd = workingFolder, named, options) =>
      phasesAt([cwd, ...named], phases, { state: await state(), files }, options),
    shell: async (command, cwd = workingFolder) => {
      const [{ readShell }, { unreadFacts }] = await (reader ??= loadReader());
      const ofHome = places.filter((place) => place.startsWith("{home}/"));
      const ofProject = places.filter((place) => place.startsWith("{work}/"));
      const facts = await readShell(command, {
        cwd,
        home,
        places: [
          ...ofHome.map((place) => place.replace("{home}", home)),
          ...placesOf(stateFolder),
          "/proc/self/environ",
        ],
        named: [...NAMED, ...ofProject.map((place) => place.replace("{work}/", ""))],
        inner: [...INNER, stateFolder.replaceAll("\\", "/")],
      });
      return withLinks(facts) ?? unreadFacts(command);
    },
  };
}

/** Adds the targets of links; undefined for a command with too many path segments. */
function withLinks(facts: ShellFacts): ShellFacts | undefined {
  const { writes, reads, scripts } = facts;
  const names = [...writes, ...reads, ...scripts].reduce((sum, path) => sum + path.split("/").length, 0);
  if (names > MOST_NAMES) return undefined;
  const followed = (paths: readonly string[]): string[] => [
    ...new Set([...paths, ...paths.map((path) => diskLook.realPath(path) ?? path)]),
  ];
  return { ...facts, writes: followed(writes), reads: followed(reads), scripts: followed(scripts) };
}

/** Computes the results of edits. The module is loaded on first use. */
export function editFinder(
  { home, workingFolder }: FactSources["environment"],
  files: EditPlace["files"],
): NonNullable<GuardOptions["edits"]> {
  return async (subject) => {
    const { editsOf } = await import("./guard/edits.ts");
    return editsOf(subject, { cwd: subject.cwd ?? workingFolder, home, files });
  };
}
