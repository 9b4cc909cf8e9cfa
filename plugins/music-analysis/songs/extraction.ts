import { simplified } from "skillctl";
import { mergeEntries, songEntry, songIdFrom, type SongEntry } from "./song.ts";
import { titleSpans } from "./fold.ts";
import words from "./words.json" with { type: "json" };

/** A table in a content, cells as plain text. */
export interface ContentTable {
  readonly kind: "table";
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A heading, a paragraph or an entire item of an outermost list, as plain text. */
export interface ContentText {
  readonly kind: "heading" | "paragraph" | "item";
  readonly text: string;
  /** The number an ordered list gives the item. */
  readonly number?: number;
  /** The words in bold, in order. */
  readonly bold: readonly string[];
}

export type ContentBlock = ContentTable | ContentText;

/** A paragraph or item that later lines may continue. */
interface OpenText {
  readonly lines: string[];
  /** The indentation of an item's text; undefined for a paragraph. */
  readonly width?: number;
  readonly number?: number;
}

const FENCE = /^\s*(`{3,}(?=[^`]*$)|~{3,})/u;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]+|$)/u;
const RULE = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|=+[ \t]*)$/u;
const ITEM = /^(\s*)([-*+]|(\d{1,9})[.)])(\s+|$)([^]*)/u;
const QUOTES = /^(?: {0,3}> ?)+/u;
const DELIMITER = /^:?-+:?$/u;

/** The most lines of a content that are searched for songs, a thousand times those of the longest answer. */
const MOST_LINES = 200_000;

/**
 * Splits a Markdown content into blocks for the search for songs, in document order: without emphasis, links,
 * addresses, tags, fenced code and images, and with escapes decoded (docs/music-analysis.md, Reading songs 1 and 4).
 * Works line by line in linear time. Never throws.
 */
