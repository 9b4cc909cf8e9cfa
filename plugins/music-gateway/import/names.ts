import type { SongName } from "../store/songs.ts";

/** The name of a song as a timeline's file name has it; what a browser or system puts behind a second download goes. */
const COPY = /(?:\s*\((?<number>\d+)\)|\s+-\s+Copy|\s+copy|\s*-\s*副本|\s*的副本)$/iu;
const TIMELINE = /^(?<song>.*?)[-_ ](?:timeline|时间线|时间轴|時間軸)$/iu;
const WITH_ISRC = /^(?<title>.*?)\s*\[(?<isrc>[A-Za-z0-9-]{12,15})\]$/u;
const WINDOW = /(?<from>\d{4}-\d{2}-\d{2})[\s_.~至到-]{1,4}(?:to\s)?(?<to>\d{4}-\d{2}-\d{2})/u;

/** The song that a timeline's file name names. */
export function timelineSong(fileName: string): SongName {
  const stem = stemOf(fileName).replace(COPY, "");
  const name = (TIMELINE.exec(stem)?.groups?.["song"] ?? stem).trim();
  const marked = WITH_ISRC.exec(name)?.groups;
  const isrc = marked?.["isrc"]?.replaceAll("-", "").toUpperCase();
  if (marked === undefined || isrc === undefined || !/^[A-Z]{2}[A-Z0-9]{3}\d{7}$/u.test(isrc))
    return { title: name, isFromFileName: true };
  return { title: (marked["title"] ?? "").trim(), isrc, isFromFileName: true };
}

/** Which download of one file it is, as a browser numbers them: `name (2).csv` is 2, and the first is 0. */
export function downloadNumber(fileName: string): number {
  return Number(COPY.exec(stemOf(fileName))?.groups?.["number"] ?? 0);
}

/** The days that a name such as `Content 2026-09-01_2026-09-30 Mira.zip` states. */
export function windowIn(name: string): { readonly from: string; readonly to: string } | undefined {
  const found = WINDOW.exec(name)?.groups;
  const [from, to] = [found?.["from"], found?.["to"]];
  if (from === undefined || to === undefined || from > to) return undefined;
  return [from, to].every(isDay) ? { from, to } : undefined;
}

/** Whether the calendar has it, in the years that files may have. */
function isDay(text: string): boolean {
  const time = Date.parse(text);
  if (Number.isNaN(time) || text < "1900" || text > "2101") return false;
  return new Date(time).toISOString().startsWith(text);
}

/** A file name without signs that some system forbids, end a line or turn text, at most 200 bytes; its end, which tells a timeline, stays. */
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

function stemOf(fileName: string): string {
  return fileName.normalize("NFC").replace(/\.(?:csv|tsv|txt)$/iu, "");
}
