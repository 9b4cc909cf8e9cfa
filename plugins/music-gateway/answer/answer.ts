import { answerTo as oldAnswer } from "../answer.ts";
import type { Holdings } from "../asked.ts";
import { titleKey } from "../song-titles.ts";
import type { Collection } from "../store/catalog.ts";

export async function answerTo(
  question: string,
  songId: number | undefined,
  collection: Collection,
): Promise<string> {
  const { source, catalog } = collection;
  const first = new Map<string, string>();
  const shared = new Set<string>();
  for (const { title } of catalog.songs) {
    const earlier = first.get(titleKey(title));
    if (earlier === undefined) first.set(titleKey(title), title);
    else shared.add(earlier);
  }
  const files = catalog.files as Holdings["files"];
  const holdings = { database: collection, source, files, songs: catalog.songs, sharedTitles: [...shared] };
  return oldAnswer(
    question,
    catalog.songs.find(({ id }) => id === songId),
    holdings,
  );
}
