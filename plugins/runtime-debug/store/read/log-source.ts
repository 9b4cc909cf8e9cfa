import type { JournalReader } from "skillctl";
import type { IndexView } from "../index/index-view.ts";

/** A segment of a log as it is at one moment: where its events are, and the bytes. */
export interface LogSource {
  /** From 1; the visible segment has the greatest. 0 is a log of another tool. */
  readonly number: number;
  readonly reader: JournalReader;
  readonly view: IndexView;
}

/** A line of a source. */
export interface Place {
  readonly offset: number;
  /** With its line feed. */
  readonly length: number;
  readonly seq: number;
  /** The number of its keys. */
  readonly key: number;
}
