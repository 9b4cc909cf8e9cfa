import type { ShellFacts } from "../contract.ts";
import { isNoFile, joined, tidied } from "./paths.ts";
import type { Unknown, Word } from "./programs/effects.ts";
import type { ShellFiles } from "./shell-files.ts";

/** The text holds more than is looked at: nothing of it counts as known. */
export class TooMuch extends Error {}

/** Bounds of `core/shell-facts`. */
const MOST = 1000;
const MOST_LINKS = 100;
const LONGEST_PATH = 4096;
const LONGEST_TEXT = 100_000;
const WHY = ["program", "code", "syntax", "write", "read", "address", "unlisted"] as const;

type ListName = "writes" | "reads" | "scripts" | "urls" | "sets" | "uses";

/** Folders in which a command may find itself; `undefined` when that is not known. */
export type Folders = readonly string[] | undefined;

/** What has been found out about a text so far. */
export class Facts {
  readonly #files: ShellFiles;
  readonly #programs = new Map<string, ShellFacts["programs"][number]>();
  readonly #lists: Readonly<Record<ListName, Set<string>>> = {
    writes: new Set(),
    reads: new Set(),
    scripts: new Set(),
    urls: new Set(),
    sets: new Set(),
    uses: new Set(),
  };
  readonly #unknown = new Set<Unknown>();
  readonly #held = new Map<string, readonly string[]>();
  readonly #times = new Map<string, number>();
  readonly #built = new Set<string>();
  #isOwn = false;
  #isStored = false;
  readonly #links: { readonly at: string; readonly to: string }[] = [];

  constructor(files: ShellFiles) {
    this.#files = files;
  }

  program(name: string, args: readonly string[], cwds: Folders): void {
    if (args.length > MOST || name.length > MOST) throw new TooMuch();
    if (args.some((arg) => arg.length > LONGEST_TEXT)) throw new TooMuch();
    for (const cwd of cwds ?? [undefined]) {
      const entry = { name, args: [...args], ...(cwd !== undefined && { cwd }) };
      this.#programs.set(JSON.stringify(entry), entry);
    }
    if (this.#programs.size > MOST) throw new TooMuch();
  }

  write(path: string, cwds: Folders): void {
    this.#path("writes", path, cwds, "write");
  }

  read(path: string, cwds: Folders): void {
    this.#path("reads", path, cwds, "read");
  }

  script(path: string, cwds: Folders): void {
    this.#path("scripts", path, cwds, "code");
  }

  /** From here on, what is done at one place is done at the other as well. */
  link(at: string, to: string): void {
    if (this.#links.push({ at, to }) > MOST_LINKS) throw new TooMuch();
  }

  url(address: string): void {
    this.#add("urls", address, 8192);
  }

  /** A variable that programs get; of an unknown value, its known beginning. */
  set(name: string, value: Word): void {
    this.#add("sets", `${name}=${value.text ?? value.known ?? ""}`, LONGEST_TEXT);
  }

  setting(text: string): void {
    this.#add("sets", text, LONGEST_TEXT);
  }

  use(name: string): void {
    this.#add("uses", name, MOST);
  }

  /** Reads what is the project's own: what is not known of it is not told. */
  own<T>(read: () => T): T {
    const before = this.#isOwn;
    this.#isOwn = true;
    try {
      return read();
    } finally {
      this.#isOwn = before;
    }
  }

  /** Reads a script that lies on the disk: what is not known of it is work that cannot be seen, and hides nothing of the command. */
  stored<T>(read: () => T): T {
    const before = this.#isStored;
    this.#isStored = true;
    try {
      return read();
    } finally {
      this.#isStored = before;
    }
  }

  unknown(...why: readonly Unknown[]): void {
    if (this.#isOwn) return;
    for (const each of why) this.#unknown.add(this.#isStored ? "unlisted" : each);
  }

  /** A file that is written gets this text, if it is written at all. */
  hold(path: string, cwds: Folders, text: string): void {
    const place = cwds?.length === 1 ? joined(path, cwds[0]) : undefined;
    if (place !== undefined) this.#held.set(tidied(place), [...(this.#held.get(tidied(place)) ?? []), text]);
  }

  /** All texts that a file may have been given; `undefined` when there are none, or others. */
  heldTexts(path: string): readonly string[] | undefined {
    const texts = this.#held.get(path);
    const isWhole = texts !== undefined && texts.length === this.#times.get(path);
    const isSure = [...this.#unknown].every((why) => why === "unlisted");
    const above = [...this.#lists.writes].some((each) => path.startsWith(`${each}/`));
    return isWhole && isSure && !above ? texts : undefined;
  }

  /** A compiler makes a program out of sources. */
  built(path: string, cwds: Folders): void {
    for (const cwd of cwds ?? []) this.#built.add(tidied(joined(path, cwd) ?? path));
  }

  /** Whether nothing but a compiler has written it. */
  isBuilt(path: string): boolean {
    return this.#built.has(path);
  }

  /** Files written so far that are at a path or below it. */
  written(path: string): readonly string[] {
    return [...this.#lists.writes].filter((each) => each === path || each.startsWith(`${path}/`));
  }

  /** Whether what stands in a file now may be something else when the text comes to it. */
  mayHaveChanged(path: string): boolean {
    return [...this.#unknown].some((why) => why !== "unlisted") || this.touched(path);
  }

  /** Whether it, or a folder that it is in, is written by the text. */
  touched(path: string): boolean {
    const places = this.#places(path, []);
    return [...this.#lists.writes].some((each) =>
      places.some((place) => place === each || place.startsWith(`${each}/`)),
    );
  }

  result(): ShellFacts {
    const { writes, reads, scripts, urls, sets, uses } = this.#lists;
    return {
      programs: [...this.#programs.values()],
      writes: [...writes],
      reads: [...reads],
      urls: [...urls],
      scripts: [...scripts],
      sets: [...sets],
      uses: [...uses],
      unknown: WHY.filter((why) => this.#unknown.has(why)),
    };
  }

  #path(list: "writes" | "reads" | "scripts", path: string, cwds: Folders, why: Unknown): void {
    if (path === "") return;
    for (const cwd of cwds ?? [undefined]) {
      const whole = joined(path, cwd);
      if (whole === undefined || whole.includes("\0")) this.unknown(why);
      else for (const place of this.#places(whole, [])) this.#add(list, place, LONGEST_PATH);
      if (list !== "writes" || whole === undefined) continue;
      this.#built.delete(tidied(whole));
      this.#times.set(tidied(whole), (this.#times.get(tidied(whole)) ?? 0) + 1);
    }
  }

  /** As written, where links lead, and where links lead that the text itself has made. */
  #places(whole: string, seen: readonly string[]): readonly string[] {
    const written = tidied(whole);
    if (isNoFile(written)) return [];
    const real = this.#files.realPath(whole);
    const places = new Set([written, tidied(real ?? written)]);
    if (real === undefined) this.unknown("write", "read");
    for (const place of places) {
      for (const { at, to } of this.#links) {
        if (seen.includes(at) || (place !== at && !place.startsWith(`${at}/`))) continue;
        for (const more of this.#places(to + place.slice(at.length), [...seen, at])) places.add(more);
      }
    }
    return [...places];
  }

  #add(list: ListName, text: string, longest: number): void {
    const all = this.#lists[list];
    all.add(text);
    if (text.length > longest || all.size > MOST) throw new TooMuch();
  }
}
