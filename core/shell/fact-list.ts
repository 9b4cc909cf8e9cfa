import type { ShellFacts } from "../contract.ts";
import {
  fixedFolder,
  globPattern,
  innerPlaces,
  isDevice,
  joined,
  namedPlaces,
  spellings,
  tidied,
} from "./paths.ts";
import type { Word } from "./word.ts";

/** The reason why something is unknown: one of the words of `unknown` in `core/shell-facts`. */
export type Unknown = ShellFacts["unknown"][number];
/** A list of files. */
export type PathList = "writes" | "reads" | "scripts";
const LISTS = ["writes", "reads", "urls", "scripts", "sets", "uses", "unread"] as const;
type List = (typeof LISTS)[number];
type Texts = Pick<Word, "source" | "text">;

const WHY_OF = { writes: "write", reads: "read", scripts: "code" } as const;
/** The bounds of `schemas/core/shell-facts.json`. */
const MOST_ITEMS = 1000;
const MOST_ARGS = 10_000;
const LONGEST_WORD = 512 * 1024;
const LONGEST_PATH = 4096;
const MOST_STEPS = 20_000;
/** Characters of all parsed texts, nested ones included, and of all facts. */
const MOST_TEXT = 2 * 1024 * 1024;

/** The names with which words are compared. */
export interface KnownNames {
  /** Protected files and folders, absolute: patterns that can name one of them count as naming it. Default: none. */
  readonly places?: readonly string[];
  /**
   * Protected files of a folder by their last names, such as `.claude/settings.json`: writing the whole folder writes
   * them.
   */
  readonly inner?: readonly string[];
  /**
   * Further files of any folder by their last names: patterns of written words that can name one, or one of `inner`,
   * count as naming it.
   */
  readonly named?: readonly string[];
}

/** A command exceeds the bounds of the reader. */
export class TooMuch extends Error {}

/** The facts about one command, each once. Every member can throw TooMuch. */
export class FactList {
  readonly #programs = new Map<string, ShellFacts["programs"][number]>();
  readonly #lists = Object.fromEntries(LISTS.map((name) => [name, new Set()])) as Record<List, Set<string>>;
  readonly #unknown = new Set<Unknown>();
  #steps = 0;
  #text = 0;

  constructor(readonly known: KnownNames) {}

  /** Counts work against the bounds. */
  step(characters = 0, steps = 1): void {
    this.#text += characters;
    this.#steps += steps;
    if (this.#steps > MOST_STEPS || this.#text > MOST_TEXT) throw new TooMuch();
  }

  program(name: string, args: readonly string[], cwd: string | undefined): void {
    if (
      name.length > MOST_ITEMS ||
      args.length > MOST_ARGS ||
      [name, ...args].some((word) => word.length > LONGEST_WORD)
    )
      throw new TooMuch();
    const program = { name, args: [...args], ...(cwd !== undefined && { cwd }) };
    const key = JSON.stringify(program);
    this.step(key.length, args.length);
    this.#programs.set(key, program);
    if (this.#programs.size > MOST_ITEMS) throw new TooMuch();
  }

  /** A file as it is named, relative to a folder. Links are not followed. */
  path(list: PathList, word: Word, cwd: string | undefined): void {
    const whole = word.known ? joined(word.text, cwd) : undefined;
    if ((word.known && word.text === "") || whole?.includes("\0")) return;
    if (whole === undefined || whole.length > LONGEST_PATH) {
      this.unknown(WHY_OF[list], word);
      for (const place of namedPlaces(word.pattern, cwd, this.known.places ?? [])) this.add(list, place);
      const folder = list === "writes" ? fixedFolder(word.pattern, cwd) : undefined;
      if (folder !== undefined) this.add("writes", folder);
      const { inner = [], named = [] } = this.known;
      const found = list === "writes" ? innerPlaces(word.pattern, cwd, [...inner, ...named]) : [];
      for (const place of found) this.add("writes", place);
      return;
    }
    // Only the disk knows the target of `link/..`.
    const names = word.text.split("/");
    if (names.some((name, index) => name === ".." && /[^.]/.test(names[index - 1] ?? ""))) this.unread(word);
    if (!isDevice(tidied(whole))) this.add(list, tidied(whole));
  }

  /** A pattern of the files that a program searches. */
  search({ text }: Texts): void {
    for (const one of spellings(text))
      for (const place of namedPlaces(globPattern(one), undefined, this.known.places ?? []))
        this.add("reads", place);
  }

  /** A folder that is written with all of its contents. */
  whole(word: Word, cwd: string | undefined): void {
    this.path("writes", word, cwd);
    const path = word.known ? joined(word.text, cwd) : undefined;
    for (const name of path === undefined ? [] : (this.known.inner ?? [])) {
      const at = name.lastIndexOf("/");
      if (`/${tidied(path ?? "")}`.endsWith(`/${name.slice(0, at)}`))
        this.add("writes", tidied(`${path}${name.slice(at)}`));
    }
  }

  add(list: List, text: string): void {
    const items = this.#lists[list];
    if (items.has(text)) return;
    items.add(text);
    this.step(text.length);
    if ((list !== "unread" && text.length > LONGEST_WORD) || items.size > MOST_ITEMS) throw new TooMuch();
  }

  unknown(why: Unknown, word: Texts): void {
    this.#unknown.add(why);
    this.unread(word);
  }

  /** A text of unknown effect, as it is written and as the program receives it. */
  unread({ source, text }: Texts): void {
    if (source !== "") this.add("unread", source);
    if (!source.includes(text)) this.add("unread", text);
  }

  result(): ShellFacts {
    const lists = Object.entries(this.#lists).map(([name, items]) => [name, [...items]]);
    return {
      programs: [...this.#programs.values()],
      ...(Object.fromEntries(lists) as Record<List, string[]>),
      unknown: [...this.#unknown],
    };
  }
}
