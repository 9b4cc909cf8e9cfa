import type { JournalReader } from "skillctl";
import type { LogView } from "../log/line-index.ts";
import type { Segment } from "../log/segment-reader.ts";

/** A segment of a log as it is at one moment: where its events are, and the bytes. */
export interface LogSource {
  /** From 1; the visible segment has the greatest. 0 is a log of another tool. */
  readonly number: number;
  readonly reader: JournalReader;
  readonly view: LogView;
}

/** The segments of a log that is being written, as they are now; reader and index are taken in one turn of the loop. */
export function sourcesOf(segments: readonly Segment[]): readonly LogSource[] {
  return segments.map(({ number, reader, index }) => ({ number, reader, view: index.view() }));
}
