import { randomBytes } from "node:crypto";
import {
  CLOCK,
  LOG,
  STATE,
  SkillError,
  inject,
  injectable,
  token,
  type Clock,
  type Log,
  type State,
} from "skillctl";
import { isSameAccount, tried, type Account } from "./account.ts";
import { bareName } from "../songs/fold.ts";
import type { AnalysisSubject } from "../../ports.ts";
import { mergeEntries, songEntry, type SongEntry } from "../songs/song.ts";

/** The songs that a conversation knows (specification, States and transitions 2). */
interface KnownSongs {
  readonly songs: readonly SongEntry[];
  /**
   * `overall`: from an overall question, so a song that is not among them does not exist. `answer`: from other answers
   * about the account, or from an overall one that is too old; only an exact match then counts.
   */
  readonly source: "overall" | "answer";
  /** When the overall answer was given, otherwise when the newest songs were read; milliseconds since the epoch. */
  readonly at: number;
}

/** A question that is pending until the user says which song is meant. */
export interface PendingChoice {
  /** The first question, which is sent with the chosen id. */
  readonly question: string;
  /** The song without an exact match; empty if the question named none. */
  readonly name: string;
  /** Empty if the user is asked for a name. */
  readonly candidates: readonly SongEntry[];
  /** Songs of the question that were chosen before, by the name in the question. */
  readonly chosen: readonly (readonly [name: string, entry: SongEntry])[];
  /** How often it was asked: the second vague answer ends it. */
  readonly asked: number;
  readonly at: number;
}

/** The state of a conversation. */
interface ConversationState {
  readonly account: Account;
  readonly known?: KnownSongs;
  /** The song of the last answer about a single song, or one chosen since (docs/music-analysis.md, Conversations). */
  readonly focus?: SongEntry;
  /** Set after an answer about the account, or one about something `other` than a song, if a song was in focus. */
  readonly isAside?: true | "other";
  readonly pending?: PendingChoice;
}

/** A change of a conversation; a pure function, since it may be repeated on a newer state. */
type Change = (state: ConversationState) => ConversationState;

/** How long a choice stays pending. */
const PENDING_MS = 60 * 60_000;
/** How long an overall answer is authoritative; an unused conversation is kept for the same time. */
const KEEP_MS = 24 * 60 * 60_000;

/** Adds songs. The newest entry for an id counts; an empty list changes nothing. */
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

/** Records an answer about the account. If the service says that it is about one song, that song gets the focus. */
export function aside(state: ConversationState, subject: AnalysisSubject | undefined): ConversationState {
  const own = typeof subject === "object" ? songEntry(subject.title, subject.songId) : undefined;
  const focus = own ?? state.focus;
  return { ...state, isAside: subject === "other" ? subject : true, ...(focus && { focus }) };
}

/** The known songs; an overall answer that is too old counts like any other. */
function knownAt({ known }: ConversationState, now: number): KnownSongs | undefined {
  return known?.source === "overall" && !fresh(known.at, now, KEEP_MS)
    ? { ...known, source: "answer" }
    : known;
}

/** Ends a pending choice. If a single song was shown, it comes into focus; several clear the focus. */
export function settled(shown?: readonly SongEntry[]): Change {
  return ({ account, known, focus, isAside }) => {
    const rest = { account, ...(known && { known }), ...(isAside && !shown && { isAside }) };
    const [only, another] = shown ?? [focus];
    return only && another === undefined ? { ...rest, focus: only } : rest;
  };
}

/** A stored state, if it belongs to this account; otherwise an empty one. */
function stateFor(account: Account, stored: ConversationState | undefined): ConversationState {
  return stored && isSameAccount(stored.account, account)
    ? { ...stored, account: { ...stored.account, ...account } }
    : { account };
}

/** Whether a time is at most `keepMs` from now, in either direction, in case the clock was set back. */
function fresh(at: number, now: number, keepMs: number): boolean {
  return Math.abs(now - at) <= keepMs;
}

const VERSION = 1;

/** The document that stores a state. */
function documentOf(state: ConversationState): unknown {
  return { version: VERSION, state };
}

/** The state in a document; undefined for another version or structure. */
function readState(stored: unknown): ConversationState | undefined {
  const { version, state } = (stored ?? {}) as {
    readonly version?: unknown;
    readonly state?: Partial<ConversationState>;
  };
  return version === VERSION && typeof state?.account?.login === "string"
    ? (state as ConversationState)
    : undefined;
}