export function contentBlocks(content: string): readonly ContentBlock[] {
  const blocks: ContentBlock[] = [];
  let open: OpenText | undefined;
  const begin = (next?: OpenText): void => {
    if (open) blocks.push(textOf(open));
    open = next;
  };
  const lines = content
    .replace(/^\uFEFF/u, "")
    .split(/\r\n|\n|\r/u, MOST_LINES)
    .map((line) => line.replace(QUOTES, ""));
  let isAfterBlank = false;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const isBlank = line.trim() === "";
    const isInside = open?.width !== undefined && indentOf(line) >= open.width;
    const [, fence] = FENCE.exec(line) ?? [];
    if (fence !== undefined) at = fenceEnd(lines, at, fence);
    else if (isBlank && open?.width === undefined) begin();
    else if (isBlank) open?.lines.push("");
    else if (HEADING.test(line) && !isInside) {
      begin();
      blocks.push({
        kind: "heading",
        text: inlineWords(line.replace(HEADING, "").replace(/\s#+\s*$/u, "")),
        bold: [],
      });
    } else if (RULE.test(line) && !isInside) begin();
    else if (isTable(line, lines[at + 1]) && !isInside) {
      begin();
      const end = tableEnd(lines, at + 2);
      const [header = [], ...rows] = [line, ...lines.slice(at + 2, end)].map(cellsOf);
      blocks.push({ kind: "table", header, rows });
      at = end - 1;
    } else if (ITEM.test(line) && !isInside) begin(itemOf(line));
    else if (open && (isInside || !isAfterBlank)) open.lines.push(line.trim());
    else begin({ lines: [line.trim()] });
    isAfterBlank = isBlank;
  }
  begin();
  return blocks;
}

/** A header for comparison: without spaces, case, width and script (docs/music-analysis.md, Reading songs 2). */
export function headerKey(header: string): string {
  return simplified(header.normalize("NFKC").toLowerCase().replace(/\s+/gu, ""));
}

/** The first column whose header is in a list; earlier entries of the list take precedence. -1 if there is none. */
export function columnOf(header: readonly string[], names: readonly string[]): number {
  const keys = header.map(headerKey);
  const name = names.find((candidate) => keys.includes(candidate));
  return name === undefined ? -1 : keys.indexOf(name);
}

function itemOf(line: string): OpenText {
  const [, indent = "", marker = "", digits, gap = "", words = ""] = ITEM.exec(line) ?? [];
  const width = indent.length + marker.length + Math.min(Math.max(1, gap.length), 4);
  return { lines: [words], width, ...(digits !== undefined && { number: Number(digits) }) };
}

function textOf({ lines, width, number }: OpenText): ContentText {
  const written = lines.join("\n");
  const text = inlineWords(written);
  const bold = written.includes("**")
    ? [...written.matchAll(BOLD)].map(([, words = ""]) => inlineWords(words))
    : [];
  const kind = width === undefined ? "paragraph" : "item";
  return { kind, text, bold, ...(number !== undefined && { number }) };
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function isTable(line: string, next = ""): boolean {
  if (!line.includes("|")) return false;
  const delimiters = barredOf(next);
  return (
    delimiters.every((cell) => DELIMITER.test(cell.trim())) && barredOf(line).length === delimiters.length
  );
}

/** The line after a table whose rows start at line `at`. */
function tableEnd(lines: readonly string[], at: number): number {
  const isRow = (line: string): boolean =>
    line.trim() !== "" &&
    !HEADING.test(line) &&
    !FENCE.test(line) &&
    (!ITEM.test(line) || line.includes("|"));
  let end = at;
  while (end < lines.length && isRow(lines[end] ?? "")) end += 1;
  return end;
}

/** A table has no more columns; further cells of a row are ignored. */
const MOST_COLUMNS = 1_000;

/** The texts between unescaped bars; the first and the last bar are optional. */
function cellsOf(row: string): readonly string[] {
  return barredOf(row).map((cell) => inlineWords(cell.replaceAll("\\|", "|")));
}

function barredOf(row: string): readonly string[] {
  const bare = row
    .trim()
    .replace(/^\|/u, "")
    .replace(/(?<!\\)\|$/u, "");
  return bare.split(/(?<!\\)\|/u, MOST_COLUMNS);
}

/** The last line of a fenced block; a block that is never closed extends to the end. */
function fenceEnd(lines: readonly string[], at: number, fence: string): number {
  const closes = (line: string): boolean =>
    line.startsWith(fence) && line === fence.charAt(0).repeat(line.length);
  let end = at + 1;
  while (end < lines.length && !closes(lines[end]?.trim() ?? "")) end += 1;
  return end;
}

/** Markup in a text: escapes, code, links and images, tags and comments, character references. */
const TOKEN =
  /\\([!-/:-@[-`{-~]|\n)|(?<!`)(`{1,3})(?!`)(.{1,1000}?)(?<!`)\2(?!`)|!?\[((?:[^[\]\\\n]|\\.){0,2000})\](?:\((?:[^()\s]|\([^()\s]*\)){0,4000}(?:\s+["'][^"'\n]*["'])?\)|\[[^[\]\n]{0,200}\])|<\/?[a-z][^<>]{0,4000}>|<!--[^<]{0,300}?-->|&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8});/gisu;
/** A text without any of these characters has no markup. */
const MARKED = /[\\`![<&*_]|:\/\//u;
/** Markup in longer texts is not read, in UTF-16 units: no list of songs is a single block of that size. */
const LONGEST_MARKED = 262_144;
/** Stars or underscores around words; underscores inside a word stay. */
const EMPHASIS =
  /(?<!\*)(\*{1,3})(?=[^\s*])([^*]{0,1000}[^\s*])\1(?!\*)|(?<![\p{L}\p{N}_])(_{1,3})(?=[^\s_])([^_]{0,1000}[^\s_])\3(?![\p{L}\p{N}_])/gu;
const BOLD = /(?<!\*)\*\*(?=[^\s*])([^*\n]{1,200})\*\*(?!\*)/gu;
const ADDRESS = /\b(?:https?|ftp):\/\/[^\s<>《》（）]+/giu;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  middot: "·",
  hellip: "…",
  mdash: "—",
  ndash: "–",
};

/**
 * The plain text of a block: escapes and character references decoded; emphasis, code marks, links, tags, images and
 * addresses removed.
 */
function inlineWords(text: string): string {
  if (text.length > LONGEST_MARKED || !MARKED.test(text)) return text.trim();
  const words = text.replace(
    TOKEN,
    (token, escape?: string, _ticks?: string, code?: string, link?: string) => {
      // Literal asterisks and underscores are hidden while emphasis is read.
      const literal = escape ?? code;
      if (literal !== undefined) return literal.replaceAll("*", "\u0001").replaceAll("_", "\u0002");
      if (token.startsWith("!")) return "";
      if (link !== undefined) return inlineWords(link);
      if (token.startsWith("<")) return token.includes("://") ? token.slice(1, -1) : " ";
      return characterOf(token);
    },
  );
  const plain = words.replace(EMPHASIS, "$2$4").replace(EMPHASIS, "$2$4").replace(ADDRESS, " ");
  return plain.replaceAll("\u0001", "*").replaceAll("\u0002", "_").trim();
}

/** The character for the name or number of a character reference. */
function characterOf(token: string): string {
  const [, base, digits] = /^&#(x?)([0-9a-f]+);$/iu.exec(token) ?? [];
  if (digits === undefined) return ENTITIES[token.slice(1, -1)] ?? token;
  const code = Number.parseInt(digits, base === "" ? 10 : 16);
  return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : token;
}

/** The words of a line in songs/words.json, the most reliable first. */
export const headersOf = (lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) => line.split(" "));
const NAME_HEADERS = headersOf(words.headers.name);
const ID_HEADERS = headersOf(words.headers.id);
/** Headers of columns that distinguish songs with the same name, in display order. Columns of figures are never used. */
const VERSION_HEADERS = words.headers.version.map((line) => line.split(" "));

const ID_LABEL =
  /(?<![\p{Script=Latin}\p{N}_])(song[\s_-]?id|歌曲\s?(?:id|编号)|id|编号)(?:\s*[:：=为是]\s*|\s+)([0-9]+)(?![\p{Script=Latin}\p{N}_]|[.,，][0-9])/giu;
/** A label before a name: `歌曲：海盐`. */
const LABEL_BEFORE_NAME = new RegExp(`^(?:${NAME_HEADERS.join("|")})\\s?[:：]\\s?`, "iu");
/** Marks before a name: a bullet, a list number, a medal. */
const LIST_MARK = /^(?:\d{1,4}[.．、)）]|[^\p{L}\p{N}《〈"“'‘(（[【])\s*/u;
/** A bracket or, after a label, another character between a name and the label of its id. */
const BRACKET_BEFORE = /\s?[(（[【]\s?$/u;
const SIGN_BEFORE = /\s?[(（[【,，;；|·–—-]\s?$/u;
const BRACKET_AFTER = /^\s?[)）\]】]/u;
/** Characters that end a clause: a text with one of them is a statement, not a name. */
const CLAUSE_END = /[:：。！？!?；;\n]/u;
const NOTE_BEHIND = /^ ?[(（]([^()（）:：=0-9]{1,20})[)）]/u;
/** "songId 13, 2026-05-22, TWA452600010": the release day and the ISRC after the id. */
const NOTES_BEHIND_ID =
  /^ ?songId \d{1,16}((?:(?:、|, )(?:\d{4}-\d\d-\d\d|[A-Z]{2}[A-Z\d]{3}\d{7})(?![\p{L}\d]))+)/u;
/** The length of a label that does not name the owner of the id: id, 编号. */
const BARE_LABEL = 2;
/** The number of characters before a label that are searched for another owner. */
const MOST_OWNER = 24;
const FOREIGN_OWNER =
  /(?:账号|帐号|账户|用户|艺人|歌手|音乐人|专辑|会话|消息|account|user|artist|album|session|message|playlist)\s*$/iu;
const SENTENCE_END = /[。！？!?；;]/u;

/**
 * The songs of an overall answer with their ids, in order of appearance, by the rules of docs/music-analysis.md, Reading songs.
 * Expects the raw content, before the keyword filter (rule 7). Never throws, and never guesses an id.
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
 * The displayed name in a cell or piece of text: if it is a single marked title with decoration around it (🥇《海盐》),
 * only the title.
 */
export function shownName(cell: string): string {
  const text = singleSpaced(cell).trim();
  if (!hasTitleMark(text)) return text;
  const [only, second] = titleSpans(text);
  if (only === undefined || second !== undefined || only.end - only.start === text.length) return text;
  const around = text.slice(0, only.start) + text.slice(only.end);
  return /[\p{L}\p{N}]/u.test(around) ? text : text.slice(only.start, only.end);
}

/** The column of song names, whose header may be followed by a note in brackets; -1 if there is none. */
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
  const isRank = header[id] !== undefined && headerKey(header[id]) === "编号" && areRowNumbers(rows, id);
  for (const row of rows) {
    if (name === -1) addTextEntries(row.join(" "), entries);
    else if (id === -1 || isRank) {
      if (!addUnmarkedEntry(row[name] ?? "", entries)) addTextEntries(row.join(" "), entries);
    } else {
      const version = versions.map((column) => row[column]?.trim() ?? "").filter((note) => note !== "");
      addEntry(shownName(row[name] ?? ""), songIdFrom(row[id] ?? ""), version.join("，"), entries);
    }
  }
}

/** Whether a column counts the rows: 1, 2, 3 and so on. */
function areRowNumbers(rows: ContentTable["rows"], column: number): boolean {
  return rows.every((row, place) => (row[column] ?? "").trim() === String(place + 1));
}

/**
 * Names without title marks (rule 3): lines such as `海盐（songId：102）`, `歌曲：海盐，songId：102`, or `歌曲：海盐` with the
 * id on the next line.
 */
function addUnmarkedEntries(text: string, entries: SongEntry[]): void {
  let labelled: string | undefined;
  for (const line of text.split("\n")) {
    const bare = line.trim().replace(LIST_MARK, "");
    if (addUnmarkedEntry(bare, entries)) labelled = undefined;
    else if (LABEL_BEFORE_NAME.test(bare)) labelled = bare.replace(LABEL_BEFORE_NAME, "");
    else if (labelled !== undefined && idIn(bare)?.before === "") {
      addEntry(labelled, idIn(bare)?.songId, undefined, entries);
      labelled = undefined;
    }
  }
}

/** Adds the song of a line or cell that starts with its name, followed by the id in brackets; returns whether it did. */
function addUnmarkedEntry(text: string, entries: SongEntry[]): boolean {
  const found = idIn(text);
  if (found === undefined) return false;
  const isLabelled = LABEL_BEFORE_NAME.test(found.before);
  const sign = isLabelled ? SIGN_BEFORE : BRACKET_BEFORE;
  if (!sign.test(found.before)) return false;
  if (/[(（[【]\s?$/u.test(found.before) && !BRACKET_AFTER.test(found.after)) return false;
  const name = found.before.replace(sign, "").replace(LABEL_BEFORE_NAME, "").trim();
  if (name === "" || CLAUSE_END.test(name) || FOREIGN_OWNER.test(name)) return false;
  addEntry(name, found.songId, undefined, entries);
  return true;
}

/** The first id in a text with its label: the text before the label and after the digits. */
function idIn(
  text: string,
): { readonly before: string; readonly after: string; readonly songId: number | undefined } | undefined {
  ID_LABEL.lastIndex = 0;
  const match = ID_LABEL.exec(text);
  if (match === null) return undefined;
  const { 0: whole, index } = match;
  return {
    before: text.slice(0, index),
    after: text.slice(index + whole.length),
    songId: songIdFrom(match[2] ?? ""),
  };
}

/** A name in title marks takes the first id that follows it before the next name (rule 3). */
function addTextEntries(text: string, entries: SongEntry[]): void {
  if (!hasTitleMark(text)) return addUnmarkedEntries(text, entries);
  const titles = titleSpans(text);
  for (const [place, { start, end }] of titles.entries()) {
    const behind = singleSpaced(text.slice(end, titles[place + 1]?.start ?? text.length));
    const [, version] = (/^ ?[(（]/u.test(behind) ? NOTE_BEHIND : NOTES_BEHIND_ID).exec(behind) ?? [];
    const notes = version?.replace(/^(?:、|, )/u, "").replaceAll(/、|, /gu, "，");
    addEntry(text.slice(start, end), labelledId(behind), notes, entries);
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

/** The text after the name at the start of an item: its id, a figure, or a sign before a remark. */
const AFTER_NAME =
  /(?:[:：|，,\t]|\s[-–—]\s|[(（[【]\s?(?:\d|播放|plays|streams|song[\s_-]?id|歌曲|id|编号))/iu;

/** The name at the start of an item in a list of songs, without its marks; undefined for a statement. */
export function itemName(text: string): string | undefined {
  const line = (text.split("\n", 1)[0] ?? "").replace(LIST_MARK, "").replace(LABEL_BEFORE_NAME, "");
  const name = line.slice(0, AFTER_NAME.exec(line)?.index).trim();
  return name === "" || CLAUSE_END.test(name) ? undefined : name;
}

/** Whether a text starts with a name that is followed by its id. */
export function hasSongId(text: string): boolean {
  return addUnmarkedEntry((text.split("\n", 1)[0] ?? "").replace(LIST_MARK, ""), []);
}

function hasTitleMark(text: string): boolean {
  return text.includes("《") || text.includes("〈");
}

/** The first id of a song. A bare "id" only counts within the name's sentence, and never if it has another owner. */
function labelledId(text: string): number | undefined {
  /** The position up to which the name's sentence has been searched; -1 once it has ended. */
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
