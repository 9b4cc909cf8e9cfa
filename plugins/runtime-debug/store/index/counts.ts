import { GAP, NO_EVENT, WORDS } from "./records.ts";

/** How often each key was seen, by its number, and between which numbers. */
export class Counts {
  readonly live: number[] = [];
  /** Left out of the log because it was full. */
  readonly dropped: number[] = [];
  /** `_seq` of the first and the last live event; 0 without one. */
  readonly firstSeq: number[] = [];
  readonly lastSeq: number[] = [];
  events = 0;
  droppedEvents = 0;
  /** Lines that are no events. */
  noEvents = 0;

  add(key: number, seq: number): void {
    if (key >= this.live.length) this.#grow(key);
    if (this.live[key] === 0) this.firstSeq[key] = seq;
    (this.live[key] as number)++;
    this.lastSeq[key] = seq;
    this.events += 1;
  }

  /** Events that a gap says were left out. */
  drop(key: number, events: number): void {
    if (key >= this.live.length) this.#grow(key);
    (this.dropped[key] as number) += events;
    this.droppedEvents += events;
  }

  /** Takes in records; of gaps it knows nothing. */
  addRecords(words: Uint32Array, base: number): void {
    for (let at = 0; at < words.length; at += WORDS) {
      const key = words[at + 3] as number;
      if (key < GAP) this.add(key, base + (words[at + 1] as number));
      else if (key === NO_EVENT) this.noEvents += 1;
    }
  }

  /** Live and dropped together. */
  total(key: number): number {
    return (this.live[key] ?? 0) + (this.dropped[key] ?? 0);
  }

  #grow(key: number): void {
    while (this.live.length <= key) {
      for (const list of [this.live, this.dropped, this.firstSeq, this.lastSeq]) list.push(0);
    }
  }
}
