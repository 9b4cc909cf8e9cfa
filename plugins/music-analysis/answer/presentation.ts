import { createHash } from "node:crypto";
import { inertMarkdown, inject, injectable, token, type Language } from "skillctl";
import type { AskOutput } from "../contract.ts";
import type { ReplyData } from "../client.ts";
import { LONGEST_NAME, listedNames, type SongEntry } from "../songs/song.ts";
import { bareName, withSongName, titleSpans, type MarkedSpan } from "../songs/fold.ts";
import words from "../songs/words.json" with { type: "json" };
import { sentence, text } from "../texts.ts";
import { PRODUCT_NAMES, type ProductNames } from "./product-names.ts";
import {
  columnOf,
  contentBlocks,
  hasSongId,
  headerKey,
  headersOf,
  idColumn,
  itemName,
  nameColumn,
  shownName,
  type ContentBlock,
  type ContentTable,
  type ContentText,
} from "../songs/extraction.ts";

/** A song of the content with its rank. */
interface RankedSong {
  readonly name: string;
  readonly plays?: number;
  readonly first?: boolean;
}

const UNITS: ReadonlyMap<string, number> = new Map(Object.entries(words.multiples));
/** A number of plays; longer numbers are not. */
const NUMBER =
  "(?<![0-9])([0-9]{1,3}(?:,[0-9]{3}){1,6}|[0-9]{1,20})(?![0-9])(\\.[0-9]{1,20}(?![0-9]))?\\s?(百万|千万|千|万|萬|亿|億|[kwmb](?![a-z]))?";
const WHOLE = new RegExp(
  `^(?:约|近|超过|超|[~≈>])?\\s?${NUMBER}\\s?\\+?\\s?(?:次播放|次|plays|streams)?$`,
  "u",
);
const LABELLED = new RegExp(
  `(?:(?:播放量|播放次数|播放数|播放|plays|streams)[\\s:=为达到共约近超(]{0,6}${NUMBER}(?![0-9.,]{0,50}[%％0-9])|${NUMBER}\\s?\\+?\\s?(?:次播放|次的播放|plays|streams|播放(?![量次数])))`,
  "u",
);

