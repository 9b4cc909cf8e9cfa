import type { IndexView } from "../index/index-view.ts";
import { nextTurn } from "../index/log-scan.ts";
import { WORDS } from "../index/records.ts";
import { FITS, type EventFilter } from "./event-filter.ts";
import { linesAt } from "./line-reader.ts";
import type { LogSource, Place } from "./log-source.ts";

/** Their records, and that of the line after them, are 64 KiB, which a file gives in one go. */
const FEW_LINES = 4_095;
const MANY_LINES = 65_536;
/** So many are looked at a few at a time. */
const SOON_LINES = 8 * FEW_LINES;
/** Lines that are read to know whether they fit, before others get a turn. */
const READ_TOGETHER = 256;

export interface SearchOptions {
  readonly filter: EventFilter;
  /** From the newest to the oldest; default from the oldest on. */
  readonly backwards?: boolean;
  /** More are not looked for. */
  readonly most: number;
}

interface Candidate extends Place {
  readonly keysFit: boolean;
}

/**
 * Finds the events of a source that fit, in the order of the search. Looks at few records at first, so that what
 * is found soon costs little, and reads a line only where its record does not tell.
 */
export async function* search(source: LogSource, options: SearchOptions): AsyncGenerator<readonly Place[]> {
  const { filter, backwards = false } = options;
  const { view } = source;
  const mask = filter.mask(view.keys);
  const first = filter.since < 0 ? 0 : await firstAfter(view, filter.since);
  const end = filter.before > view.lastSeq ? view.lines : await firstAfter(view, filter.before - 1);
  let missing = options.most;
  let left = end - first;
  while (left > 0 && missing > 0) {
    const isSoon = end - first - left < SOON_LINES;
    const length = Math.min(isSoon ? FEW_LINES : MANY_LINES, left);
    const from = backwards ? first + left - length : end - left;
    left -= length;
    const words = await view.records(from, Math.min(view.lines, from + length + 1));
    const all = candidates({ words, length, end: view.end }, mask, { ...options, base: view.base });
    for (let at = 0; at < all.length && missing > 0;) {
      const readsNone = !filter.readsLines && all.every(({ keysFit }) => keysFit);
      const some = all.slice(at, readsNone ? missing : at + READ_TOGETHER);
      at += some.length;
      const found = readsNone ? some : await confirmed(source, some, filter);
      yield found.slice(0, missing);
      missing -= found.length;
      if (!readsNone) await nextTurn();
    }
  }
}

/** The position of the first line with a greater number. */
async function firstAfter(view: IndexView, seq: number): Promise<number> {
  let low = 0;
  let high = view.lines;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const words = await view.records(middle, middle + 1);
    if (view.base + (words[1] ?? 0) <= seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Events of a block that fit or may fit; all that are wanted where records alone tell. */
function candidates(
  block: { readonly words: Uint32Array; readonly length: number; readonly end: number },
  mask: Uint8Array,
  { filter, backwards, most, base }: SearchOptions & { readonly base: number },
): readonly Candidate[] {
  const { words, length, end } = block;
  const found: Candidate[] = [];
  let sure = 0;
  const step = backwards ? -WORDS : WORDS;
  const beyond = backwards ? -WORDS : length * WORDS;
  for (let at = backwards ? (length - 1) * WORDS : 0; at !== beyond; at += step) {
    const key = words[at + 3] as number;
    const fit = mask[key];
    if (!fit || !filter.mayTrace(words[at + 2] as number)) continue;
    const offset = words[at] as number;
    const next = at + WORDS < words.length ? (words[at + WORDS] as number) : end;
    const seq = base + (words[at + 1] as number);
    found.push({ offset, length: next - offset, seq, key, keysFit: fit === FITS });
    if (fit === FITS && !filter.readsLines && ++sure === most) break;
  }
  return found;
}

async function confirmed(
  { reader }: LogSource,
  some: readonly Candidate[],
  filter: EventFilter,
): Promise<readonly Place[]> {
  const found: Place[] = [];
  let at = 0;
  for await (const lines of linesAt(reader, some)) {
    for (const line of lines) {
      const place = some[at++] as Candidate;
      if (filter.fitsLine(line, place.keysFit)) found.push(place);
    }
  }
  return found;
}
