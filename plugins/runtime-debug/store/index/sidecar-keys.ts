import { Buffer } from "node:buffer";
import { OTHER, type EventKeys } from "../event/stamped.ts";
import { wordsOf } from "./bytes-as-words.ts";

/**
 * LOG.keys holds a header line and one line a key: a JSON array of a check, in ten places, and the names; `probe` only
 * where it is not the location. Spaces make each line as long as whole words, since the check is one of words.
 */
const CHECK_PLACES = 10;
/** Where the names begin. */
const NAMES_AT = CHECK_PLACES + "[,".length;
const WORD_BYTES = Uint32Array.BYTES_PER_ELEMENT;
const LF = 10;

export function keyLine(keys: EventKeys, nonce: number): string {
  const { hypothesis, run, location, probe } = keys;
  const names = probe === location ? [hypothesis, run, location] : [hypothesis, run, location, probe];
  const text = `${JSON.stringify(keys === OTHER ? [] : names)}]`;
  const spare = WORD_BYTES - 1 - (Buffer.byteLength(text) % WORD_BYTES);
  const padded = `${text}${" ".repeat(spare)}\n`;
  const words = wordsOf(Buffer.from(padded));
  return `[${String(checkOf(words, 0, words.length, nonce)).padStart(CHECK_PLACES)},${padded}`;
}

export function keysHeader(nonce: number): string {
  return keyLine(OTHER, nonce);
}

/** All keys, by number; what a killed process did not finish is left out. `undefined` when any is damaged. */
export function readKeyLines(read: Uint8Array, nonce: number): readonly EventKeys[] | undefined {
  const lines = read.subarray(0, read.lastIndexOf(LF) + 1);
  const rows = rowsOf(lines);
  if (!rows || lines.length % WORD_BYTES !== 0) return undefined;
  const words = wordsOf(lines);
  let at = 0;
  for (const row of rows) {
    const end = lines.indexOf(LF, at) + 1;
    if (row[0] !== checkOf(words, (at + NAMES_AT) / WORD_BYTES, end / WORD_BYTES, nonce)) return undefined;
    at = end;
  }
  return rows.slice(1).map((row) => keysOf(row[1]));
}

type Row = readonly [check: number, names: readonly string[]];

/** One reading of all lines is many times faster than one of each. */
function rowsOf(lines: Uint8Array): readonly Row[] | undefined {
  const text = Buffer.from(lines.buffer, lines.byteOffset, lines.length).toString("utf8");
  if (text === "") return undefined;
  try {
    return JSON.parse(`[${text.slice(0, -1).replaceAll("\n", ",")}]`) as readonly Row[];
  } catch {
    // What is no JSON is damaged.
    return undefined;
  }
}

function keysOf(names: readonly string[]): EventKeys {
  if (names.length === 0) return OTHER;
  const location = names[2] ?? "";
  return { hypothesis: names[0] ?? "", run: names[1] ?? "", location, probe: names[3] ?? location };
}

function checkOf(words: Uint32Array, from: number, to: number, nonce: number): number {
  let hash = nonce | 0;
  for (let at = from; at < to; at++) hash = (hash << 7) ^ (hash >>> 25) ^ (words[at] as number);
  return hash >>> 0;
}
