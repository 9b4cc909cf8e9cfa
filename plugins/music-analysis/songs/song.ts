import { exactKey, bareName, withSongName } from "./fold.ts";

/** One song that the conversation knows: a name and its id (specification, States and transitions 2). */
export interface SongEntry {
  /** The name as found in the content, including marks: this is shown to a person. */
  readonly name: string;
  /** The exactKey of the bare name. */
  readonly key: string;
  /** A whole number from 1 to 2^53 - 1. */
  readonly songId: number;
  /** Version, release date and similar details from the same row. Distinguishes songs with the same name. */
  readonly version?: string;
}

/** The maximum length of a name in UTF-16 units, as in the schemas. */
export const LONGEST_NAME = 1000;
const LONGEST_VERSION = 100;

/** The id in a text of digits, 1 to 2^53 - 1; undefined for any other text (docs/music-analysis.md, Reading songs 5). */
export function songIdFrom(text: string): number | undefined {
  const digits = text.trim();
  const songId = /^[0-9]+$/u.test(digits) ? Number(digits) : 0;
  return Number.isSafeInteger(songId) && songId >= 1 ? songId : undefined;
}

/** An entry; undefined if the name is empty or longer than 1,000 characters, or the id is out of bounds. */
export function songEntry(name: string, songId: number, version = ""): SongEntry | undefined {
  if (name.length > LONGEST_NAME) return undefined;
  const key = exactKey(bareName(name));
  if (key === "" || !Number.isSafeInteger(songId) || songId < 1) return undefined;
  const entry = { name: name.trim(), key, songId };
  const note = version.trim().slice(0, LONGEST_VERSION);
  return note === "" ? entry : { ...entry, version: note };
}

/** Merges several lists: entries with the same id become one, the first, with the version of the next if it has none (docs/music-analysis.md, Reading songs 6). */
export function mergeEntries(...lists: readonly (readonly SongEntry[])[]): readonly SongEntry[] {
  const byId = new Map<number, SongEntry>();
  for (const entry of lists.flat()) {
    const first = byId.get(entry.songId);
    if (first === undefined) byId.set(entry.songId, entry);
    else if (first.version === undefined && entry.version !== undefined && first.key === entry.key)
      byId.set(entry.songId, { ...first, version: entry.version });
  }
  return [...byId.values()];
}

/**
 * The names of a list in title marks. Equal names are followed by their version, or by their position in the list if
 * the versions are equal or missing; never by an id (docs/music-analysis.md, Confirmation).
 */
export function listedNames(songs: readonly SongEntry[]): readonly string[] {
  const counts = new Map<string, number>();
  const count = (of: string): void => void counts.set(of, (counts.get(of) ?? 0) + 1);
  const versioned = ({ key, version = "" }: SongEntry): string => `${key}\n${version}`;
  for (const song of songs) {
    count(song.key);
    count(versioned(song));
  }
  return songs.map((song, place) => {
    const name = withSongName("《{NAME}》", "{NAME}", song.name);
    if (counts.get(song.key) === 1) return name;
    const isTold = song.version !== undefined && counts.get(versioned(song)) === 1;
    return `${name}（${isTold ? song.version : `第 ${place + 1} 首`}）`;
  });
}
