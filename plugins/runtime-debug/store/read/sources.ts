import type { Segment } from "../log/segment.ts";
import type { LogSource } from "./log-source.ts";

/** The segments of a log as they are now; reader and index are taken in one turn of the loop. */
export function sourcesOf(segments: readonly Segment[]): readonly LogSource[] {
  return segments.map(({ number, reader, index }) => ({ number, reader, view: index.view() }));
}
