import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import manifest from "../../../../skills/runtime-debug/skill.json" with { type: "json" };

/**
 * Characters that a terminal or a model does not treat as text, or that are invisible: DEL and C1, line and paragraph
 * separator, annotation marks, and all default-ignorable characters of Unicode, such as direction marks, joiners, tags
 * and selectors. `JSON.stringify` does not escape them.
 */
const UNSAFE = /[\x7f-\x9f\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\ufff9-\ufffb]/gu;
const ASCII = /^[\0-~]*$/;

/** The same JSON without raw characters that have an effect when they are displayed. */
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

/** A word without special meaning. */
const WORD = /^[\p{L}\p{N}_./:@#+*$~<>=%,-]+$/u;
/** The placeholder for a missing value. */
export const MISSING = "-";

/** A value as one word of a line: JSON if it would be ambiguous. */
export function word(value: unknown): string {
  if (value === undefined || value === null || value === "") return MISSING;
  return typeof value === "string" && value !== MISSING && WORD.test(value) ? value : inertJson(value);
}

/** The first rows that fit into a number of bytes of JSON. */
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

/** A text cut to a number of characters, with the number of omitted ones. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
  return `${kept}…(+${text.length - kept.length})`;
}

/**
 * Makes a text harmless to display: every control character except LF and TAB is escaped as `\x1b`, characters that
 * turn, hide or tag text as `\u{202e}`, and lone surrogates too.
 */
export function inert(text: string): string {
  return text.replace(/[\0-\x08\x0b-\x1f]|\p{Surrogate}/gu, visible).replace(UNSAFE, visible);
}

/** The line before all collected text. */
export const NOTICE: string = manifest.texts.notice.text;

/**
 * Frames collected text: an introductory line, then the inert lines between two lines with one mark of 64 random bits. An
 * event cannot close the frame, because the mark is generated after the event was written.
 */
export function framed(lines: readonly string[]): string {
  const mark = randomBytes(8).toString("hex");
  return `${NOTICE}\n----- begin ${mark} -----\n${inert(lines.join("\n"))}\n----- end ${mark} -----`;
}

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
}
