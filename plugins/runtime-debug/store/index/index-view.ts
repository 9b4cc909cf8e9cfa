import type { EventKeys } from "../event/stamped.ts";
import type { Counts } from "./counts.ts";

/** The records of a log as they are at one moment: what is added or cut later does not change it. */
export interface IndexView {
  /** How many lines, events or not. */
  readonly lines: number;
  /** Where the last of them ends. */
  readonly end: number;
  /** What is added to the numbers in the records to make a `_seq`. */
  readonly base: number;
  /** The greatest `_seq`; 0 when there is none. */
  readonly lastSeq: number;
  /** By number. A record with a number beyond is no event, or one whose keys only its line tells. */
  readonly keys: readonly EventKeys[];
  /** The records of the lines from one to before another, `WORDS` words each; not to be changed. */
  readonly records: (from: number, to: number) => Uint32Array | Promise<Uint32Array>;
  readonly counts: () => Counts | Promise<Counts>;
}
