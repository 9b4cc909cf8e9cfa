import { keyA } from "./keys.ts";
import { bareName } from "./marks.ts";

/** One song the conversation knows: a name and its id (spec music-analysis, States and transitions 2). */
export interface SongEntry {
  /** As found in the content, marks and all: this is what a person is shown. */
  readonly name: string;
  /** keyA of the bare name. */
  readonly key: string;
  /** A whole number from 1 to 2^53 - 1. */
  readonly songId: number;
  /** The version note of the same table row, where there is one (docs/music-analysis.md, Rulings). */
  readonly version?: string;
}

/** A longer text in a name's place is no name. In UTF-16 units, the bound of the schemas. */
const LONGEST_NAME = 1000;

/** An id as written: digits only, 1 to 2^53 - 1; anything else is none (docs/music-analysis.md, Reading songs rule 5). */
export function songIdFrom(text: string): number | undefined {
  const digits = text.trim();
  if (!/^[0-9]+$/u.test(digits)) return undefined;
  const songId = Number(digits);
  return Number.isSafeInteger(songId) && songId >= 1 ? songId : undefined;
}

/** An entry, or none where the name is empty or over 1,000 characters or the id out of bounds (docs/music-analysis.md, Reading songs rules 4 to 6). */
export function songEntry(name: string, songId: number, version = ""): SongEntry | undefined {
  if (name.length > LONGEST_NAME) return undefined;
  const key = keyA(bareName(name));
  if (key === "" || !Number.isSafeInteger(songId) || songId < 1) return undefined;
  const entry = { name: name.trim(), key, songId };
  return version.trim() === "" ? entry : { ...entry, version: version.trim() };
}

/** Several lists as one: the same id twice is one entry, the first (docs/music-analysis.md, Reading songs rule 6). */
export function mergeEntries(...lists: readonly (readonly SongEntry[])[]): readonly SongEntry[] {
  const byId = new Map<number, SongEntry>();
  for (const list of lists)
    for (const entry of list) if (!byId.has(entry.songId)) byId.set(entry.songId, entry);
  return [...byId.values()];
}
