import type { Rule } from "../../contract.ts";
import agents from "./agents.json" with { type: "json" };
import given from "./rules.json" with { type: "json" };

const PLACE = /\{[a-zA-Z]+\}/g;

/**
 * What is known of each agent. Rules go by its `folder`, the files that say which of its hooks are run (`guarded`, `*` stands
 * for a part of a name), the files of the home that it reads at its start beside that folder (`startUp`), what a model writes in
 * there at its daily work (`free`), its programs, and the words and variables that start it with other hooks or none. All but
 * names of files are patterns.
 */
const AGENTS = Object.values(agents);
const told = filling({
  "{guarded}": AGENTS.flatMap(({ guarded }) => guarded).join(", "),
  "{folders}": AGENTS.map(({ folder }) => folder).join(", "),
});
const ofAgents = filling({
  "{guarded}": either(({ guarded }) => guarded.map(namesLike)),
  "{folders}": either(({ folder }) => [literal(folder)]),
  "{startUp}": either(({ startUp }) => startUp.map(literal)),
  "{free}": either(({ folder, free }) => free.map((path) => `${literal(folder)}/${path}`)),
  "{programs}": either(({ programs }) => programs),
  "{options}": either(({ options }) => options),
  "{variables}": either(({ variables }) => variables),
});

/**
 * The rules of the core: what the guard goes by is not changed by those it guards, since an agent that may write its own
 * rules is held by none. Their patterns hold `{state}`, `{above}` and `{home}`; `ownRules` fills them in.
 */
export const OWN_RULES: Readonly<Record<string, Rule>> = Object.fromEntries(
  Object.entries(given as unknown as Readonly<Record<string, Rule>>).map(([name, rule]) => [
    name,
    { ...rule, tell: told(rule.tell), when: filled(rule.when, ofAgents) },
  ]),
);

/** The rules whose patterns hold places. Named, since looking for them would cost every start. */
const PLACED = new Set(["guard-files", "guard-files-unclear", "guard-folder"]);
const IN_HOME = new Set(["start-up-files"]);
/** Where the home folder is not told: one of the usual places. */
const ANY_HOME = String.raw`(/root|/(home|Users)/[^/]+|[A-Za-z]:/Users/[^/]+)`;

/**
 * The rules of the core for a machine. `folders` are the paths of the state folder, absolute and with /: as it is named,
 * and where links lead. Without any, the rules about that folder are left out. `homes`: those of the user's home folder.
 */
export function ownRules(
  folders: readonly string[],
  homes: readonly string[] = [],
): Readonly<Record<string, Rule>> {
  const fill = patternsAt(folders, homes);
  const rules: Record<string, Rule> = {};
  for (const [name, rule] of Object.entries(OWN_RULES)) {
    if (IN_HOME.has(name)) rules[name] = { ...rule, when: filled(rule.when, fill) };
    else if (!PLACED.has(name)) rules[name] = rule;
    else if (folders.length > 0) rules[name] = { ...rule, when: filled(rule.when, fill) };
  }
  return rules;
}

/** Fills the places of a machine into a pattern. `folders` and `homes` as for `ownRules`. */
export function patternsAt(
  folders: readonly string[],
  homes: readonly string[] = [],
): (pattern: string) => string {
  return filling({
    "{state}": `(${folders.map(literal).join("|")})`,
    "{home}": homes.length === 0 ? ANY_HOME : `(${homes.map(literal).join("|")})`,
    "{above}": [...new Set(folders.flatMap(foldersAbove))].map(literal).join("|"),
  });
}

function filling(places: Readonly<Record<string, string>>): (text: string) => string {
  return (text) => text.replaceAll(PLACE, (place) => places[place] ?? place);
}

/** By way of its text, which is several times faster than part by part. */
function filled(when: Rule["when"], fill: (pattern: string) => string): Rule["when"] & object {
  const text = JSON.stringify(when).replaceAll(PLACE, (place) => JSON.stringify(fill(place)).slice(1, -1));
  return JSON.parse(text) as Rule["when"] & object;
}

function either(patternsOf: (agent: (typeof AGENTS)[number]) => readonly string[]): string {
  return AGENTS.flatMap(patternsOf).join("|");
}

function namesLike(path: string): string {
  return literal(path).replaceAll(String.raw`\*`, "[^/]*");
}

/** `/` and every folder on the way to a path, without the path itself. */
function foldersAbove(path: string): readonly string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join("/") || "/");
}

/** A path as a pattern, in any letter case: to file systems of macOS and Windows that is the same file. */
function literal(path: string): string {
  return path
    .replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
    .replaceAll(/[A-Za-z]/g, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
}
