import type { EventKeys, Stamped } from "../event/stamped.ts";
import type { Gap, GapCount } from "../log/gap-line.ts";
import { Counts } from "./counts.ts";
import type { IndexView } from "./index-view.ts";
import { KeyTable } from "./key-table.ts";
import type { LineFacts } from "./line-facts.ts";
import { GAP, NO_EVENT, Records, WORDS, lowerBound, type RecordsOf } from "./records.ts";

/** What an index on the disk holds. */
export interface StoredLines {
  /** Taken over. */
  readonly words: Uint32Array<ArrayBuffer>;
  readonly keys: readonly EventKeys[];
  readonly base: number;
  readonly end: number;
  /** The last number, above the base. */
  readonly last: number;
  /** `_at` of the last event; 0 when that is not known. */
  readonly lastAt: number;
  readonly gaps: readonly Gap[];
}

/**
 * Records, keys and counts of a log's lines, in memory. A line that names no number, or none above the one before,
 * takes that of the line before it, so that numbers ascend.
 */
export class LineIndex {
  readonly #records = new Records();
  readonly #table: KeyTable;
  readonly #gaps: Gap[] = [];
  #counts = new Counts();
  /** One less than the first number; unknown until a line names one. */
  #base: number | undefined;
  /** Above the base. */
  #last = 0;
  #lastAt = 0;
  #end = 0;

  constructor(stored?: StoredLines) {
    this.#table = new KeyTable(stored?.keys);
    if (!stored) return;
    this.#records.replace(stored.words);
    if (stored.base > 0 || stored.last > 0) this.#base = stored.base;
    this.#last = stored.last;
    this.#lastAt = stored.lastAt;
    this.#end = stored.end;
    this.#recount();
    for (const gap of stored.gaps) this.#addGap(gap);
  }

  get length(): number {
    return this.#records.length;
  }

  get keys(): readonly EventKeys[] {
    return this.#table.list;
  }

  get counts(): Counts {
    return this.#counts;
  }

  get base(): number {
    return this.#base ?? 0;
  }

  get end(): number {
    return this.#end;
  }

  get lastSeq(): number {
    return this.base + this.#last;
  }

  get lastAt(): number {
    return this.#lastAt;
  }

  view(): Omit<IndexView, "records"> & { readonly records: RecordsOf } {
    const { end, base, keys, lastSeq } = this;
    const counts = this.#counts;
    return {
      lines: this.length,
      end,
      base,
      lastSeq,
      keys,
      records: this.#records.view(),
      counts: () => counts,
    };
  }

  /** Events in the order of the log. What lies between the end and `offset` is no event. */
  add(
    { count, keys, lengths, traces }: Pick<Stamped, "count" | "keys" | "lengths" | "traces">,
    { firstSeq, at, offset }: { readonly firstSeq: number; readonly at: number; readonly offset: number },
  ): void {
    if (count === 0) return;
    if (offset > this.#end) this.#addNone(offset - this.#end);
    this.#base ??= firstSeq - 1;
    const records = this.#records;
    const table = this.#table;
    const counts = this.#counts;
    const first = firstSeq - this.#base;
    let place = offset;
    for (let event = 0; event < count; event++) {
      const key = table.numberOf(keys[event] as EventKeys);
      records.push(place, first + event, traces[event] as number, key);
      counts.add(key, firstSeq + event);
      place += lengths[event] as number;
    }
    this.#end = place;
    this.#last = first + count - 1;
    this.#lastAt = at;
  }

  /** The line that begins at the end. */
  addLine(facts: LineFacts, length: number): void {
    if (facts.kind === "none") {
      this.#addNone(length);
      return;
    }
    this.#advance(facts.kind === "gap" ? facts.gap.toSeq : facts.seq);
    const isEvent = facts.kind === "event";
    const key = isEvent ? this.#table.numberOf(facts.keys) : GAP;
    this.#records.push(this.#end, this.#last, isEvent ? facts.trace : 0, key);
    this.#end += length;
    if (facts.kind === "gap") this.#addGap(facts.gap);
    else {
      this.#counts.add(key, this.lastSeq);
      this.#lastAt = facts.at ?? this.#lastAt;
    }
  }

  /** How many events of which keys begin from one offset to before another. */
  counted(from: number, to: number): readonly GapCount[] {
    const { words } = this.#records;
    const counts = new Counts();
    counts.addRecords(words.subarray(placeOf(words, from), placeOf(words, to)), this.base);
    return [...counts.live.entries()].flatMap(([key, count]) => {
      const keys = this.keys[key];
      return count > 0 && keys ? [[keys.hypothesis, keys.run, keys.location, keys.probe, count]] : [];
    });
  }

  /** Puts the line of a gap, `inserted` bytes long, in the place of what begins from one offset to before another. */
  cut(from: number, to: number, inserted: number): void {
    const rows = this.counted(from, to);
    const { words } = this.#records;
    const first = placeOf(words, from);
    const next = placeOf(words, to);
    const shift = inserted - (to - from);
    const kept = new Uint32Array(words.length - (next - first) + WORDS);
    kept.set(words.subarray(0, first));
    kept.set([from, next > 0 ? (words[next - WORDS + 1] as number) : 0, 0, GAP], first);
    kept.set(words.subarray(next), first + WORDS);
    for (let at = first + WORDS; at < kept.length; at += WORDS) kept[at] = (kept[at] as number) + shift;
    const events = rows.reduce((sum, row) => sum + row[4], 0);
    this.#records.replace(kept);
    this.#end += shift;
    this.#recount();
    this.#gaps.push({ events, bytes: to - from, fromSeq: 0, toSeq: 0, counts: rows });
    for (const gap of this.#gaps.splice(0)) this.#addGap(gap);
  }

  /** Counts the events of a gap by key. */
  countGap({ events, counts: rows }: Gap, counts: Counts): void {
    let rest = events;
    for (const [hypothesis, run, location, probe, dropped] of rows) {
      counts.drop(this.#table.numberOf({ hypothesis, run, location, probe }), dropped);
      rest -= dropped;
    }
    counts.droppedEvents += rest;
  }

  #addNone(length: number): void {
    this.#records.push(this.#end, this.#last, 0, NO_EVENT);
    this.#end += length;
    this.#counts.noEvents += 1;
  }

  #addGap(gap: Gap): void {
    this.#gaps.push(gap);
    this.countGap(gap, this.#counts);
  }

  #advance(seq: number | undefined): void {
    if (seq === undefined || seq <= this.lastSeq) return;
    this.#base ??= seq - 1;
    this.#last = seq - this.#base;
  }

  #recount(): void {
    this.#counts = new Counts();
    this.#counts.addRecords(this.#records.words, this.base);
  }
}

/** The word at which the first record begins whose line does not begin before an offset. */
function placeOf(words: Uint32Array, offset: number): number {
  return lowerBound(words, 0, offset) * WORDS;
}
