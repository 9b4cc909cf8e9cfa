import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import manifest from "../../../../skills/runtime-debug/skill.json" with { type: "json" };

/**
 * Characters that a terminal or a model takes for something else than text, or that nobody sees: DEL and C1, line and
 * paragraph separator, marks of annotations, and all that Unicode calls ignorable by default, which are the signs that
 * turn, join or hide text, the tags, and the selectors. `JSON.stringify` leaves all of them raw.
 */
const UNSAFE = /[\x7f-\x9f\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\ufff9-\ufffb]/gu;
const ASCII = /^[\0-~]*$/;

/** JSON that holds the same, with no raw character that acts where it is shown. */
export function escapeUnsafe(json: string): string {
  if (ASCII.test(json)) return json;
  return json.replace(UNSAFE, (character) =>
    Array.from({ length: character.length }, (_, place) => hex(character.charCodeAt(place))).join(""),
  );
}

function hex(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}

export function inertJson(value: unknown): string {
  return escapeUnsafe(JSON.stringify(value));
}

/** A text that cannot be taken for anything but itself. */
const WORD = /^[\p{L}\p{N}_./:@#+*$~<>=%,-]+$/u;
/** Stands for what is missing. */
export const MISSING = "-";

/** A value as one word of a line: JSON where it could be taken for something else. */
export function word(value: unknown): string {
  if (value === undefined || value === null || value === "") return MISSING;
  return typeof value === "string" && value !== MISSING && WORD.test(value) ? value : inertJson(value);
}

/** The first rows that have room in so many bytes of JSON. */
export function within<Row>(rows: Iterable<Row>, bytes: number): readonly Row[] {
  const shown: Row[] = [];
  let left = bytes;
  for (const row of rows) {
    left -= Buffer.byteLength(inertJson(row)) + 1;
    if (left < 0) break;
    shown.push(row);
  }
  return shown;
}

/** A text of at most so many characters; what is left out is counted. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
  return `${kept}…(+${text.length - kept.length})`;
}

/**
 * Text that does nothing where it is shown: every control character but LF and TAB becomes visible as `\x1b`, whatever
 * turns, hides or tags text as `\u{202e}`, and half a surrogate pair too. All else stays.
 */
export function inert(text: string): string {
  return text.replace(/[\0-\x08\x0b-\x1f]|\p{Surrogate}/gu, visible).replace(UNSAFE, visible);
}

/** The line before all collected text. */
export const NOTICE: string = manifest.texts.notice.text;

/**
 * An answer out of collected text: a line that says what it is, then the lines between two lines with one mark of 64 random
 * bits, all inert. Who wrote an event cannot close the frame, because the mark is drawn after it was written.
 */
export function framed(lines: readonly string[]): string {
  const mark = randomBytes(8).toString("hex");
  return `${NOTICE}\n----- begin ${mark} -----\n${inert(lines.join("\n"))}\n----- end ${mark} -----`;
}

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
}
