import type { JournalReader } from "skillctl";
import type { LineIndex } from "./line-index.ts";

/**
 * One file of a session's log. A compaction or a clear puts another object in its place; what the old one refers to can
 * still be read for a while, so that an answer under way comes to its end: whoever reads takes `reader` and the offsets
 * of `index` in the same turn of the loop.
 */
export interface Segment {
  /** From 1; 0 is a log that another tool left under the name it gives. The visible one has the greatest. */
  readonly number: number;
  /** Absolute. */
  readonly path: string;
  readonly reader: JournalReader;
  readonly index: LineIndex;
}
