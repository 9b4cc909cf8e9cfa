import type { Surveyed } from "skillctl";
import type { Manifest } from "./manifest.ts";

/** What may not be as it should. Places are those of the manifest. */
export interface Differences {
  /** Other marks than before, or none that can be trusted. */
  readonly touched: readonly { readonly place: number; readonly now: Surveyed }[];
  readonly removed: readonly number[];
  readonly added: readonly Surveyed[];
}

export function compare(manifest: Manifest, found: readonly Surveyed[]): Differences {
  const { paths } = manifest.names;
  const seen = new Uint8Array(paths.length);
  const touched: { readonly place: number; readonly now: Surveyed }[] = [];
  const added: Surveyed[] = [];
  let next = 0;
  for (const now of found) {
    // Folders that nobody has changed are listed in the same order again; only else the path has to be looked up.
    const place = paths[next] === now.path ? next : manifest.places.get(now.path);
    if (place === undefined) {
      added.push(now);
      continue;
    }
    next = place + 1;
    seen[place] = 1;
    if (!manifest.isSame(place, now)) touched.push({ place, now });
  }
  const removed: number[] = [];
  for (let place = 0; place < seen.length; place += 1) if (seen[place] === 0) removed.push(place);
  return { touched, removed, added };
}
