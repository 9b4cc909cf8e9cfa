import type { SongName } from "../store/songs.ts";
import { rangeOf, spanIn, withoutSpan, type Span } from "../store/spans.ts";

/** Suffixes of repeated downloads: a number, a word for copy, a time. */
const COPY_WORDS = "copy|kopie|copie|copia|cópia|kopia|的?副本|のコピー|コピー|복사본";
const NOISE = new RegExp(`^(?:[\\s_.()-]|\\d|${COPY_WORDS})*$`, "iu");
const COPY = new RegExp(
  `(?:\\s*\\(\\d+\\)|\\s*-?\\s*(?<=[\\s-]|\\p{Script=Han})(?:${COPY_WORDS})(?:\\s+\\d+)?)+$`,
  "iu",
);
const TIMELINE = /^(?<song>.+)[-_ ](?:timeline|时间线|时间轴|時間軸)(?<rest>.*)$/iu;
const WITH_ISRC = /^(?<title>.*?)\s*\[(?<isrc>[A-Za-z0-9-]{12,15})\]$/u;

/** The song in the file name of a timeline. */
export function timelineSong(fileName: string): SongName {
  const { name } = partsOf(fileName);
  const marked = WITH_ISRC.exec(name)?.groups;
  const isrc = marked?.["isrc"]?.replaceAll("-", "").toUpperCase();
  if (marked === undefined || isrc === undefined || !/^[A-Z]{2}[A-Z0-9]{3}\d{7}$/u.test(isrc))
    return { title: name, isFromFileName: true };
  return { title: (marked["title"] ?? "").trim(), isrc, isFromFileName: true };
}

/** The number of a repeated download: 2 for `name (2).csv`, the digits of a time, 0 for the first download. */
export function downloadNumber(fileName: string): number {
  return Number(partsOf(fileName).noise.replaceAll(/\D/gu, "").slice(0, 15));
}

/** The name of the song or table, and the suffix of the download. */
function partsOf(fileName: string): { readonly name: string; readonly noise: string } {
  const stem = fileName.normalize("NFC").replace(/\.(?:csv|tsv|txt|zip)$/iu, "");
  const { song, rest = "" } = TIMELINE.exec(stem)?.groups ?? {};
  if (song !== undefined && NOISE.test(rest)) return { name: song.trim(), noise: rest };
  const noise = COPY.exec(stem)?.[0] ?? "";
  return { name: stem.slice(0, stem.length - noise.length).trim(), noise };
}

/** The folder of an unpacked zip: one whose name states a first and last day, with a file that states no window. */
export function unfoldedFolder(name: string, folder: string): string | undefined {
  const span = spanIn(folder);
  const isOfDays = span !== undefined && rangeOf(span) !== undefined;
  return isOfDays && spanIn(partsOf(name).name) === undefined && !TIMELINE.test(name) ? folder : undefined;
}

/** The window of a table of sums according to its file name, otherwise according to its folder. */
export function spanInName(name: string, from = ""): Span | undefined {
  return spanIn(partsOf(name).name) ?? spanIn(partsOf(from).name);
}

/** The name of a table without its window and the suffix of the download. */
export function tableInName(name: string, from?: string): string {
  const own = partsOf(name).name;
  return withoutSpan(from === undefined ? own : `${partsOf(from).name} ${own}`);
}

/** A file name without forbidden characters, line breaks and Bidi_Control characters, cut to 200 bytes. Its end is kept, since it marks a timeline. */
export function safeName(name: string): string {
  const plain = name
    .normalize("NFC")
    .replaceAll(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}/\\:*?"<>|]/gu, "_")
    .replace(/^\.+/u, "_");
  const all = Array.from(plain);
  const signs = all.length > 260 ? [...all.slice(0, 200), ...all.slice(-60)] : all;
  while (Buffer.byteLength(signs.join("")) > 200) signs.splice(Math.max(0, signs.length - 60), 1);
  return signs.join("");
}

/** Whether a name is that of a table and not hidden. */
export function isTable(name: string): boolean {
  return !name.startsWith(".") && /\.(?:csv|tsv|txt)$/iu.test(name);
}
