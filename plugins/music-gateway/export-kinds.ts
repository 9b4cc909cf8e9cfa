import { readDistrokid } from "./distrokid-file.ts";
import type { FileFacts, Row } from "./facts.ts";
import { readSpotifyAudience, readSpotifySongs, readSpotifyTimeline } from "./spotify-files.ts";
import { readYoutubeTable } from "./youtube-file.ts";

export type KindName =
  | "distrokid-statement"
  | "spotify-songs"
  | "spotify-timeline"
  | "spotify-audience"
  | "youtube-table";

/** A kind of export: the columns by which it is known, and its reader. */
export interface ExportKind {
  readonly name: KindName;
  /** For the report of a refused file. */
  readonly title: string;
  /** Columns that must all be there, as `levelledHeader` makes them. A pattern stands for one column. */
  readonly columns: readonly (string | RegExp)[];
  /** No other column may be there: `date, streams` is part of several kinds. */
  readonly isClosed?: boolean;
  readonly read: (rows: readonly Row[], fileName: string) => FileFacts;
}

/** In the order in which their songs are registered: those with an ISRC first, names out of file names last. */
export const EXPORT_KINDS: readonly ExportKind[] = [
  {
    name: "distrokid-statement",
    title: "DistroKid statement",
    columns: ["salemonth", "store", "title", "isrc", "quantity", "countryofsale", /^earnings\([a-z]{3}\)$/],
    read: readDistrokid,
  },
  {
    name: "spotify-songs",
    title: "Spotify for Artists songs table",
    columns: ["song", "listeners", "streams", "saves", "release_date"],
    read: readSpotifySongs,
  },
  {
    name: "spotify-audience",
    title: "Spotify for Artists audience timeline",
    columns: ["date", "listeners", "streams", "followers"],
    read: readSpotifyAudience,
  },
  {
    name: "youtube-table",
    title: "YouTube Studio table data",
    columns: ["content", "videotitle", "videopublishtime", "views"],
    read: readYoutubeTable,
  },
  {
    name: "spotify-timeline",
    title: "Spotify for Artists song timeline",
    columns: ["date", "streams"],
    isClosed: true,
    read: readSpotifyTimeline,
  },
];

/** A column name without byte-order mark, white space and case, as headers are compared. */
export function levelledHeader(cell: string): string {
  return cell
    .normalize("NFKC")
    .replaceAll(/[\s\u200B\uFEFF]/g, "")
    .toLowerCase();
}

/** The kind whose columns the header has; never decided by the name of the file. */
export function sniffKind(header: readonly string[]): ExportKind | undefined {
  const names = new Set(header.map(levelledHeader));
  const has = (column: string | RegExp): boolean =>
    typeof column === "string" ? names.has(column) : [...names].some((name) => column.test(name));
  return EXPORT_KINDS.find(
    (kind) => kind.columns.every(has) && (kind.isClosed !== true || names.size === kind.columns.length),
  );
}

/** Records as rows by column. */
export function rowsOf(header: readonly string[], records: readonly (readonly string[])[]): readonly Row[] {
  const names = header.map(levelledHeader);
  return records.map((record) => Object.fromEntries(names.map((name, index) => [name, record[index]])));
}
