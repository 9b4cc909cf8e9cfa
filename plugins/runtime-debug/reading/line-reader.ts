import { Buffer } from "node:buffer";
import type { JournalReader } from "skillctl";
import type { Place } from "./log-source.ts";

/** Lines this near to each other are read together. */
const NEAR_BYTES = 4 * 1024;
/** What is read at once; a single line may be longer. */
const MOST_BYTES = 64 * 1024;

/** Reads lines, without their line feeds, in the order given; neighbours in one go, and several such reads together. */
export async function* linesAt(
  reader: JournalReader,
  places: readonly Place[],
): AsyncGenerator<readonly string[]> {
  for (let first = 0; first < places.length;) {
    const reads: Promise<readonly string[]>[] = [];
    for (let bytes = 0; bytes < MOST_BYTES && first < places.length;) {
      const group = groupAt(places, first);
      first += group.length;
      for (const { length } of group) bytes += length;
      reads.push(linesOf(reader, group));
    }
    yield (await Promise.all(reads)).flat();
  }
}

/** The lines of neighbours. */
async function linesOf(reader: JournalReader, group: readonly Place[]): Promise<readonly string[]> {
  const from = Math.min(group[0]?.offset ?? 0, group.at(-1)?.offset ?? 0);
  const to = Math.max(...[group[0], group.at(-1)].map((place) => (place ? place.offset + place.length : 0)));
  const read = await reader.read(from, to - from);
  const bytes = Buffer.from(read.buffer, read.byteOffset, read.byteLength);
  return group.map(({ offset, length }) => {
    const end = offset - from + length;
    return bytes.toString("utf8", offset - from, bytes[end - 1] === 10 ? end - 1 : end);
  });
}

/** The places from one on that are read together; they all ascend, or all descend. */
function groupAt(places: readonly Place[], first: number): readonly Place[] {
  const begin = places[first];
  let next = first + 1;
  if (!begin) return [];
  for (let last = begin; next < places.length; next++) {
    const place = places[next] as Place;
    const [lower, upper] = place.offset > last.offset ? [last, place] : [place, last];
    if (upper.offset - (lower.offset + lower.length) > NEAR_BYTES) break;
    const span = Math.abs(place.offset - begin.offset) + Math.max(place.length, begin.length);
    if (span > MOST_BYTES) break;
    last = place;
  }
  return places.slice(first, next);
}
