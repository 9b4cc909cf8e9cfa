import type { Subject } from "../plugin.ts";

/**
 * The conditions under which a rule can match: one of some words occurs in a property of the request as JSON in lower
 * case; all or any of further conditions.
 */
export type Condition = WordCondition | JoinedCondition;
type WordCondition = readonly ["has", where: string, ...words: string[]];
type JoinedCondition = readonly ["all" | "any", ...parts: Condition[]];

/** The built-in rules by their events, each with its condition, and the places where their skills keep phases. */
export interface Screen {
  readonly rules: Readonly<Record<string, readonly (readonly [id: string, condition: Condition])[]>>;
  readonly phases: readonly PhaseSource[];
  /** Files that skills keep in the home folder and in projects, as `{home}/…` and `{work}/…`. */
  readonly places: readonly string[];
}

/** A skill that keeps phases, as its manifest says. */
export interface PhaseSource {
  readonly skill: string;
  readonly collection: string;
  readonly pointer: string;
  readonly index?: string;
}

/**
 * Folders of this machine, for `{state}`, `{home}` and `{program}` in patterns and words: the state folder, the home
 * folder and the package of skillctl. Absolute, with /, each by its name and by its real path.
 */
export type Places = Readonly<Record<"state" | "home" | "program", readonly string[]>>;

/**
 * The names of the rules that may match a request. `open`: properties that are not known yet, which may contain any
 * word. Never omits a rule that would match.
 */
export function mayAllSpeak(
  screen: Screen,
  subject: Subject,
  places: Places,
  open: readonly (keyof Subject)[] = [],
): ReadonlySet<string> {
  const texts = new Map<string, string>();
  const textOf = (where: string): string => {
    const text = texts.get(where) ?? (JSON.stringify(subject[where as keyof Subject]) ?? "").toLowerCase();
    texts.set(where, text);
    return text;
  };
  const isOpen = (where: string): boolean => open.includes(where as keyof Subject);
  const holds = (condition: Condition): boolean => {
    if (condition[0] === "all") return (condition.slice(1) as Condition[]).every(holds);
    if (condition[0] === "any") return (condition.slice(1) as Condition[]).some(holds);
    const [, where, ...words] = condition as WordCondition;
    if (isOpen(where)) return true;
    return words.some((word) => spelled(word, places).some((one) => textOf(where).includes(one)));
  };
  const heard = screen.rules[subject.event] ?? [];
  return new Set(heard.flatMap(([id, condition]) => (holds(condition) ? [id] : [])));
}

/** A word in its spelling on this machine, in lower case. */
function spelled(word: string, places: Places): readonly string[] {
  const place = /^\{(state|home|program)\}$/.exec(word)?.[1];
  return place === undefined ? [word] : places[place as keyof Places].map((path) => path.toLowerCase());
}
