import { quotedName } from "skillctl";
import { shortened } from "../store/event/inert-text.ts";

/** Of an output the end is kept, in characters; of that so many lines are shown. */
const MOST_OUTPUT = 65_536;
const MOST_LINES = 12;
/** So many of them stand before the text that is looked for. */
const LINES_BEFORE = 4;
const MOST_LAST = 120;

/** The end of what a program writes. */
export class Output {
  text = "";

  readonly take = (text: string): void => void (this.text = (this.text + text).slice(-MOST_OUTPUT));

  /** The lines around the first one with a text; the last ones where there is none. */
  lines(around?: string): readonly string[] {
    const all = this.text.split("\n").filter((line) => line.trim() !== "");
    const at = around === undefined ? -1 : all.findIndex((line) => line.includes(around));
    const from = at < 0 ? all.length - MOST_LINES : Math.min(at - LINES_BEFORE, all.length - MOST_LINES);
    return all.slice(Math.max(0, from)).slice(0, MOST_LINES);
  }

  /** The last line, for a sentence. */
  last(): string {
    const last = this.lines().at(-1);
    return last === undefined
      ? " and wrote nothing"
      : `; it wrote last: ${quotedName(shortened(last, MOST_LAST))}`;
  }
}
