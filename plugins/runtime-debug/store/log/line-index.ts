import { gapOf, type Gap, type GapCount } from "./gap-line.ts";
import { lineFacts, OTHER, type EventKeys } from "./line-facts.ts";

/** In the place of a key's number: a line that is no event. */
const NO_EVENT = 0xffff;
/** So many different keys, and characters of them, are told apart; further ones are `OTHER`, as those with a longer text. */
const MOST_KEYS = 65_000;
const MOST_CHARACTERS = 8 * 1024 * 1024;
const LONGEST_TEXT = 1_000;
const FIRST_LINES = 64;

/** A line of a segment. */
export interface LinePlace {
  readonly offset: number;
  /** With its line feed. */
  readonly length: number;
  readonly seq: number;
  /** The number of its keys; beyond the known ones it is no event. */
  readonly key: number;
}

/** What was left out of a log, and where the line is that says so. */
export interface PlacedGap {
  readonly offset: number;
  readonly gap: Gap;
}

/** The lines of a segment as they are at one moment: what is added or cut later does not change it. */
export interface LogView {
  /** How many lines, events or not. */
  readonly lines: number;
  /** Where the last of them ends. */
  readonly end: number;
  /** The greatest `_seq`; 0 when there is none. */
  readonly lastSeq: number;
  /** By number. */
  readonly keys: readonly EventKeys[];
  readonly gaps: readonly PlacedGap[];
  readonly keyAt: (line: number) => number;
  readonly placeAt: (line: number) => LinePlace;
  /** The first line with a greater number than this one. */
  readonly firstAfter: (seq: number) => number;
}

interface Columns {
  readonly offsets: Float64Array;
  readonly seqs: Float64Array;
  readonly keys: Uint16Array;
}

/**
 * Where in a segment of the log which events are: 18 bytes a line, in memory. Made of the lines alone, by one reader,
 * whether they were just written or lie in a file. A line that names no number, or none above the one before, takes that
 * of the line before it, so that numbers ascend.
 */
export class LineIndex {
  #columns: Columns = columnsOf(FIRST_LINES);
  #lines = 0;
  #end = 0;
  #lastSeq = 0;
  #lastAt = 0;
  #events = 0;
  #noEvents = 0;
  #gaps: readonly PlacedGap[] = [];
  readonly #keys: EventKeys[] = [];
  readonly #numbers = new Map<string, number>();
  #characters = 0;

  /** @param start where the first line begins */
  constructor(start = 0) {
    this.#end = start;
  }

  /** Events in the log; those of gaps are no longer. */
  get events(): number {
    return this.#events;
  }

  /** Lines that are neither events nor gaps. */
  get noEvents(): number {
    return this.#noEvents;
  }

  /** Events that gaps say were left out. */
  get dropped(): number {
    return this.#gaps.reduce((sum, { gap }) => sum + gap.events, 0);
  }

  /** The greatest `_seq`, of events or in gaps; 0 when there is none. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** When the last event was received, in milliseconds since the epoch; 0 when that is not known. */
  get lastAt(): number {
    return this.#lastAt;
  }

