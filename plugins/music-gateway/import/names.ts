import type { SongName } from "../store/songs.ts";

/** Suffixes of second downloads: a number, a word for copy, a time. */
const COPY_WORDS = "copy|kopie|copie|copia|cópia|kopia|的?副本|のコピー|コピー|복사본";
const NOISE = new RegExp(`^(?:[\\s_.()-]|\\d|${COPY_WORDS})*$`, "iu");
const COPY = new RegExp(
  `(?:\\s*\\(\\d+\\)|\\s*-?\\s*(?<=[\\s-]|\\p{Script=Han})(?:${COPY_WORDS})(?:\\s+\\d+)?)+$`,
  "iu",
);
const TIMELINE = /^(?<song>.+)[-_ ](?:timeline|时间线|时间轴|時間軸)(?<rest>.*)$/iu;
const WITH_ISRC = /^(?<title>.*?)\s*\[(?<isrc>[A-Za-z0-9-]{12,15})\]$/u;
const WINDOW = /(?<from>\d{4}-\d{2}-\d{2})[\s_.~至到-]{1,4}(?:to\s)?(?<to>\d{4}-\d{2}-\d{2})/u;

/** The song in the file name of a timeline. */
export function timelineSong(fileName: string): SongName {
  const { name } = partsOf(fileName);
  const marked = WITH_ISRC.exec(name)?.groups;
  const isrc = marked?.["isrc"]?.replaceAll("-", "").toUpperCase();
  if (marked === undefined || isrc === undefined || !/^[A-Z]{2}[A-Z0-9]{3}\d{7}$/u.test(isrc))
    return { title: name, isFromFileName: true };
  return { title: (marked["title"] ?? "").trim(), isrc, isFromFileName: true };
}

/** The number of a repeated download: 2 for `name (2).csv`, the digits of a time, 0 for the first. */
export function downloadNumber(fileName: string): number {
  return Number(partsOf(fileName).noise.replaceAll(/\D/gu, "").slice(0, 15));
}

/** The name of the song or table, and the suffix of the download. */
function partsOf(fileName: string): { readonly name: string; readonly noise: string } {
  const stem = fileName.normalize("NFC").replace(/\.(?:csv|tsv|txt)$/iu, "");
  const { song, rest = "" } = TIMELINE.exec(stem)?.groups ?? {};
  if (song !== undefined && NOISE.test(rest)) return { name: song.trim(), noise: rest };
  const noise = COPY.exec(stem)?.[0] ?? "";
  return { name: stem.slice(0, stem.length - noise.length).trim(), noise };
}

/** The days in a name such as `Content 2026-09-01_2026-09-30 Mira.zip`. */
export function windowIn(name: string): { readonly from: string; readonly to: string } | undefined {
  const found = WINDOW.exec(name)?.groups;
  const [from, to] = [found?.["from"], found?.["to"]];
  if (from === undefined || to === undefined || from > to) return undefined;
  return [from, to].every(isDay) ? { from, to } : undefined;
}

/** Whether a date exists, from 1900 to 2100. */
function isDay(text: string): boolean {
  const time = Date.parse(text);
  if (Number.isNaN(time) || text < "1900" || text > "2101") return false;
  return new Date(time).toISOString().startsWith(text);
}

/** A file name without characters that some system forbids, line ends and Bidi_Control, of at most 200 bytes. Its end stays, since it marks a timeline. */
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
