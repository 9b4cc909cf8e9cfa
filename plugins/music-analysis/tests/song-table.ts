import { withHint } from "../answer/presentation.ts";
import { readChoiceReply } from "../songs/choice-reply.ts";
import { extractSongs } from "../songs/extraction.ts";
import { readQuestion } from "../songs/question.ts";
import { songEntry, type SongEntry } from "../songs/song.ts";
import { classify } from "../songs/tier.ts";
import { bareName } from "../songs/fold.ts";
import manifest from "../../../skills/music-analysis/skill.json" with { type: "json" };
import table from "./song-table.json" with { type: "json" };

/** A name and its id. */
type SongPair = readonly [name: string, id: number];

/** What a question comes to; `ids` of tier A where it names several songs, `name` as the fixed line shows it. */
type Expected =
  | { readonly kind: "account" | "which" }
  | { readonly tier: "A"; readonly id: number }
  | { readonly tier: "A"; readonly ids: readonly number[] }
  | { readonly tier: "B"; readonly ids: readonly number[] }
  | { readonly tier: "C"; readonly name: string };

export interface ResolutionCase {
  readonly question: string;
  readonly songs: readonly SongPair[];
  /** The song in focus. */
  readonly focus?: SongPair;
  readonly expected: Expected;
  readonly why: string;
}

interface ConfirmationCase {
  readonly answer: string;
  readonly candidates: readonly SongPair[];
  /** The rest of the mapping. */
  readonly alsoKnown?: readonly SongPair[];
  readonly expected:
    | { readonly kind: "chosen"; readonly id: number }
    | { readonly kind: "none" | "new-question" | "vague" };
  readonly why: string;
}

interface ExtractionCase {
  readonly content: string;
  /** Names without the marks that wrap them. */
  readonly expected: readonly SongPair[];
  readonly why: string;
}

interface TopSongCase {
  readonly content: string;
  /** The words of the hint line between 分析歌曲 and 的表现. */
  readonly expected: string;
  readonly why: string;
}

/** One group of `song-table.json`. */
type Group = { readonly name: string } & (
  | { readonly kind: "resolution"; readonly cases: readonly ResolutionCase[] }
  | { readonly kind: "confirmation"; readonly cases: readonly ConfirmationCase[] }
  | { readonly kind: "extraction"; readonly cases: readonly ExtractionCase[] }
  | { readonly kind: "top-song"; readonly cases: readonly TopSongCase[] }
);

/** The published table. The compiler reads its pairs as plain arrays, hence the long way round. */
export const GROUPS = table as unknown as readonly Group[];

/** The way from a question to a tier: what `ask` does, without a service (spec, States and transitions 1 to 3). */
export function resolution({ question, songs, focus }: Omit<ResolutionCase, "expected" | "why">): Expected {
  const known = entries(songs);
  const read = readQuestion(question, known, focus !== undefined);
  if (read.kind === "focus") return { tier: "A", id: focus?.[1] ?? 0 };
  if (read.kind !== "song") return { kind: read.kind };
  const ids: number[] = [];
  for (const name of read.names) {
    const tier = classify(name, known);
    if (tier.tier === "B") return { tier: "B", ids: tier.candidates.map(({ songId }) => songId) };
    if (tier.tier === "C") return { tier: "C", name };
    ids.push(tier.entry.songId);
  }
  const [id, another] = ids;
  return id !== undefined && another === undefined ? { tier: "A", id } : { tier: "A", ids };
}

/** What an answer to the question of tier B means. */
export function confirmation(asked: ConfirmationCase): ConfirmationCase["expected"] {
  const candidates = entries(asked.candidates);
  const songs = [...candidates, ...entries(asked.alsoKnown ?? [])];
  const reply = readChoiceReply(asked.answer, candidates, songs);
  return reply.kind === "chosen" ? { kind: "chosen", id: reply.entry.songId } : reply;
}

/** The songs of an overall answer. */
export function extraction({ content }: ExtractionCase): readonly SongPair[] {
  return extractSongs(content).map(({ name, songId }) => [bareName(name), songId]);
}

/** The name in the hint line of an account-wide answer. */
export function hintName({ content }: TopSongCase): string {
  const [before = "", after = ""] = manifest.texts["account-hint"].text.split("《{TOP_SONG_NAME}》");
  const line = withHint(content).slice(content.length);
  return line.trimStart().slice(before.length, -after.length);
}

function entries(songs: readonly SongPair[]): readonly SongEntry[] {
  return songs.map(([name, id]) => {
    const entry = songEntry(name, id);
    if (entry === undefined) throw new Error(`No song: ${name} ${id}`);
    return entry;
  });
}
