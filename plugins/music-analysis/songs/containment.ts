import type { Folded } from "./keys.ts";
import { unitKinds } from "./unit-kinds.ts";

const WORD = /[\p{L}\p{N}\p{M}]/u;
const MARK = /\p{M}/u;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}々〆ー]/u;
const SUBSTANCE = /[\p{L}\p{N}\p{So}]/u;

/** What a character is where two of them meet, as bits. */
const SPACED_WORD = 1;
const COMBINING = 2;
const unitKind = unitKinds(kindOf);

/** Whether a key says anything besides punctuation, so that finding it inside another name means something. */
export function hasSubstance(key: string): boolean {
  return SUBSTANCE.test(key);
}

/**
 * Whether a name may begin or end at a place of a key: Latin words must not be cut, one CJK character is enough
 * (docs/music-analysis.md, Song names step 5). Never inside a character.
 */
export function isWordLimit(text: Folded, place: number): boolean {
  if (place <= 0 || place >= text.key.length) return true;
  const joint = jointAt(text.key, place);
  return joint === "loose" || (joint === "word" && hasGap(text, place));
}

/** isWordLimit of every place of a key, from 0 to its length: 1 where a name may begin or end. */
export function wordLimits(text: Folded): Uint8Array {
  const { key, spaced } = text;
  const limits = new Uint8Array(key.length + 1).fill(1);
  let at = 1;
  for (let place = 1; place < key.length; place += 1, at += 1) {
    const gap = spaced.charCodeAt(at) === SPACE;
    if (gap) at += 1;
    const joint = jointAt(key, place);
    if (joint === "fast" || (joint === "word" && !gap)) limits[place] = 0;
  }
  return limits;
}

/** Whether a name holds a key between word limits. */
export function contains(name: Folded, key: string): boolean {
  for (let at = name.key.indexOf(key); at !== -1; at = name.key.indexOf(key, at + 1))
    if (isWordLimit(name, at) && isWordLimit(name, at + key.length)) return true;
  return false;
}

const SPACE = 0x20;

/** How two neighbours hold together: never to be parted, parted by a gap only, or free. */
type Joint = "fast" | "word" | "loose";

function jointAt(key: string, place: number): Joint {
  const left = key.charCodeAt(place - 1);
  const right = key.charCodeAt(place);
  if (isHead(left) && isTail(right)) return "fast";
  const next = isHead(right) ? kindOf(codePoint(key, place)) : unitKind(right);
  if ((next & COMBINING) !== 0) return "fast";
  const pair = isTail(left) && isHead(key.charCodeAt(place - 2));
  const last = pair ? kindOf(codePoint(key, place - 2)) : unitKind(left);
  return (last & next & SPACED_WORD) === 0 ? "loose" : "word";
}

function kindOf(code: number): number {
  const character = String.fromCodePoint(code);
  const word = WORD.test(character) && !UNSPACED.test(character) ? SPACED_WORD : 0;
  return word | (MARK.test(character) ? COMBINING : 0);
}

function codePoint(key: string, place: number): number {
  return key.codePointAt(place) ?? 0;
}

function isHead(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isTail(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Whether the spaced form has a space before the character at that place of the key. */
function hasGap({ key, spaced }: Folded, place: number): boolean {
  let gaps = spaced.length - key.length;
  for (let at = spaced.indexOf(" "), seen = at; gaps > 0 && seen <= place; gaps -= 1) {
    if (seen === place) return true;
    const next = spaced.indexOf(" ", at + 1);
    seen += next - at - 1;
    at = next;
  }
  return false;
}
