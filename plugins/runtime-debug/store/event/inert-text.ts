import { randomBytes } from "node:crypto";
import { replaceUnsafe } from "./unsafe-characters.ts";

/**
 * Text that does nothing where it is shown: every control character but LF and TAB becomes visible as `\x1b`, whatever
 * turns, hides or tags text as `\u{202e}`, and half a surrogate pair too. All else stays.
 */
export function inert(text: string): string {
  return replaceUnsafe(text.replace(/[\0-\x08\x0b-\x1f]|\p{Surrogate}/gu, visible), visible);
}

/** 128 random bits, which nobody who writes events can know. */
export function randomMark(): string {
  return randomBytes(16).toString("hex");
}

/**
 * An answer out of collected text: a line that says what it is, then the lines between two lines with one mark, all
 * inert. Who wrote an event cannot close the frame, because the mark is drawn after it was written and is in no line.
 * @param notice the manifest text `notice`
 * @param mark default: a new one
 */
export function framed(lines: readonly string[], notice: string, mark: string = randomMark()): string {
  const text = inert(lines.join("\n"));
  let own = mark;
  while (text.includes(own)) own = randomMark();
  return `${notice}\n----- begin ${own} -----\n${text}\n----- end ${own} -----`;
}

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
}
