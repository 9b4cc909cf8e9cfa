import { diskLook } from "../adapters/disk-look.ts";
import type { ShellFacts } from "../contract.ts";
import { isNoFile, joined, tidied } from "./paths.ts";

/** Why not everything is known: one of the words of `unknown` in `core/shell-facts`. */
export type Unknown = ShellFacts["unknown"][number];

const WHY: readonly Unknown[] = ["program", "code", "syntax", "write", "read", "address"];
const LISTS = ["writes", "reads", "urls", "scripts", "sets", "uses"] as const;
/** As `schemas/core/shell-facts.json` has it. */
const MOST = 1000;
const LONGEST = 100_000;
const MOST_STEPS = 20_000;
/** Of all texts that are parsed, those in other texts included. */
const MOST_TEXT = 1024 * 1024;
/** A guard that answers late is none; what is left unread then is unknown. */
const LONGEST_MS = 2000;

/** A command holds more than is read. */
export class TooMuch extends Error {}

/** What is found in one text, each thing once. */
export class FactList {
  readonly #programs = new Map<string, ShellFacts["programs"][number]>();
  readonly #lists = Object.fromEntries(LISTS.map((name) => [name, new Set<string>()])) as Record<
    (typeof LISTS)[number],
    Set<string>
  >;
  readonly #unknown = new Set<Unknown>();
  readonly #end = Date.now() + LONGEST_MS;
  #steps = 0;
  #text = 0;

  /** Counts work. @throws TooMuch */
  step(text = ""): void {
    this.#text += text.length;
    const isLate = Date.now() > this.#end;
    if (++this.#steps > MOST_STEPS || this.#text > MOST_TEXT || isLate) throw new TooMuch();
  }

  /** @throws TooMuch */
  program(name: string, args: readonly string[], cwd: string | undefined): void {
    const program = { name, args: [...args], ...(cwd !== undefined && { cwd }) };
    if (args.length > MOST || [name, ...args].some((word) => word.length > LONGEST)) throw new TooMuch();
    this.#programs.set(JSON.stringify(program), program);
    if (this.#programs.size > MOST) throw new TooMuch();
  }

  /** A file as it is named, and where links lead. @throws TooMuch */
  path(list: "writes" | "reads" | "scripts", named: string, cwd: string | undefined): void {
    const whole = joined(named, cwd);
    if (named === "" || whole?.includes("\0")) return;
    if (whole === undefined) return this.unknown(list === "writes" ? "write" : "read");
    const path = tidied(whole);
    if (isNoFile(path) || this.#lists[list].has(path)) return;
    this.add(list, path);
    this.add(list, tidied(diskLook.realPath(whole) ?? whole));
  }

  /** @throws TooMuch */
  add(list: (typeof LISTS)[number], text: string): void {
    this.#lists[list].add(text);
    if (text.length > LONGEST || this.#lists[list].size > MOST) throw new TooMuch();
  }

  unknown(...why: readonly Unknown[]): void {
    for (const each of why) this.#unknown.add(each);
  }

  result(): ShellFacts {
    const { writes, reads, urls, scripts, sets, uses } = this.#lists;
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
}
