import type { ShellFacts } from "../contract.ts";
import { isNoFile, joined, tidied } from "./paths.ts";
import type { Unknown, Word } from "./programs/effects.ts";
import type { ShellFiles } from "./shell-files.ts";

/** The text holds more than is looked at: nothing of it counts as known. */
export class TooMuch extends Error {}

/** Bounds of `core/shell-facts`. */
const MOST = 1000;
const LONGEST_PATH = 4096;
const LONGEST_TEXT = 100_000;
const WHY = ["program", "code", "syntax", "write", "read", "address"] as const;

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
    this.#links.push({ at, to });
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

  unknown(...why: readonly Unknown[]): void {
    for (const each of why) this.#unknown.add(each);
  }

  /** Files written so far that are at a path or below it. */
  written(path: string): readonly string[] {
    return [...this.#lists.writes].filter((each) => each === path || each.startsWith(`${path}/`));
  }

  /** Whether what stands in a file now may be something else when the text comes to it. */
  mayHaveChanged(path: string): boolean {
    return this.#unknown.size > 0 || this.touched(path);
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
