import type { Strings } from "./tokens.ts";

/** What a reader knows of a programming language. Whatever is named nowhere here is code that nobody has read. */
export interface Language {
  readonly strings: Strings;
  /** Words that may stand alone: keywords, values, functions without an effect. */
  readonly words: ReadonlySet<string>;
  /** Names that may stand behind a dot. */
  readonly members: ReadonlySet<string>;
  /** Modules that may be loaded whole. */
  readonly modules: ReadonlySet<string>;
  /** Functions with an effect, by `name` or `owner.name`; roles of their words as in `follow.ts`, and `m` for the mode of `open`. */
  readonly calls: Readonly<Record<string, string>>;
  /** Words that begin a declaration of the name behind them. */
  readonly declares: ReadonlySet<string>;
  /** Words that load a module. */
  readonly loads: ReadonlySet<string>;
  /** `x[y]` reaches functions, and `{a: b}` names a. */
  readonly objects: boolean;
}

export function set(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.join(" ").split(/\s+/));
}
