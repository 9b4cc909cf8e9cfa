/** A table of hints that name a command: each row puts the product into a state, reads the hint there and runs the command. */
import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import type { runCli, Shown } from "../../core/surfaces/cli/fixture-command-line.ts";

/** The command line in the state of a row. */
export type Say = (words: readonly string[], settings?: Parameters<typeof runCli>[2]) => Promise<Shown>;

/** One hint in one state. */
export interface HintRow {
  /** Completes "The command that a hint names works: ". */
  readonly title: string;
  /** Each a source file and the command it names, as the search for places finds them; none for a composed command. */
  readonly places: readonly string[];
  /** The text that is shown in the state, and the command line there. */
  readonly shown: (t: TestContext) => Promise<readonly [text: string, say: Say]>;
  /** The beginning of the command that the hint names. */
  readonly command: string;
  /** Placeholders in the command, with the words that a person types instead. */
  readonly fill?: Readonly<Record<string, string>>;
  /** Further words that the hint asks for. */
  readonly more?: readonly string[];
  /** Standard input and similar settings. */
  readonly settings?: () => Parameters<typeof runCli>[2];
  /** The exit status of the command and a part of its output. */
  readonly ends: readonly [status: number, output: RegExp];
}

const WORD = / *((?:"(?:[^"\\\n]|\\.)*"|[^\s"`;()])+)/y;

/** The words after `skillctl` of the first command in a text that begins with `start`. It ends where punctuation ends a clause. */
export function commandIn(text: string, start: string): readonly string[] {
  const from = text.indexOf(start);
  assert.notEqual(from, -1, `${start} is not in: ${text}`);
  const words: string[] = [];
  WORD.lastIndex = from;
  for (let found = WORD.exec(text); found !== null; found = WORD.exec(text)) {
    const [, raw = ""] = found;
    const word = raw.replace(/[.,:]+$/u, "");
    words.push(word.replaceAll(/"(?:[^"\\]|\\.)*"/gu, (quoted) => JSON.parse(quoted) as string));
    if (word !== raw) break;
  }
  return words.slice(1);
}

function filled(word: string, fill: Readonly<Record<string, string>>): string {
  return Object.entries(fill).reduce((now, [from, to]) => now.replaceAll(from, to), word);
}

/** Runs the rows, each as a test. */
export function tryHints(rows: readonly HintRow[]): void {
  describe("the command that a hint names works:", () => {
    for (const { title, shown, command, fill = {}, more = [], settings, ends } of rows)
      test(title, async (t) => {
        const [text, say] = await shown(t);
        const words = commandIn(text, command).map((word) => filled(word, fill));
        const { status, out, err } = await say([...words, ...more], settings?.());
        assert.equal(status, ends[0], `${words.join(" ")}: ${err}${out}`);
        assert.match(out + err, ends[1]);
      });
  });
}
