import { escapeUnsafe } from "../event/inert-text.ts";
import { selected, type Selection } from "./selection.ts";

export type LineFormat = "json" | "ndjson";

const WRAPS = { json: ["[", ",\n", "]\n"], ndjson: ["", "\n", "\n"] } as const;

/**
 * The selected events as they are stored, inert, in pieces: an array, or one a line.
 * @throws SkillError `FILE_UNREADABLE`
 */
export async function* eventLines(selection: Selection, format: LineFormat): AsyncGenerator<string> {
  const [open, between, close] = WRAPS[format];
  let before: string = open;
  for await (const lines of selected(selection)) {
    const texts = lines.flatMap(({ event, text }) => (event ? [text] : []));
    if (texts.length === 0) continue;
    yield before + inertLines(texts.join(between));
    before = between;
  }
  if (before === open && format === "json") yield open;
  if (before !== open || format === "json") yield close;
}

/** All pieces of an answer that is small enough to be held. */
export async function whole(pieces: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text += piece;
  return text;
}

/**
 * Stored lines as they may be shown. What this server has stored is so already; what somebody else has put into the log
 * may hold characters that do something, and white space between tokens that other readers take for the end of a line.
 */
export function inertLines(lines: string): string {
  if (!/[^\n -~]/.test(lines)) return lines;
  // Within strings JSON has neither of the two.
  return escapeUnsafe(lines).replaceAll(/[\r\t]/g, " ");
}