  /** The probes that have reported, those included whose events were left out. */
  get probes(): ReadonlySet<string> {
    const leftOut = this.#gaps.flatMap(({ gap }) => gap.counts.map(([, , , probe]) => probe));
    return new Set([...this.#keys.map(({ probe }) => probe), ...leftOut]);
  }

  /** For who reads: take it in the same turn of the loop as the reader. */
  view(): LogView {
    const lines = this.#lines;
    const end = this.#end;
    const { offsets, seqs, keys } = this.#columns;
    return {
      lines,
      end,
      lastSeq: this.#lastSeq,
      keys: this.#keys,
      gaps: this.#gaps,
      keyAt: (line) => keys[line] as number,
      placeAt: (line) => {
        const offset = offsets[line] as number;
        const next = line + 1 < lines ? (offsets[line + 1] as number) : end;
        return { offset, length: next - offset, seq: seqs[line] as number, key: keys[line] as number };
      },
      firstAfter: (seq) => firstWhere(seqs, lines, (one) => one > seq),
    };
  }

  /** Takes in lines, each with its line feed, that were stored from an offset on; what lies before it is no event. */
  addStored(lines: readonly string[], offset: number): void {
    if (offset > this.#end) this.addLine(undefined, offset - this.#end);
    for (const line of lines) this.addLine(line, Buffer.byteLength(line));
  }

  /** The line that begins at the end, and its bytes with the line feed; without a text it is too long to be an event. */
  addLine(text: string | undefined, bytes: number): void {
    const facts = lineFacts(text);
    if (facts.kind === "gap") this.#gaps = [...this.#gaps, { offset: this.#end, gap: facts.gap }];
    const seq = facts.kind === "none" ? 0 : facts.kind === "gap" ? facts.gap.toSeq : (facts.seq ?? 0);
    this.#lastSeq = Math.max(this.#lastSeq, seq);
    this.#push(this.#end, facts.kind === "event" ? this.#numberOf(facts.keys) : NO_EVENT);
    this.#end += bytes;
    if (facts.kind === "none") this.#noEvents += 1;
    if (facts.kind !== "event") return;
    this.#events += 1;
    this.#lastAt = facts.at ?? this.#lastAt;
  }

  /** How many events of which keys begin from one offset to before another. Gaps in between do not count. */
  counts(from: number, to: number): readonly GapCount[] {
    const counts = new Map<number, number>();
    for (let line = this.#lineAt(from); line < this.#lineAt(to); line += 1) {
      const key = this.#columns.keys[line] as number;
      if (key !== NO_EVENT) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return [...counts].map(([key, count]) => {
      const { hypothesis, run, location, probe } = this.#keys[key] as EventKeys;
      return [hypothesis, run, location, probe, count];
    });
  }

  /** Puts the line of a gap, without its line feed, in the place of what begins from one offset to before another. */
  cut(from: number, to: number, gapLine: string): void {
    const [first, next] = [this.#lineAt(from), this.#lineAt(to)];
    const { offsets, seqs, keys } = this.#columns;
    const lines = this.#lines;
    const shift = Buffer.byteLength(gapLine) + 1 - (to - from);
    this.#columns = columnsOf(lines - (next - first) + 1 + FIRST_LINES);
    this.#lines = 0;
    for (let line = 0; line < first; line += 1) this.#push(offsets[line], keys[line], seqs[line]);
    this.#push(from, NO_EVENT, next > 0 ? seqs[next - 1] : 0);
    for (let line = next; line < lines; line += 1)
      this.#push((offsets[line] as number) + shift, keys[line], seqs[line]);
    this.#events -= countWhere(keys.subarray(first, next), (key) => key !== NO_EVENT);
    const isKept = ({ offset }: PlacedGap): boolean => offset < from || offset >= to;
    this.#noEvents -= countWhere(keys.subarray(first, next), (key) => key === NO_EVENT);
    this.#noEvents += this.#gaps.filter((one) => !isKept(one)).length;
    const gap = gapOf(gapLine);
    const shifted = this.#gaps.filter(isKept).map((one) => {
      return one.offset < from ? one : { ...one, offset: one.offset + shift };
    });
    this.#gaps = [...shifted, ...(gap ? [{ offset: from, gap }] : [])];
    this.#end += shift;
  }

  #push(offset: number | undefined = 0, key: number | undefined = NO_EVENT, seq = this.#lastSeq): void {
    if (this.#lines === this.#columns.keys.length) this.#columns = columnsOf(this.#lines * 2, this.#columns);
    const { offsets, seqs, keys } = this.#columns;
    offsets[this.#lines] = offset;
    seqs[this.#lines] = seq;
    keys[this.#lines] = key;
    this.#lines += 1;
  }

  /** The first line that does not begin before an offset. */
  #lineAt(offset: number): number {
    return firstWhere(this.#columns.offsets, this.#lines, (one) => one >= offset);
  }

  /** Equal keys have one number, in the order in which they came. */
  #numberOf(keys: EventKeys): number {
    const { hypothesis, run, location, probe } = keys;
    const lengths = `${hypothesis.length},${run.length},${location.length},`;
    const name = keys === OTHER ? "" : lengths + hypothesis + run + location + probe;
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const isFull = this.#keys.length >= MOST_KEYS || this.#characters + name.length > MOST_CHARACTERS;
    const isLong = [hypothesis, run, location].some((text) => text.length > LONGEST_TEXT);
    if ((isFull || isLong) && keys !== OTHER) return this.#numberOf(OTHER);
    this.#characters += name.length;
    this.#numbers.set(name, this.#keys.length);
    return this.#keys.push(keys) - 1;
  }
}

function columnsOf(lines: number, from?: Columns): Columns {
  const columns = {
    offsets: new Float64Array(lines),
    seqs: new Float64Array(lines),
    keys: new Uint16Array(lines),
  };
  if (!from) return columns;
  columns.offsets.set(from.offsets);
  columns.seqs.set(from.seqs);
  columns.keys.set(from.keys);
  return columns;
}

/** The first place of an ascending column that holds. */
function firstWhere(column: Float64Array, length: number, holds: (value: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(column[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function countWhere(keys: Uint16Array, holds: (key: number) => boolean): number {
  let count = 0;
  for (const key of keys) if (holds(key)) count += 1;
  return count;
}
