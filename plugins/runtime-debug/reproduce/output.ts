import { quotedName } from "skillctl";
import { shortened } from "../store/event/inert-text.ts";

/** The number of characters kept from the end of an output, and of lines shown. */
const MOST_OUTPUT = 65_536;
const MOST_LINES = 10;
/** The number of lines shown before the searched text. */
const LINES_BEFORE = 4;
const MOST_LAST = 120;
/** Stack frames of Node itself, and lines that frame or count the results of its test runner: they say nothing about a failure. */
const NOISE = [
  /^\s+(?:at )?[^()]{0,200}\(?node:[\w/]{1,100}:\d+:\d+\)?$/,
  /^[#ℹ] (?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/,
  /^\s*(?:1\.\.\d+|---|\.\.\.|Node\.js v[\d.]+)$/,
];

/** The end of the output of a program. */
export class Output {
  text = "";

  /** @param folder working folder of the program, omitted from names of files in it */
  constructor(private readonly folder?: string) {}

  readonly take = (text: string): void => void (this.text = (this.text + text).slice(-MOST_OUTPUT));

  /** The lines around the first one that contains a text, otherwise the last lines. */
  lines(around?: string): readonly string[] {
    const isAround = (line: string): boolean => around !== undefined && line.includes(around);
    const all = this.text
      .split("\n")
      .filter((line) => line.trim() !== "" && (isAround(line) || !NOISE.some((noise) => noise.test(line))));
    const at = all.findIndex(isAround);
    const from = at < 0 ? all.length - MOST_LINES : Math.min(at - LINES_BEFORE, all.length - MOST_LINES);
    return all.slice(Math.max(0, from)).slice(0, MOST_LINES).map(this.#named);
  }

  readonly #named = (line: string): string =>
    this.folder === undefined
      ? line
      : line.replaceAll(new RegExp(`(?<![\\w./-])(?:file://)?${escaped(this.folder)}/`, "g"), "");

  /** The last line, as the end of a sentence. */
  last(): string {
    const last = this.lines().at(-1);
    return last === undefined
      ? " and wrote nothing"
      : `; it wrote last: ${quotedName(shortened(last, MOST_LAST))}`;
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&");
}
