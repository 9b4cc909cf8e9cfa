import type { JournalReader } from "skillctl";
import { linesBetween, type LogLine, type Mark } from "./log-lines.ts";

/** Marks are about so far from each other. */
const MARK_BYTES = 256 * 1024;

/** What is known of a segment without reading it: how much it holds, and where some numbers are. */
export class SegmentFacts {
  /** In the log; those of gaps are no longer. */
  events = 0;
  /** Lines that are neither events nor gaps. */
  noEvents = 0;
  /** Events that gaps say were left out. */
  dropped = 0;
  /** The greatest `_seq`, of events or in gaps; 0 when there is none. */
  lastSeq = 0;
  /** When the last event was received, in milliseconds since the epoch; 0 when that is not known. */
  lastAt = 0;
  readonly marks: Mark[] = [];

  /** Of all lines of a file. */
  static async of(reader: JournalReader): Promise<SegmentFacts> {
    const facts = new SegmentFacts();
    for await (const lines of linesBetween(reader, 0, reader.bytes))
      for (const line of lines) facts.#add(line);
    return facts;
  }

  /** Takes note of events that were just stored from an offset on; `seq` is the number of the last one. */
  stored(count: number, { offset, seq, at }: { offset: number; seq: number; at: number }): void {
    this.#mark(offset);
    this.events += count;
    this.lastSeq = seq;
    this.lastAt = at;
  }

  #add({ offset, seq, event, gap }: LogLine): void {
    this.#mark(offset);
    this.lastSeq = Math.max(this.lastSeq, seq);
    this.dropped += gap?.events ?? 0;
    if (event) {
      const { _at: at } = event;
      this.events += 1;
      if (Number.isSafeInteger(at)) this.lastAt = at as number;
    } else if (!gap) this.noEvents += 1;
  }

  #mark(offset: number): void {
    if (offset - (this.marks.at(-1)?.offset ?? 0) < MARK_BYTES) return;
    this.marks.push({ offset, seq: this.lastSeq });
  }
}
