import { Buffer } from "node:buffer";
import type { JournalReader, ByteRange } from "skillctl";
import type { LinePlace } from "../log/line-index.ts";

/** Lines this near to each other are read together. */
const NEAR_BYTES = 4 * 1024;
/** What is read at once; a single line may be longer. */
const MOST_BYTES = 64 * 1024;

/** Reads lines, without their line feeds, in the order given; neighbours in one go, and several such reads together. */
export async function* linesAt(
  reader: JournalReader,
  places: readonly LinePlace[],
): AsyncGenerator<readonly string[]> {
  for (let first = 0; first < places.length;) {
    const groups: (readonly LinePlace[])[] = [];
    for (let bytes = 0; bytes < MOST_BYTES && first < places.length;) {
      const group = groupAt(places, first);
      first += group.length;
      for (const { length } of group) bytes += length;
      groups.push(group);
    }
    const spans = groups.map(spanOf);
    const read = await reader.readAll(spans);
    const lines: string[] = [];
    for (const [at, group] of groups.entries())
      addLines(lines, group, read[at] as Uint8Array, (spans[at] as ByteRange).offset);
    yield lines;
  }
}

/** From the first of neighbours to the end of the last. */
function spanOf(group: readonly LinePlace[]): ByteRange {
  const [one, other] = [group[0] as LinePlace, group.at(-1) as LinePlace];
  const offset = Math.min(one.offset, other.offset);
  return { offset, length: Math.max(one.offset + one.length, other.offset + other.length) - offset };
}

/** Takes the lines of neighbours out of the bytes that were read from an offset on. */
function addLines(lines: string[], group: readonly LinePlace[], read: Uint8Array, from: number): void {
  const bytes = Buffer.from(read.buffer, read.byteOffset, read.byteLength);
  for (const { offset, length } of group) {
    const end = offset - from + length;
    lines.push(bytes.toString("utf8", offset - from, bytes[end - 1] === 10 ? end - 1 : end));
  }
}

/** The places from one on that are read together; they all ascend, or all descend. */
function groupAt(places: readonly LinePlace[], first: number): readonly LinePlace[] {
  const begin = places[first];
  let next = first + 1;
  if (!begin) return [];
  for (let last = begin; next < places.length; next++) {
    const place = places[next] as LinePlace;
    const [lower, upper] = place.offset > last.offset ? [last, place] : [place, last];
    if (upper.offset - (lower.offset + lower.length) > NEAR_BYTES) break;
    const span = Math.abs(place.offset - begin.offset) + Math.max(place.length, begin.length);
    if (span > MOST_BYTES) break;
    last = place;
  }
  return places.slice(first, next);
}
