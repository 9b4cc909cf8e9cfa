import { mergeEntries, type SongEntry } from "../songs/song.ts";
import { isSameAccount, type Account } from "./account.ts";

/** The songs a conversation knows (specification, States and transitions 2). */
export interface KnownSongs {
  readonly songs: readonly SongEntry[];
  /**
   * `overall`: an overall question was asked for them, so a song that is not among them is none. `answer`: other answers
   * about the account named them, or the overall one is too old: then only an exact hit decides.
   */
  readonly source: "overall" | "answer";
  /** When the overall question was answered, else when the newest of them were read; milliseconds since the epoch. */
  readonly at: number;
}

/** A question that waits until the user has said which song is meant. */
export interface PendingChoice {
  /** The first question, which is sent with the chosen id. */
  readonly question: string;
  /** The song that was not exact; empty when the question named none. */
  readonly name: string;
  /** None when the user is asked for a name. */
  readonly candidates: readonly SongEntry[];
  /** Songs of the question that were chosen before, by the name they were asked for. */
  readonly chosen: readonly (readonly [name: string, entry: SongEntry])[];
  /** How often it was asked: the second vague answer ends it. */
  readonly asked: number;
  readonly at: number;
}

/** What a conversation holds. */
export interface ConversationState {
  readonly account: Account;
  readonly known?: KnownSongs;
  /** The song of the last answer about a single one, or one that was chosen since (docs/music-analysis.md, Conversations). */
  readonly focus?: SongEntry;
  readonly pending?: PendingChoice;
}

/** A change of a conversation; pure, since it may be made again on a newer state. */
export type Change = (state: ConversationState) => ConversationState;

/** A choice waits this long for its answer. */
export const PENDING_MS = 60 * 60_000;
/** An overall answer is the last word for this long; a conversation without use is kept as long. */
export const KEEP_MS = 24 * 60 * 60_000;

/** Adds songs. The newest entry of an id counts; an empty list teaches nothing. */
export function learnt(songs: readonly SongEntry[], source: KnownSongs["source"], at: number): Change {
  return (state) => {
    if (songs.length === 0) return state;
    const old = knownAt(state, at) ?? { songs: [], source, at };
    const newest = Math.max(at, old.at);
    const read = source === old.source ? newest : source === "overall" ? at : old.at;
    const whole = source === "overall" || old.source === "overall";
    const known = {
      songs: mergeEntries(songs, old.songs),
      source: whole ? "overall" : "answer",
      at: read,
    } as const;
    return { ...state, known };
  };
}

/** The songs that are known; an overall answer that is too old counts like any other. */
export function knownAt({ known }: ConversationState, now: number): KnownSongs | undefined {
  return known?.source === "overall" && !fresh(known.at, now, KEEP_MS)
    ? { ...known, source: "answer" }
    : known;
}

/** The question that still waits; `undefined` when it has waited too long. */
export function pendingAt({ pending }: ConversationState, now: number): PendingChoice | undefined {
  return pending && fresh(pending.at, now, PENDING_MS) ? pending : undefined;
}

/** Nothing waits any more; with songs that were shown: one is in focus, several leave none there. */
export function settled(shown?: readonly SongEntry[]): Change {
  return ({ account, known, focus }) => {
    const rest = { account, ...(known && { known }) };
    const [only, another] = shown ?? [focus];
    return only && another === undefined ? { ...rest, focus: only } : rest;
  };
}

/** A stored state as far as it is this account's; else an empty one. */
export function stateFor(account: Account, stored: ConversationState | undefined): ConversationState {
  return stored && isSameAccount(stored.account, account)
    ? { ...stored, account: { ...stored.account, ...account } }
    : { account };
}

/** A time ahead of the clock, which may have been set back, is not trusted for longer than one behind it. */
function fresh(at: number, now: number, keepMs: number): boolean {
  return Math.abs(now - at) <= keepMs;
}

const VERSION = 1;

/** The document that holds a state. */
export function documentOf(state: ConversationState): unknown {
  return { version: VERSION, state };
}

/** The state that a document holds; one of another version, or that is no state, counts as none. */
export function readState(stored: unknown): ConversationState | undefined {
  const { version, state } = (stored ?? {}) as {
    readonly version?: unknown;
    readonly state?: Partial<ConversationState>;
  };
  return version === VERSION && typeof state?.account?.login === "string"
    ? (state as ConversationState)
    : undefined;
}
