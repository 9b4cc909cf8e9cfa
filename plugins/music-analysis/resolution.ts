import { SkillError, languageOf } from "skillctl";
import { isSameAccount } from "./conversation/account.ts";
import { learnt, type Conversation, type PendingChoice } from "./conversation/conversation.ts";
import type { Round } from "./round.ts";
import { extractSongs } from "./songs/extraction.ts";
import { bareName, exactKey } from "./songs/fold.ts";
import { comparesFocus, readQuestion } from "./songs/question.ts";
import { mergeEntries, type SongEntry } from "./songs/song.ts";
import { classify, type Tier } from "./songs/tier.ts";
import { sentence, text, type BilingualName } from "./texts.ts";

/** A question of the user in a conversation. */
export interface Turn {
  /** The text that is sent. */
  readonly question: string;
  /** Songs of the question that the user has chosen before. */
  readonly chosen: PendingChoice["chosen"];
  readonly conversation: Conversation;
  readonly round: Round;
}

/** The result of looking up the songs of a question. */
type SongResolution =
  /** All named songs are known. */
  | { readonly kind: "songs"; readonly entries: readonly SongEntry[] }
  /** The first song that is not exact has similar ones. */
  | { readonly kind: "choice"; readonly name: string; readonly candidates: readonly SongEntry[] }
  /** The first song that is not exact has none. */
  | { readonly kind: "unsupported"; readonly name: string };

/** The subject of a question; `waits` if only a name is missing. */
export type Resolution =
  | SongResolution
  | { readonly kind: "account" }
  | { readonly kind: "which"; readonly waits: boolean };

/** The maximum number of songs in a question: each takes a request. */
const MOST_SONGS = 10;

/**
 * Resolves the songs of a question (specification, States and transitions 1 to 3; the order of two songs:
 * docs/music-analysis.md, Rulings).
 */
export async function resolveQuestion(turn: Turn): Promise<Resolution> {
  const { question, chosen, conversation } = turn;
  const { known, focus, isOnFocus, isAside } = conversation;
  const songs = withChosen(known?.songs, chosen);
  const read = readQuestion(question, songs, { focused: focus !== undefined, isOnFocus, isAside });
  if (read.kind === "account") return read;
  if (read.kind === "which") {
    // Words before a colon are a song if a song has that name.
    const named = read.topic === undefined ? undefined : await resolveNames([read.topic], turn);
    return named?.kind === "songs" ? named : { kind: "which", waits: read.pointing };
  }
  if (read.kind === "focus") return { kind: "songs", entries: focus ? [focus] : [] };
  const found = resolved(read.names, songs, turn);
  if (found.kind === "songs" && focus && comparesFocus(question))
    return { kind: "songs", entries: mergeEntries([focus], found.entries) };
  if (found.kind === "songs" || known?.source === "overall") return found;
  return resolveNames(read.names, turn);
}

/**
 * Resolves names, first with the songs of the conversation. If it knows no songs, or no overall answer and not these
 * songs, an overall question is asked whose answer is never shown.
 */
export async function resolveNames(names: readonly string[], turn: Turn): Promise<SongResolution> {
  const { chosen, conversation, round, question } = turn;
  const { known } = conversation;
  const found = resolved(names, withChosen(known?.songs, chosen), turn);
  if (found.kind === "songs" || known?.source === "overall") return found;
  const { account } = round;
  await learnOverallSongs(conversation, round);
  // The songs now belong to the account that answered. If that is a different account, earlier choices do not apply.
  const own = isSameAccount(account, round.account) ? chosen : [];
  const songs = conversation.known?.songs;
  const learning = { question, chosen: own };
  // Once the songs are known, a name without marks may turn out to be longer or shorter.
  return resolveAmong(learning, songs) ?? resolved(names, withChosen(songs, own), learning);
}

/**
 * The songs of a question among the known ones; undefined if the question names none of them. This also finds a known
 * name without marks, so that no answer about the account is shown for it.
 */
export function resolveAmong(
  { question, chosen }: Pick<Turn, "question" | "chosen">,
  songs: readonly SongEntry[] = [],
): SongResolution | undefined {
  const all = withChosen(songs, chosen);
  const read = readQuestion(question, all);
  return read.kind === "song" ? resolved(read.names, all, { question, chosen }) : undefined;
}

/** Asks the overall question whose answer is never shown, and records its songs. */
export async function learnOverallSongs(conversation: Conversation, round: Round): Promise<void> {
  const { content } = await round.answer({ userMessage: text("mapping-question") });
  const songs = extractSongs(content);
  await conversation.change(round.account, learnt(songs, "overall", conversation.now()));
}

/** A chosen song counts as known, however old the list of songs is. */
function withChosen(songs: readonly SongEntry[] = [], chosen: Turn["chosen"]): readonly SongEntry[] {
  if (chosen.length === 0) return songs;
  return mergeEntries(
    chosen.map(([, entry]) => entry),
    songs,
  );
}

function resolved(
  names: readonly string[],
  songs: readonly SongEntry[],
  { question, chosen }: Pick<Turn, "question" | "chosen">,
): SongResolution {
  if (names.length > MOST_SONGS) {
    const titles = songs.map(({ name }) => bareName(name));
    const told = (name: BilingualName, count: number): string =>
      sentence(name, languageOf(question, titles)).replace("{COUNT}", String(count));
    throw new SkillError("INPUT_INVALID", told("too-many-songs", names.length), {
      hint: told("too-many-songs-hint", MOST_SONGS),
    });
  }
  const choices = new Map(chosen.map(([name, entry]) => [exactKey(name), entry]));
  const tierOf = (name: string): Tier => {
    const entry = choices.get(exactKey(name));
    return entry ? { tier: "A", entry } : classify(name, songs);
  };
  const entries: SongEntry[] = [];
  for (const name of names) {
    const found = tierOf(name);
    if (found.tier === "B") return { kind: "choice", name, candidates: found.candidates };
    if (found.tier === "C") return { kind: "unsupported", name };
    entries.push(found.entry);
  }
  // Two names may have been resolved to the same song, which is only asked about once.
  return { kind: "songs", entries: mergeEntries(entries) };
}
