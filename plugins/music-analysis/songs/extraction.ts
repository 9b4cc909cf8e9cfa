import { columnOf, contentBlocks, headerKey, type ContentTable } from "./content.ts";
import { mergeEntries, songEntry, songIdFrom, type SongEntry } from "./song.ts";
import { titleSpans } from "./title-marks.ts";

/** Headers that say a column holds song names, the surest first (docs/music-analysis.md, Reading songs rule 2). */
export const NAME_HEADERS: readonly string[] = (
  "歌曲名 歌曲名称 歌名 歌曲 单曲名 单曲名称 单曲 song songname song_name songtitle track trackname tracktitle " +
  "作品名 作品名称 作品 title name"
).split(" ");
const ID_HEADERS: readonly string[] = ["songid", "song_id", "歌曲id", "id", "编号"];
/** What tells songs of one name apart, in the order it is shown; never a figure. */
const VERSION_HEADERS: readonly (readonly string[])[] = [
  ["版本", "version"],
  ["专辑", "专辑名", "album"],
  ["艺人", "歌手", "artist"],
  ["发行日期", "发行时间", "发布日期", "上线日期", "上线时间", "releasedate", "released", "release_date"],
];

const ID_LABEL =
  /(?<![\p{Script=Latin}\p{N}_])(song[\s_-]?id|歌曲\s?(?:id|编号)|id|编号)\s*(?:[:：=]|为|是|\s)\s*([0-9]+)(?![\p{Script=Latin}\p{N}_]|[.,，][0-9])/giu;
const NOTE_BEHIND = /^ ?[(（]([^()（）:：=0-9]{1,20})[)）]/u;
/** Characters of a label that does not say whose id it is: id, 编号. */
const BARE_LABEL = 2;
/** Characters before a label in which somebody else may be named. */
const MOST_OWNER = 24;
const FOREIGN_OWNER =
  /(?:账号|帐号|账户|用户|艺人|歌手|音乐人|专辑|会话|消息|account|user|artist|album|session|message|playlist)\s*$/iu;
const SENTENCE_END = /[。！？!?；;]/u;

/**
 * The songs of an overall answer with their ids, in order of appearance, by the rules of docs/music-analysis.md, Reading songs.
 * To be given the raw content, before the keyword filter (rule 7). Never throws, and never guesses an id.
 */
export function extractSongs(content: string): readonly SongEntry[] {
  const entries: SongEntry[] = [];
  for (const block of contentBlocks(content)) {
    if (block.kind === "table") addTableEntries(block, entries);
    else addTextEntries(block.text, entries);
  }
  return mergeEntries(entries);
}

/**
 * The name of a cell or piece of text as it is shown: where it is one marked title with mere decoration around
 * it (🥇《海盐》), the title alone.
 */
export function shownName(cell: string): string {
  const text = singleSpaced(cell).trim();
  if (!hasTitleMark(text)) return text;
  const [only, second] = titleSpans(text);
  if (only === undefined || second !== undefined || only.end - only.start === text.length) return text;
  const around = text.slice(0, only.start) + text.slice(only.end);
  return /[\p{L}\p{N}]/u.test(around) ? text : text.slice(only.start, only.end);
}

/** The column of song names, a note in brackets after the header being allowed; -1 where there is none. */
export function nameColumn(header: readonly string[]): number {
  const exact = columnOf(header, NAME_HEADERS);
  return exact === -1
    ? columnOf(
        header.map((cell) => headerKey(cell).replace(/\([^()]*\)$/u, "")),
        NAME_HEADERS,
      )
    : exact;
}

/** The column of song ids; never a column of numbers without such a header (rule 2). */
export function idColumn(header: readonly string[]): number {
  return columnOf(header, ID_HEADERS);
}

function addTableEntries({ header, rows }: ContentTable, entries: SongEntry[]): void {
  const name = nameColumn(header);
  const id = idColumn(header);
  const versions = VERSION_HEADERS.map((names) => columnOf(header, names)).filter((column) => column !== -1);
  for (const row of rows) {
    if (name === -1 || id === -1) addTextEntries(row.join(" "), entries);
    else {
      const version = versions.map((column) => row[column]?.trim() ?? "").filter((note) => note !== "");
      addEntry(shownName(row[name] ?? ""), songIdFrom(row[id] ?? ""), version.join("，"), entries);
    }
  }
}

/** A name in title marks takes the first id that follows it before the next name (rule 3). */
function addTextEntries(text: string, entries: SongEntry[]): void {
  if (!hasTitleMark(text)) return;
  const titles = titleSpans(text);
  for (const [place, { start, end }] of titles.entries()) {
    const behind = singleSpaced(text.slice(end, titles[place + 1]?.start ?? text.length));
    const [, version] = /^ ?[(（]/u.test(behind) ? (NOTE_BEHIND.exec(behind) ?? []) : [];
    addEntry(text.slice(start, end), labelledId(behind), version, entries);
  }
}

function addEntry(
  name: string,
  songId: number | undefined,
  version: string | undefined,
  entries: SongEntry[],
): void {
  const entry = songId === undefined ? undefined : songEntry(name, songId, version);
  if (entry !== undefined) entries.push(entry);
}

function singleSpaced(text: string): string {
  return /\s\s|[^\S ]/u.test(text) ? text.replace(/\s+/gu, " ") : text;
}

function hasTitleMark(text: string): boolean {
  return text.includes("《") || text.includes("〈");
}

/** The first id of a song: a bare "id" counts only within the name's sentence, and never somebody else's. */
function labelledId(text: string): number | undefined {
  /** From where on the name's sentence was not looked through yet; -1 once it is over. */
  let sentence = 0;
  ID_LABEL.lastIndex = 0;
  for (let match = ID_LABEL.exec(text); match !== null; match = ID_LABEL.exec(text)) {
    const [, label = "", digits = ""] = match;
    const { index } = match;
    if (label.length > BARE_LABEL) return songIdFrom(digits);
    if (sentence !== -1) sentence = SENTENCE_END.test(text.slice(sentence, index)) ? -1 : index;
    const isOwn = sentence !== -1 && !FOREIGN_OWNER.test(text.slice(Math.max(0, index - MOST_OWNER), index));
    if (isOwn) return songIdFrom(digits);
  }
  return undefined;
}
