import type { Round } from "./asking.ts";
import { classify, type Tier } from "./songs/ladder.ts";
import { extractSongs } from "./songs/extraction.ts";
import type { SongEntry } from "./songs/mapping.ts";
import { readQuestion, type Question } from "./songs/question.ts";
import { songIndex, type SongIndex } from "./songs/song-index.ts";
import { text } from "./texts.ts";

/** What a question about songs comes to once they have been looked up. */
export type SongResolution =
  /** Every named song is one entry of the mapping. */
  | { readonly kind: "songs"; readonly entries: readonly SongEntry[] }
  /** The first song that is not exact has similar ones. */
  | { readonly kind: "choice"; readonly name: string; readonly candidates: readonly SongEntry[] }
  /** The first song that is not exact has none, or nothing says which song is meant. */
  | { readonly kind: "unsupported"; readonly name: string };

const NOTHING_KNOWN: SongIndex = songIndex([]);

/** Whether a question is about single songs, as far as its words alone tell. */
export function isAboutSongs(question: string): boolean {
  return read(question, NOTHING_KNOWN).kind !== "account";
}

/**
 * Resolves the songs of a question (specification, States and transitions 1 to 3; the order of two songs:
 * docs/music-analysis.md, Rulings). The mapping comes from one overall question that is never shown. A pointer alone
 * names no song, but a known name beside it does (海盐这首歌).
 */
export async function resolveSongs(
  question: string,
  round: Round,
): Promise<SongResolution | { readonly kind: "account" }> {
  const first = read(question, NOTHING_KNOWN);
  if (first.kind === "account") return { kind: "account" };
  const { content } = await round.answer({ userMessage: text("mapping-question") });
  return resolveAmong(question, content) ?? unnamed(first);
}

/**
 * The songs of a question among those of an overall answer; undefined when the question names none of them in any way.
 * So a known name without marks is found too, and no answer about the account is shown for it.
 */
export function resolveAmong(question: string, content: string): SongResolution | undefined {
  const index = songIndex(extractSongs(content));
  const found = read(question, index);
  return found.kind === "song" ? resolved(found.names, index) : undefined;
}

function unnamed(question: Question): SongResolution {
  const name = question.kind === "song" ? question.names[0] : undefined;
  return { kind: "unsupported", name: name ?? text("unnamed-song") };
}

function resolved(names: readonly string[], index: SongIndex): SongResolution {
  const tiers: readonly { readonly name: string; readonly found: Tier }[] = names.map((name) => ({
    name,
    found: classify(name, index),
  }));
  const entries: SongEntry[] = [];
  for (const { name, found } of tiers) {
    if (found.tier === "B") return { kind: "choice", name, candidates: found.candidates };
    if (found.tier === "C") return { kind: "unsupported", name };
    entries.push(found.entry);
  }
  return { kind: "songs", entries };
}

function read(question: string, index: SongIndex): Question {
  return readQuestion(question, { index, focused: false });
}
