import { foldClose, foldExact, keyA, keyB } from "./keys.ts";
import { classify, type Tier } from "./ladder.ts";
import type { SongEntry } from "./mapping.ts";
import { quoteSpans, titleSpans, type ByteRange } from "./marked-names.ts";
import { phraseShape } from "./plain-words.ts";
import { readQuestion } from "./question.ts";
import { firstReference } from "./references.ts";
import {
  agrees,
  asksForOwn,
  isVague,
  levelled,
  refuses,
  spokenPlace,
  withoutChoosing,
  withoutRefusal,
} from "./replies.ts";
import { MOST_CANDIDATES } from "./shortlist.ts";
import { songIndex, type SongIndex } from "./song-index.ts";

/** What an answer to the question of tier B means (docs/music-analysis.md, Confirmation). */
export type Confirmation =
  /** Send the first question with this id. */
  | { readonly kind: "chosen"; readonly entry: SongEntry }
  /** Tier C with the first name. */
  | { readonly kind: "none" }
  /** A request of its own: start again from step 1 with this message. */
  | { readonly kind: "new-question" }
  /** Ask once more for the number; the second time, tier C. */
  | { readonly kind: "vague" };

/** What was asked, and what else is known. */
export interface ConfirmationContext {
  /** As they were shown, in order. */
  readonly candidates: readonly SongEntry[];
  /** The whole mapping. */
  readonly index: SongIndex;
}

const NONE: Confirmation = { kind: "none" };
const NEW_QUESTION: Confirmation = { kind: "new-question" };
const VAGUE: Confirmation = { kind: "vague" };
const LEAST_CONTAINED = 2;
/** A longer answer chooses nothing: it is a message of its own. */
const MOST_CHARACTERS = 300;

/** Reads the answer to the question of tier B: number, ordinal, name, refusal, new request, or none of these. */
export function readConfirmation(answer: string, { candidates, index }: ConfirmationContext): Confirmation {
  if (answer.length > MOST_CHARACTERS) return NEW_QUESTION;
  const reply = levelled(answer);
  const asked = songIndex(candidates);
  const marked = markedSpans(answer);
  const place = spokenPlace(reply, candidates.length);
  const named = classify(answer, asked);
  const numbered = place === undefined ? undefined : candidates[place - 1];
  if (named.tier === "A") {
    const other = refuses(reply) || (numbered !== undefined && numbered !== named.entry);
    const doubtful = other && marked.length === 0;
    return doubtful ? VAGUE : chosen(named.entry);
  }
  if (place !== undefined) return chosen(numbered);
  const quotedRefusal = refuses(reply) && titleSpans(answer).length === 0;
  if (marked.length > 0 && !quotedRefusal) return readMarked(answer, marked, asked);
  if (refuses(reply)) return NONE;
  if (agrees(reply)) return chosen(candidates.length === 1 ? candidates[0] : undefined);
  return readBare(reply, asked, index);
}

/** A marked name decides by the ladder inside the candidates; one that is not among them is a new request. */
function readMarked(answer: string, spans: readonly ByteRange[], asked: SongIndex): Confirmation {
  const tiers = spans.map(({ inner }) => classify(inner, asked));
  const [tier, another] = tiers;
  if (tier === undefined || tiers.some((each) => each.tier === "C")) return NEW_QUESTION;
  const around = levelled(spans.reduceRight(cutOut, answer));
  const shape = phraseShape(around);
  if (shape.metric || shape.asking) return NEW_QUESTION;
  if (another !== undefined || refuses(around)) return VAGUE;
  return chosen(onlyOne(tier));
}

/** A reply without marks and numbers: a candidate's name or part of it, a new question, or neither. */
function readBare(reply: string, asked: SongIndex, index: SongIndex): Confirmation {
  const rest = withoutRefusal(reply);
  const shape = phraseShape(rest);
  const meant = shape.metric || shape.asking ? soleNameIn(rest, asked) : matching(rest, asked);
  if (meant !== undefined) return rest === reply ? meant : VAGUE;
  const question = readQuestion(rest, { index, focused: false });
  const isOwn = shape.asking && asksForOwn(rest);
  if (shape.metric || isOwn || question.kind === "song") return NEW_QUESTION;
  // "Thanks" and "how is it doing?" choose nothing and refuse nothing.
  return shape.plain || isVague(rest) || firstReference(rest) ? VAGUE : NONE;
}

function matching(reply: string, asked: SongIndex): Confirmation | undefined {
  const name = withoutChoosing(reply);
  const tier = classify(name, asked);
  if (tier.tier === "C") return undefined;
  const only = onlyOne(tier);
  if (only === undefined || tier.tier === "A") return chosen(only);
  const contained = keyB(name).includes(keyB(only.name)) && keyB(name) !== keyB(only.name);
  return contained && keyB(only.name).length < LEAST_CONTAINED ? undefined : chosen(only);
}

/** The one candidate that a longer sentence names in full. */
function soleNameIn(reply: string, asked: SongIndex): Confirmation | undefined {
  const found = asked
    .close()
    .within(foldClose(foldExact(reply)))
    .filter(({ start, end }) => end - start >= LEAST_CONTAINED);
  const longest = Math.max(0, ...found.map(({ start, end }) => end - start));
  const numbers = new Set(
    found.filter(({ start, end }) => end - start === longest).flatMap(({ named }) => named),
  );
  const [number, another] = [...numbers];
  if (number === undefined) return undefined;
  return another === undefined ? chosen(asked.entries[number]) : VAGUE;
}

function markedSpans(answer: string): readonly ByteRange[] {
  const says = ({ inner }: ByteRange): boolean => keyA(inner) !== "";
  const titles = titleSpans(answer).filter(says);
  return titles.length > 0 ? titles : quoteSpans(answer).filter(says);
}

function cutOut(text: string, { start, end }: ByteRange): string {
  return `${text.slice(0, start)} ${text.slice(end)}`;
}

function onlyOne(tier: Tier): SongEntry | undefined {
  if (tier.tier === "A") return tier.entry;
  return tier.tier === "B" && tier.candidates.length === 1 ? tier.candidates[0] : undefined;
}

function chosen(entry: SongEntry | undefined): Confirmation {
  return entry === undefined ? VAGUE : { kind: "chosen", entry };
}

/** Whether a text can only be the answer to a choice: a number, an ordinal or a refusal and nothing else. */
export function isOnlyReply(text: string): boolean {
  const reply = levelled(text);
  return (
    markedSpans(text).length === 0 && (spokenPlace(reply, MOST_CANDIDATES) !== undefined || refuses(reply))
  );
}
