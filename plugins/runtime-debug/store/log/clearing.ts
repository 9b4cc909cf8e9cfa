import { openSegments, type OpenSegments, type Place } from "./open-segments.ts";
import { MOST_RETIRED, type RetiredReaders } from "./segment-reader.ts";

/**
 * Makes an earlier segment of the visible log when there is anything in it, and begins another one. With the last `_seq`
 * given, all there was is removed for good instead. Only while no append is under way; when it fails it has to be looked
 * up in the folder what there is.
 */
export async function cleared(
  place: Place,
  open: OpenSegments,
  retired: RetiredReaders,
  purgedSeq: number | undefined,
): Promise<OpenSegments> {
  const { visible, earlier } = open;
  const filled = visible.reader.bytes > 0;
  if (filled) await setBack(place, open);
  else retired.add(visible.reader);
  if (purgedSeq === undefined) return openSegments(place, earlier);
  await purge(place, open, retired, { seq: purgedSeq, segment: visible.number + (filled ? 1 : 0) });
  return openSegments(
    place,
    earlier.filter(({ number }) => number === 0),
  );
}

/** Gives the visible log the name of an earlier segment. */
async function setBack({ ports, names }: Place, { visible }: OpenSegments): Promise<void> {
  const path = names.earlier(visible.number);
  await visible.reader.move(path, () => ports.journals.rename(visible.path, path));
}

/** From the moment it is written down; the files go when the folder is looked through. */
async function purge(
  { rejected }: Place,
  { visible, earlier }: OpenSegments,
  retired: RetiredReaders,
  to: { readonly seq: number; readonly segment: number },
): Promise<void> {
  const own = [...earlier, visible].filter(({ number }) => number > 0);
  for (const { reader } of own.slice(-MOST_RETIRED)) {
    await reader.pin();
    retired.add(reader);
  }
  await rejected.purge(to);
}
