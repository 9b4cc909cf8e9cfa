import type { Rule } from "../../contract.ts";
import agents from "./agents.json" with { type: "json" };
import given from "./rules.json" with { type: "json" };
import type { Places } from "../screen.ts";

const PLACE = /\{[a-zA-Z]+\}/g;

/**
 * Facts about each agent for the rules: its `folder`; the files that select its active hooks (`guarded`; `*` stands for
 * a part of a name); its files and folders for the whole machine (`system`); the files of the home folder that it reads
 * at its start, besides its folder (`startUp`); the files in its folder that a model writes during normal work
 * (`free`); its programs; and the words and variables that start it with other hooks or none. All except names of files
 * are patterns.
 */
const AGENTS = Object.values(agents);
const told = filling({
  "{guarded}": AGENTS.flatMap(({ guarded }) => guarded).join(", "),
  "{folders}": AGENTS.map(({ folder }) => folder).join(", "),
});
/** Verbs of tools that move, replace or remove a folder. */
const VERBS =
  "mv ren rm rmdir del unlink move rename delete remove trash erase destroy purge wipe discard " +
  "copy replace swap relocate sync mirror extract unpack unzip restore chmod chown";
const ofAgents = once(() =>
  filling({
    "{guarded}": either(({ guarded }) => guarded.map(namesLike)),
    "{system}": either(({ system }) => system.map(literal)),
    "{folders}": either(({ folder }) => [literal(folder)]),
    "{folderPatterns}": either(({ folder }) => [patternsNaming(folder)]),
    "{moving}": `(${VERBS.split(" ").map(asWord).join("|")})`,
    "{removal}": String.raw`(^|[\n;&|(])\s{0,9}(sudo\s{1,9})?(mv|rm|rmdir|unlink|trash|rsync)(?=\s)`,
    "{startUp}": either(({ startUp }) => startUp.map(literal)),
    "{free}": either(({ folder, free }) => free.map((path) => `${literal(folder)}/${path}`)),
    "{programs}": either(({ programs }) => programs),
    "{options}": either(({ options }) => options),
    "{variables}": either(({ variables }) => variables),
  }),
);

/**
 * The rules of the core: agents must not change the files and settings on which the guard depends. Their patterns
 * contain `{state}`, `{above}`, `{home}` and `{program}`; `ownRules` fills them in.
 */
export const OWN_RULES: Readonly<Record<string, Rule>> = Object.fromEntries(
  Object.entries(given as unknown as Readonly<Record<string, Rule>>).map(([name, rule]) => [
    name,
    withWhen({ ...rule, tell: told(rule.tell) }, () => filled(rule.when, ofAgents())),
  ]),
);

/** The rules about the state folder; listed by name, since searching all patterns would slow down every start. */
const ABOUT_STATE = new Set(["guard-files", "guard-files-unclear", "guard-folder"]);
/** The other rules with a place of the machine in their patterns. */
const PLACED = new Set([...ABOUT_STATE, "start-up-files", "program-files"]);
/** The usual places of home folders, for an unknown home folder. */
const ANY_HOME = String.raw`(/root|/(home|Users)/[^/]+|[A-Za-z]:/Users/[^/]+)`;
/** Matches no path. */
const NOWHERE = "(?!)";

/** The rules of the core for a machine. Without a state folder the rules about it are omitted. */
export function ownRules(places: Partial<Places>): Readonly<Record<string, Rule>> {
  const fill = once(() => patternsAt(places));
  const kept = Object.entries(OWN_RULES).filter(([name]) => places.state?.length || !ABOUT_STATE.has(name));
  return Object.fromEntries(
    kept.map(([name, rule]) => [
      name,
      PLACED.has(name) ? withWhen(rule, () => filled(rule.when, fill())) : rule,
    ]),
  );
}

/** A rule whose `when` is created on first use: only calls of tools need these rules, and most processes judge none. */
function withWhen(rule: Rule, make: () => Rule["when"] & object): Rule {
  const when = { enumerable: true, get: once(make) };
  return Object.defineProperties({} as Rule, { ...Object.getOwnPropertyDescriptors(rule), when });
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** Fills the places of a machine into a pattern. */
export function patternsAt({
  state = [],
  home = [],
  program = [],
}: Partial<Places>): (pattern: string) => string {
  const anyOf = (paths: readonly string[], otherwise: string): string =>
    paths.length === 0 ? otherwise : `(${paths.map(literal).join("|")})`;
  const settings = home.map((folder) => `${folder}/.config/skillctl`);
  return filling({
    "{state}": anyOf(state, NOWHERE),
    "{home}": anyOf(home, ANY_HOME),
    "{program}": anyOf(program, NOWHERE),
    "{above}": [...new Set([...state, ...settings].flatMap(foldersAbove))].map(literal).join("|"),
  });
}

function filling(places: Readonly<Record<string, string>>): (text: string) => string {
  return (text) => text.replaceAll(PLACE, (place) => places[place] ?? place);
}

/** Replaces in the text of the schema, which is several times faster than in its parts. */
function filled(when: Rule["when"], fill: (pattern: string) => string): Rule["when"] & object {
  const text = JSON.stringify(when).replaceAll(PLACE, (place) => JSON.stringify(fill(place)).slice(1, -1));
  return JSON.parse(text) as Rule["when"] & object;
}

function either(patternsOf: (agent: (typeof AGENTS)[number]) => readonly string[]): string {
  return AGENTS.flatMap(patternsOf).join("|");
}

/** A pattern for a verb in the name of a tool, as in `move_file`, `moveFile`, `MOVE` and `fs_move`. */
function asWord(verb: string): string {
  const [first = "", ...rest] = verb;
  const lower = String.raw`(?<![a-z])${verb}(?![a-z])`;
  return `${lower}|${first.toUpperCase()}(${rest.join("")}(?![a-z])|${rest.join("").toUpperCase()}(?![A-Z]))`;
}

/** A pattern for the patterns of a shell that begin like a hidden name, with at least its first letter. */
function patternsNaming(name: string): string {
  const [dot = "", first = "", ...rest] = name;
  const tail = rest.reduceRight((more, letter) => `(${literal(letter)}${more})?`, "");
  return String.raw`${literal(dot + first)}${tail}[*?[{][^\s/"']{0,200}`;
}

function namesLike(path: string): string {
  return literal(path).replaceAll(String.raw`\*`, "[^/]*");
}

/** `/` and every folder above a path, without the path itself. */
function foldersAbove(path: string): readonly string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join("/") || "/");
}

/** A pattern for a path in any letter case, since file systems of macOS and Windows ignore it. */
function literal(path: string): string {
  return path
    .replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
    .replaceAll(/[A-Za-z]/g, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
}