export const CONVERSATIONS = token<Conversations>("conversations");

const COLLECTION = "music-analysis-conversations";
/** The pattern in the schemas of the commands; a session's name comes from the surface and must match it too. */
const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Opens conversations. A conversation without an id lasts for one call, unless an answer to a choice is pending. */
@injectable()
export class Conversations {
  constructor(
    @inject(STATE) private readonly store: State,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOG) private readonly log: Log,
  ) {}

  /** @throws SkillError `FILE_UNREADABLE`, `INPUT_INVALID` for an invalid name. */
  async open(id: string | undefined, account: Account): Promise<Conversation> {
    if (id === undefined) return new Conversation(this, id, stateFor(account, undefined));
    if (!ID.test(id))
      throw new SkillError("INPUT_INVALID", "The session's name is not valid for a conversation.", {
        hint: "Use 1 to 128 letters, digits, dots, dashes and underscores, and start with a letter or digit.",
      });
    const stored = await this.store.read({ collection: COLLECTION, id });
    return new Conversation(this, id, stateFor(account, readState(stored)));
  }

  now(): number {
    return this.clock.now();
  }

  /** Applies a change to the newest state. Reports a failure and returns false, so that no answer is lost. */
  async write(id: string, action: (stored: unknown) => unknown): Promise<boolean> {
    const write = (): Promise<true> =>
      this.store.update({ collection: COLLECTION, id }, KEEP_MS, action).then(() => true);
    const say = (reason: string): void => this.log.notice(`The conversation cannot be kept: ${reason}`);
    return (await tried(write, say)) ?? false;
  }
}

/** A conversation of one account. Changes are made to its newest state, which other processes may have changed. */
export class Conversation {
  #id: string | undefined;
  #state: ConversationState;
  #isWritable = true;
  readonly #store: Conversations;

  /** @param id undefined for a conversation that lasts for one call, until it is kept */
  constructor(store: Conversations, id: string | undefined, state: ConversationState) {
    this.#store = store;
    this.#id = id;
    this.#state = state;
  }

  /** Undefined for a conversation that only lasts for this call. */
  get id(): string | undefined {
    return this.#id;
  }

  /** The account at the last change. */
  get account(): Account {
    return this.#state.account;
  }

  get known(): KnownSongs | undefined {
    return knownAt(this.#state, this.now());
  }

  /** The pending question; undefined if it has expired. */
  get pending(): PendingChoice | undefined {
    const { pending } = this.#state;
    return pending && fresh(pending.at, this.now(), PENDING_MS) ? pending : undefined;
  }

  get focus(): ConversationState["focus"] {
    return this.#state.focus;
  }

  /** The titles of the known songs, without marks. */
  get titles(): readonly string[] {
    const { known, focus, pending } = this.#state;
    const songs = [known?.songs ?? [], focus ?? [], pending?.candidates ?? []].flat();
    return songs.map(({ name }) => bareName(name));
  }

  /** Whether the last answer was about the song in focus. */
  get isOnFocus(): boolean {
    return this.#state.focus !== undefined && this.#state.isAside === undefined;
  }

  get isAside(): ConversationState["isAside"] {
    return this.#state.isAside;
  }

  now(): number {
    return this.#store.now();
  }

  /** Changes the state. The state of an account other than `account` is discarded. */
  async change(account: Account, action: Change): Promise<void> {
    const changed = (state: ConversationState | undefined): ConversationState =>
      action(stateFor(account, state));
    let state = changed(this.#state);
    if (this.#id !== undefined)
      await this.#write(this.#id, (stored) => documentOf((state = changed(readState(stored)))));
    this.#state = state;
  }

  /** Assigns an id with which the conversation can be continued; undefined if it cannot be written. */
  async keep(): Promise<string | undefined> {
    if (this.#id !== undefined) return this.#id;
    const id = randomBytes(5).toString("hex");
    if (await this.#write(id, () => documentOf(this.#state))) this.#id = id;
    return this.#id;
  }

  /** After a failed write, no further write is attempted: the conversation lasts for this call. */
  async #write(id: string, action: (stored: unknown) => unknown): Promise<boolean> {
    this.#isWritable &&= await this.#store.write(id, action);
    return this.#isWritable;
  }
}
