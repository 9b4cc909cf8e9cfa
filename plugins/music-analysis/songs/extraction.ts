import { columnOf, contentBlocks, headerKey, type ContentTable } from "./markdown.ts";
import { mergeEntries, songEntry, songIdFrom, type SongEntry } from "./mapping.ts";
import { titleSpans } from "./marked-names.ts";

/** Headers that say a column holds song names, the surest first (docs/music-analysis.md, Reading songs rule 2). */
export const NAME_HEADERS: readonly string[] = (
  "歌曲名 歌曲名称 歌名 歌曲 单曲名 单曲名称 单曲 song songname song_name songtitle track trackname tracktitle " +
  "作品名 作品名称 作品 title name"
).split(" ");
const ID_HEADERS: readonly string[] = ["songid", "song_id", "歌曲id", "id", "编号"];
const VERSION_HEADERS: readonly string[] = ["版本", "version"];

const ID_LABEL =
  /(?<![\p{Script=Latin}\p{N}_])(song[\s_-]?id|歌曲\s?(?:id|编号)|id|编号)\s*(?:[:：=]|为|是|\s)\s*([0-9]+)(?![\p{Script=Latin}\p{N}_]|[.,，][0-9])/giu;
const NOTE_BEHIND = /^ ?[(（]([^()（）:：=0-9]{1,20})[)）]/u;
const FOREIGN_OWNER =
  /(?:账号|帐号|账户|用户|艺人|歌手|音乐人|专辑|会话|消息|account|user|artist|album|session|message|playlist)\s*$/iu;
const SENTENCE_END = /[。！？!?；;]/u;

/**
 * The songs of an overall answer with their ids, in order of appearance, by the rules of docs/music-analysis.md, Reading songs.
 * To be given the raw content, before the keyword filter (rule 7). Never throws, and never guesses an id.
 */
export function extractSongs(content: string): readonly SongEntry[] {
  const entries = contentBlocks(content).flatMap((block) =>
    block.kind === "table" ? tableEntries(block) : textEntries(block.text),
  );
  return mergeEntries(entries);
}

/**
 * The name of a cell or piece of text as it is shown: where it is one marked title with mere decoration around
 * it (🥇《海盐》), the title alone.
 */
export function shownName(cell: string): string {
  const text = cell.replace(/\s+/gu, " ").trim();
  const [only, second] = titleSpans(text);
  if (only === undefined || second !== undefined) return text;
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

function tableEntries({ header, rows }: ContentTable): readonly SongEntry[] {
  const name = nameColumn(header);
  const id = idColumn(header);
  if (name === -1 || id === -1) return rows.flatMap((row) => textEntries(row.join(" ")));
  const version = columnOf(header, VERSION_HEADERS);
  return rows.flatMap((row) => {
    const songId = songIdFrom(row[id] ?? "");
    const entry =
      songId === undefined ? undefined : songEntry(shownName(row[name] ?? ""), songId, row[version]);
    return entry === undefined ? [] : [entry];
  });
}

/** A name in title marks takes the first id that follows it before the next name (rule 3). */
function textEntries(text: string): readonly SongEntry[] {
  const titles = titleSpans(text);
  return titles.flatMap((title, place) => {
    const behind = text.slice(title.end, titles[place + 1]?.start ?? text.length).replace(/\s+/gu, " ");
    const songId = labelledId(behind);
    const [, version] = NOTE_BEHIND.exec(behind) ?? [];
    const name = text.slice(title.start, title.end);
    const entry = songId === undefined ? undefined : songEntry(name, songId, version);
    return entry === undefined ? [] : [entry];
  });
}

/** The first id of a song: a bare "id" counts only within the name's sentence, and never somebody else's. */
function labelledId(text: string): number | undefined {
  for (const match of text.matchAll(ID_LABEL)) {
    const before = text.slice(0, match.index);
    const bare = /^(?:id|编号)$/iu.test(match[1] ?? "");
    if (bare && (FOREIGN_OWNER.test(before.slice(-24)) || SENTENCE_END.test(before))) continue;
    return songIdFrom(match[2] ?? "");
  }
  return undefined;
}
