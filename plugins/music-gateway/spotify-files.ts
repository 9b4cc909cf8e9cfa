import { readCount, readDate, readIsrc } from "./cells.ts";
import type { FileFacts, Row, SongName } from "./facts.ts";
import { gather } from "./gather.ts";

/** The name of a song as a Spotify timeline's file name has it; ` (1)` after it is a browser's second download. */
const TIMELINE_NAME = /^(.*?)[-_ ]timeline(?:\s*\(\d+\))?$/iu;
const ISRC_IN_NAME = /^(.*?)\s*\[([A-Za-z0-9-]{12,15})\]$/u;

/** `date, streams` of one song. The song stands in the file name only, where need be with its ISRC: `晚安 [ISRC]`. */
export function readSpotifyTimeline(rows: readonly Row[], fileName: string): FileFacts {
  const song = timelineSong(fileName);
  return gather(rows, (row) => {
    if (song.title === "") return "the file name holds no song name";
    const date = readDate(row["date"]);
    const plays = readCount(row["streams"]);
    if (date === undefined) return "the date is no day";
    if (plays === undefined) return "streams is no count";
    return { of: "daily-song", song, date, plays };
  });
}

/** The audience timeline, of 2026 or older. */
export function readSpotifyAudience(rows: readonly Row[]): FileFacts {
  return gather(rows, (row) => {
    const date = readDate(row["date"]);
    const plays = readCount(row["streams"]);
    const listeners = readCount(row["listeners"]);
    const followers = readCount(row["followers"]);
    const monthlyListeners = readCount(row["monthlylisteners"]);
    if (date === undefined) return "the date is no day";
    if (plays === undefined || listeners === undefined || followers === undefined)
      return "a figure is no count";
    return {
      of: "daily-account",
      date,
      plays,
      listeners,
      followers,
      ...(monthlyListeners === undefined ? {} : { monthlyListeners }),
    };
  });
}

/** The songs table: one window's sums. Songs of one title are told apart by their release, the older first. */
export function readSpotifySongs(rows: readonly Row[]): FileFacts {
  const byRelease = rows.toSorted((left, right) =>
    compare(left["release_date"] ?? "", right["release_date"] ?? ""),
  );
  const seen = new Map<string, number>();
  return gather(byRelease, (row) => {
    const title = (row["song"] ?? "").trim();
    const plays = readCount(row["streams"]);
    const releasedOn = readDate(row["release_date"]);
    if (title === "") return "the song has no name";
    if (plays === undefined) return "streams is no count";
    const order = seen.get(title) ?? 0;
    seen.set(title, order + 1);
    return {
      of: "snapshot-song",
      song: { title, order },
      plays,
      ...(releasedOn === undefined ? {} : { releasedOn }),
    };
  });
}

/** The song that a timeline's file name names. */
export function timelineSong(fileName: string): SongName {
  const stem = fileName.normalize("NFC").replace(/\.(?:csv|tsv|txt)$/iu, "");
  const name = (TIMELINE_NAME.exec(stem)?.[1] ?? stem).trim();
  const marked = ISRC_IN_NAME.exec(name);
  const isrc = readIsrc(marked?.[2]);
  if (marked === null || isrc === undefined) return { title: name, isFromFileName: true };
  return { title: (marked[1] ?? "").trim(), isrc, isFromFileName: true };
}

function compare(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
