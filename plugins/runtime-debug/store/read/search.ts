import { nextTurn } from "../log/file-scan.ts";
import type { LinePlace } from "../log/line-index.ts";
import { FITS, FITS_NOT, type EventFilter } from "./event-filter.ts";
import { linesAt } from "./line-reader.ts";
import type { LogSource } from "./log-source.ts";

/** So many lines are looked at before others get a turn, and so many are read. */
const BLOCK_LINES = 16_384;
const READ_TOGETHER = 256;

export interface SearchOptions {
  readonly filter: EventFilter;
  /** From the newest to the oldest; default from the oldest on. */
  readonly backwards?: boolean;
  /** More are not looked for. Default all. */
  readonly most?: number;
}

/** Finds the events of a source that fit, in the order of the search; reads a line only where its keys do not tell. */
export async function* search(
  source: LogSource,
  { filter, backwards = false, most = Number.POSITIVE_INFINITY }: SearchOptions,
): AsyncGenerator<readonly LinePlace[]> {
  const { view } = source;
  const mask = filter.mask(view.keys);
  const first = filter.since < 0 ? 0 : view.firstAfter(filter.since);
  const end = filter.before > view.lastSeq ? view.lines : view.firstAfter(filter.before - 1);
  const readsLine = ({ key }: LinePlace): boolean => filter.readsLines || mask[key] !== FITS;
  let missing = most;
  for (let done = 0; done < end - first && missing > 0; done += BLOCK_LINES) {
    const block: LinePlace[] = [];
    let sure = 0;
    for (let at = done; at < Math.min(done + BLOCK_LINES, end - first) && sure < missing; at += 1) {
      const line = backwards ? end - 1 - at : first + at;
      if ((mask[view.keyAt(line)] ?? FITS_NOT) === FITS_NOT) continue;
      const place = view.placeAt(line);
      block.push(place);
      if (!readsLine(place)) sure += 1;
    }
    for (let at = 0; at < block.length && missing > 0; at += READ_TOGETHER) {
      const some = block.slice(at, at + READ_TOGETHER);
      const fits = some.some(readsLine) ? await confirmed(source, some, mask, filter) : some;
      yield fits.slice(0, missing);
      missing -= fits.length;
    }
    await nextTurn();
  }
}

async function confirmed(
  { reader }: LogSource,
  some: readonly LinePlace[],
  mask: Uint8Array,
  filter: EventFilter,
): Promise<readonly LinePlace[]> {
  const found: LinePlace[] = [];
  let at = 0;
  for await (const lines of linesAt(reader, some)) {
    for (const line of lines) {
      const place = some[at++] as LinePlace;
      if (filter.fitsLine(line, mask[place.key] === FITS)) found.push(place);
    }
  }
  return found;
}