const PLAYS = headersOf([...words.headers.totalPlays, ...words.headers.plays]);
const WINDOW_PLAYS = /^(?:最?近?\d+[天日]|本周|本月|上周|上月|昨日|今日)的?播放(?:量|次数|数)?$/u;
const RANK_HEADERS = headersOf(words.headers.rank);
const FIRST_RANK = /^(?:(?:no\.?|top|#|第)?\s?0?1(?:st)?名?|第?一名?|🥇|冠军)$/iu;
const SIGNATURE = "(?:代表作|主打歌)";
const SIGNATURE_BEFORE = new RegExp(`${SIGNATURE}[^《》。！？!?\\n]{0,10}$`, "u");
const SIGNATURE_AFTER = new RegExp(`^[^《》。！？!?，,；;\\n]{0,10}${SIGNATURE}(?!\\s?[:：]?\\s?《)`, "u");
const HOT_HEADING =
  /热门歌曲|热歌|歌曲\s*top|单曲播放|歌曲排行|单曲排行|top\s*(?:songs|tracks)|hot\s*songs/iu;
/** Words next to a title that belongs to something other than a song. */
const OWNER_BEFORE = /(?:专辑|歌单|合集|\b(?:album|playlist|ep))\s*$/iu;
const OWNER_AFTER = /^\s*(?:这张|这个)?(?:专辑|歌单|合集|(?:album|playlist|ep)\b)/iu;
/** A text that contains no name, or no longer does after the keyword filter. */
const NOTHING = /^[\s\p{Pd}\p{Ps}\p{Pe}/.…·]*$/u;
const SONG_HEADING = /歌|单曲|作品|song|track/iu;

/**
 * The song for the hint line, as named in the content: that with the most plays; otherwise rank 1; otherwise that called
 * 代表作 or 主打歌; otherwise that in the title or the opening (docs/music-analysis.md, Reading songs; spec, Presentation rule
 * 3). Undefined otherwise: a song is never invented. Expects the content as shown, after the keyword filter.
 */
function topSong(content: string): string | undefined {
  const blocks = contentBlocks(content);
  let heading = "";
  const ranked = blocks.flatMap((block) => {
    const isHeading = block.kind === "heading" || (block.kind === "paragraph" && /[:：]$/u.test(block.text));
    if (isHeading) heading = block.text;
    return rankedSongs(block, heading);
  });
  return (
    mostPlayed(ranked) ?? ranked.find(({ first }) => first)?.name ?? signature(blocks) ?? opening(blocks)
  );
}

function mostPlayed(ranked: readonly RankedSong[]): string | undefined {
  let top: RankedSong | undefined;
  for (const song of ranked) if (song.plays !== undefined && song.plays > (top?.plays ?? -1)) top = song;
  return top?.name;
}

function rankedSongs(block: ContentBlock, heading: string): readonly RankedSong[] {
  if (block.kind === "table") return tableSongs(block, heading);
  const named = titles(block.text);
  const isListed = block.kind === "item" && HOT_HEADING.test(heading);
  const leads = isListed && block.number === 1;
  if (named.length === 0) return plainSong(block, isListed, leads);
  return named.map(({ start, end }, place) => {
    const plays = playsIn(block.text.slice(end, named[place + 1]?.start ?? block.text.length));
    const name = block.text.slice(start, end);
    return { name, ...(plays === undefined ? {} : { plays }), first: leads && place === 0 };
  });
}

/** The song in an item or statement without title marks, if its id, the heading or adjacent words identify it as a song. */
function plainSong({ text, bold }: ContentText, isListed: boolean, first: boolean): readonly RankedSong[] {
  const isItem = (isListed && bold.length < 2) || hasSongId(text);
  const name = isItem ? itemName(text) : bold.find((words) => isCalledSong(text, words));
  if (name === undefined || isEmpty(name) || name.length > LONGEST_NAME) return [];
  const plays = playsIn(text.slice(text.indexOf(name) + name.length));
  const leads = first || (!isItem && MOST.test(text));
  return [{ name, ...(plays === undefined ? {} : { plays }), first: leads }];
}

const MOST = /最高|最多|第一|冠军|most[\s-](?:played|streamed|popular)|\btop\b/iu;
const CALLED_BEFORE = /(?:歌曲|单曲|作品|song|track)\s?(?:是|为|：|:|is)?\s?$/iu;
const CALLED_AFTER = /^\s?(?:是|为|is)[^。！？!?，,；;\n]{0,30}(?:歌曲|单曲|作品|song|track)/iu;

function isCalledSong(text: string, words: string): boolean {
  const start = text.indexOf(words);
  const end = start + words.length;
  return (
    start >= 0 &&
    (CALLED_BEFORE.test(text.slice(Math.max(0, start - 20), start)) ||
      CALLED_AFTER.test(text.slice(end, end + 60)))
  );
}

function tableSongs({ header, rows }: ContentTable, heading: string): readonly RankedSong[] {
  const name = nameColumn(header);
  if (name === -1) return [];
  const plays = playsColumn(header);
  const rank = columnOf(header, RANK_HEADERS);
  const sure = !/^(?:name|title|作品)$/u.test(headerKey(header[name] ?? "")) || idColumn(header) !== -1;
  return rows.flatMap((row) => {
    const shown = shownName(row[name] ?? "");
    if (isEmpty(shown) || shown.length > LONGEST_NAME) return [];
    if (!sure && !SONG_HEADING.test(heading) && titles(shown).length === 0) return [];
    const count = parsePlays(row[plays] ?? "");
    const first = FIRST_RANK.test((row[rank] ?? "").trim());
    return [{ name: shown, ...(count === undefined ? {} : { plays: count }), first }];
  });
}

/** The column of total plays is preferred to that of a window; a change or a share is not a number of plays. */
function playsColumn(header: readonly string[]): number {
  const bare = header.map((cell) => headerKey(cell).replace(/\(次?\)$/u, ""));
  const named = columnOf(bare, PLAYS);
  return named === -1 ? bare.findIndex((cell) => WINDOW_PLAYS.test(cell)) : named;
}

function signature(blocks: readonly ContentBlock[]): string | undefined {
  for (const text of blocks.map((block) => (block.kind === "table" ? "" : block.text)))
    for (const { start, end } of titles(text))
      if (
        SIGNATURE_BEFORE.test(text.slice(Math.max(0, start - 20), start)) ||
        SIGNATURE_AFTER.test(text.slice(end))
      )
        return text.slice(start, end);
  return undefined;
}

/** The song in the first heading, otherwise in the first paragraph. */
function opening(blocks: readonly ContentBlock[]): string | undefined {
  for (const kind of ["heading", "paragraph"] as const) {
    const block = blocks.find((each) => each.kind === kind);
    const text = block === undefined || block.kind === "table" ? "" : block.text;
    const [title] = titles(text);
    if (title !== undefined) return text.slice(title.start, title.end);
  }
  return undefined;
}

/** Titles that are not empty after the keyword filter. */
function titles(text: string): readonly MarkedSpan[] {
  return titleSpans(text).filter(
    ({ start, end, inner }) =>
      !isEmpty(inner) &&
      end - start <= LONGEST_NAME &&
      !OWNER_BEFORE.test(text.slice(Math.max(0, start - 20), start)) &&
      !OWNER_AFTER.test(text.slice(end, end + 20)),
  );
}

function isEmpty(name: string): boolean {
  return NOTHING.test(name);
}

/**
 * A number of plays as written in a cell: `12,345`, `1.2万`, `3.4亿`, `12.3k`, `1.2M` (docs/music-analysis.md, Reading
 * songs). Undefined for shares, changes and any other text.
 */
function parsePlays(text: string): number | undefined {
  return value(WHOLE.exec(levelled(text))?.slice(1));
}

/** The first number in a sentence that is labelled as plays. */
function playsIn(text: string): number | undefined {
  const groups = LABELLED.exec(levelled(text))?.slice(1);
  return groups === undefined ? undefined : value(groups[0] === undefined ? groups.slice(3) : groups);
}

function levelled(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
}

function value(groups: readonly (string | undefined)[] | undefined): number | undefined {
  if (groups === undefined) return undefined;
  const [whole = "", fraction = "", unit = ""] = groups;
  const plays = Math.round(Number(whole.replaceAll(",", "") + fraction) * (UNITS.get(unit) ?? Number.NaN));
  return Number.isFinite(plays) ? plays : undefined;
}

export const PRESENTATION = token<Presentation>("presentation");

/** The limit of `ask-output`. A longer id is omitted from the answer. */
const MAX_ID_LENGTH = 500;

type Answer = AskOutput["answers"][number];
/** The outcome of a question about one song: an answer or an error. */
export type SongOutcome = { readonly entry: SongEntry } & (
  | { readonly data: ReplyData }
  | { readonly code: string; readonly message: string }
);
/** The output of `ask` without the count of requests. */
export type Display = Omit<AskOutput, "requests">;

/** Renders each kind of outcome for the user (specification, Presentation rules). */
@injectable()
export class Presentation {
  constructor(@inject(PRODUCT_NAMES) private readonly products: ProductNames) {}

  /** The unchanged content, a blank line, the hint line. */
  account(data: ReplyData): Display {
    const answer = this.#answer(data);
    const hint = withHint(answer.content).slice(answer.content.length);
    return { text: answer.content + this.products.without(hint), kind: "account", answers: [answer] };
  }

  /** The unchanged contents, in the order of the question; a missing one is replaced by the reason. */
  songs(outcomes: readonly SongOutcome[], language: Language): Display {
    const answers: Answer[] = [];
    const unanswered: NonNullable<AskOutput["unanswered"]>[number][] = [];
    const parts = outcomes.map((outcome) => {
      const name = this.products.without(outcome.entry.name);
      if ("data" in outcome) {
        const answer = this.#answer(outcome.data);
        answers.push({ ...answer, song: { name, songId: outcome.entry.songId } });
        return answer.content;
      }
      const { code, message } = outcome;
      unanswered.push({ name, code, message });
      return `${inertMarkdown(withSongName("《{NAME}》", "{NAME}", name))}${language === "zh" ? "：" : ": "}${message}`;
    });
    const shown = { text: parts.join("\n\n"), kind: "song" as const, answers };
    return unanswered.length === 0 ? shown : { ...shown, unanswered };
  }

  /** The question that asks which of several similar songs was meant. */
  choice(songName: string, candidates: readonly SongEntry[]): Display {
    const names = listedNames(candidates);
    const list = names.map((name, place) => `${place + 1}. ${name}`).join("\n");
    const [before = "", after = ""] = text("song-choice")
      .split("{CANDIDATES}")
      .map((part) => withSongName(part, "{USER_SONG_NAME}", songName));
    const labels = candidates.map(({ name }, place) => {
      const listed = names[place] ?? "";
      const note = listed.slice(withSongName("《{NAME}》", "{NAME}", name).length);
      return this.products.without(name + note);
    });
    return {
      text: this.products.shown(inertMarkdown(before + list + after)),
      kind: "choice",
      answers: [],
      candidates: labels,
    };
  }

  /** The question that asks which song is meant, if none is named. */
  which(language: Language): Display {
    return { text: sentence("which-song", language), kind: "choice", answers: [] };
  }

  /** Only the fixed line, with the name replaced (specification, Tier C rules 1). */
  unsupported(songName: string): Display {
    const name = bareName(this.products.shown(songName).trim() || text("unnamed-song"));
    const line = text("song-unsupported-line").replaceAll("{USER_SONG_NAME}", () => name);
    return { text: line, kind: "unsupported", answers: [] };
  }

  #answer({ content: raw, sessionId, messageId }: ReplyData): Answer {
    const content = this.products.shown(raw);
    return {
      content,
      contentSha256: sha256(content),
      ...(sessionId.length <= MAX_ID_LENGTH && { sessionId }),
      ...(messageId.length <= MAX_ID_LENGTH && { messageId }),
    };
  }
}

/** A content about the account with the hint line that names its top song (specification, Presentation rule 3). */
export function withHint(content: string): string {
  const name = topSong(content) ?? text("generic-song-name");
  const hint = withSongName(text("account-hint"), "{TOP_SONG_NAME}", inertMarkdown(name));
  return content + blankLineAfter(content) + hint;
}

/** SHA-256 of a text in UTF-8, hexadecimal. */
export function sha256(content: string): string {
  return createHash("sha256").update(content, "utf8").digest("hex");
}

/**
 * The line endings that produce one blank line after a content, of the same kind as in the content. The content itself
 * remains unchanged: a line of spaces at its end counts as the blank line, and nothing is added after blank lines.
 */
function blankLineAfter(content: string): string {
  const lines = content.split(/\r\n|\n|\r/u);
  // After a lone \r, a \n would form a single line ending with it.
  const lineEnd = content.endsWith("\r") ? "\r" : (/\r\n|\n|\r/u.exec(content)?.[0] ?? "\n");
  const last = lines.at(-1) ?? "";
  if (last.trim() !== "") return lineEnd + lineEnd;
  return last === "" && lines.at(-2)?.trim() === "" ? "" : lineEnd;
}
