import { SkillError } from "skillctl";
import type { Conversation } from "./conversation/conversation.ts";
import { QUESTIONS_A_DAY } from "./conversation/ledger.ts";
import { isSameAccount, learnt } from "./conversation/state.ts";
import type { Round } from "./round.ts";
import { extractSongs } from "./songs/extraction.ts";
import { keyA } from "./songs/keys.ts";
import { classify, type Tier } from "./songs/ladder.ts";
import { mergeEntries, type SongEntry } from "./songs/mapping.ts";
import { readQuestion, type Question } from "./songs/question.ts";
import { songIndex, type SongIndex } from "./songs/song-index.ts";
import { text } from "./texts.ts";
import type { Turn } from "./turn.ts";

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
  return readQuestion(question, { index: NOTHING_KNOWN, focused: false }).kind !== "account";
}

/**
 * Resolves the songs of a question (specification, States and transitions 1 to 3; the order of two songs:
 * docs/music-analysis.md, Rulings). What the conversation knows is used first; one overall question that is never shown
 * is asked when it knows nothing, or nothing of an overall answer and not this song.
 */
export async function resolveSongs(turn: Turn): Promise<SongResolution | { readonly kind: "account" }> {
  const { question, chosen, conversation, round } = turn;
  const { known, focus } = conversation;
  const index = indexOf(known?.songs, chosen);
  const asked = readQuestion(question, { index, focused: focus !== undefined });
  if (asked.kind === "account") return { kind: "account" };
  if (asked.kind !== "song" && focus) return { kind: "songs", entries: [focus] };
  const found = asked.kind === "song" ? resolved(asked.names, index, chosen) : undefined;
  if (found?.kind === "songs")
    return focus && besidesFocus(question)
      ? { kind: "songs", entries: mergeEntries([focus], found.entries) }
      : found;
  if (known?.source === "overall") return found ?? unnamed(asked);
  const { account } = round;
  await overallSongs(conversation, round);
  // What is known now is the account's that answered; another one's than before knows nothing of what was chosen.
  const own = isSameAccount(account, round.account) ? turn : { question, chosen: [] };
  return resolveAmong(own, conversation.known?.songs) ?? unnamed(asked);
}

/**
 * The songs of a question among known ones; undefined when the question names none of them in any way. So a known name
 * without marks is found too, and no answer about the account is shown for it.
 */
export function resolveAmong(
  { question, chosen }: Pick<Turn, "question" | "chosen">,
  songs: readonly SongEntry[] = [],
): SongResolution | undefined {
  const index = indexOf(songs, chosen);
  const found = readQuestion(question, { index, focused: false });
  return found.kind === "song" ? resolved(found.names, index, chosen) : undefined;
}

/** A chosen song is known, however long ago the others were read. */
function indexOf(songs: readonly SongEntry[] = [], chosen: Turn["chosen"]): SongIndex {
  return songIndex(
    mergeEntries(
      chosen.map(([, entry]) => entry),
      songs,
    ),
  );
}

/** Asks the one overall question whose answer is never shown, and learns its songs. */
export async function overallSongs(conversation: Conversation, round: Round): Promise<void> {
  await round.warn();
  const { content } = await round.answer({ userMessage: text("mapping-question") });
  await conversation.change(round.account, learnt(extractSongs(content), "overall", conversation.now()));
}

/** "It and 《海盐》": the song in focus is asked about too (docs/music-analysis.md, Rulings: two songs). */
function besidesFocus(question: string): boolean {
  return /它\s*[和与跟同、]|[和与跟同比]\s*它(?!们)|\bit\s+(?:and|with|to|vs\.?)\s|\b(?:and|with|to|than|vs\.?)\s+it\b/iu.test(
    question,
  );
}

function unnamed(question: Question): SongResolution {
  const name = question.kind === "song" ? question.names[0] : undefined;
  return { kind: "unsupported", name: name ?? text("unnamed-song") };
}

function resolved(names: readonly string[], index: SongIndex, chosen: Turn["chosen"]): SongResolution {
  const choices = new Map(chosen.map(([name, entry]) => [keyA(name), entry]));
  const tierOf = (name: string): Tier => {
    const entry = choices.get(keyA(name));
    return entry ? { tier: "A", entry } : classify(name, index);
  };
  if (names.length > QUESTIONS_A_DAY)
    throw new SkillError("INPUT_INVALID", `The question names ${names.length} songs.`, {
      hint: `Each song costs one of the day's ${QUESTIONS_A_DAY} questions: ask about fewer of them.`,
    });
  const tiers = names.map((name) => ({ name, found: tierOf(name) }));
  const entries: SongEntry[] = [];
  for (const { name, found } of tiers) {
    if (found.tier === "B") return { kind: "choice", name, candidates: found.candidates };
    if (found.tier === "C") return { kind: "unsupported", name };
    entries.push(found.entry);
  }
  // Two names may have been chosen to be one song: it is asked about once.
  return { kind: "songs", entries: mergeEntries(entries) };
}
