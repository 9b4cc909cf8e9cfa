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

/** The songs a conversation knows (specification, States and transitions 2). */
interface KnownSongs {
  readonly songs: readonly SongEntry[];
  /**
   * `overall`: from an overall question, so that a song that is not among them does not exist. `answer`: from other answers
   * about the account, or from an overall one that is too old; then only an exact match decides.
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
  /** Empty when the user is asked for a name. */
  readonly candidates: readonly SongEntry[];
  /** Songs of the question that were chosen before, by the name they were asked for. */
  readonly chosen: readonly (readonly [name: string, entry: SongEntry])[];
  /** How often it was asked: the second vague answer ends it. */
  readonly asked: number;
  readonly at: number;
}

/** The state of a conversation. */
interface ConversationState {
  readonly account: Account;
  readonly known?: KnownSongs;
  /** The song of the last answer about a single one, or one that was chosen since (docs/music-analysis.md, Conversations). */
  readonly focus?: SongEntry;
  /** An answer about the account, or about `other` than a song, came after the one about the song in focus. */
  readonly isAside?: true | "other";
  readonly pending?: PendingChoice;
}

/** A change of a conversation; pure, since it may be made again on a newer state. */
type Change = (state: ConversationState) => ConversationState;

/** A choice waits this long for its answer. */
const PENDING_MS = 60 * 60_000;
/** An overall answer is the last word for this long; a conversation without use is kept as long. */
const KEEP_MS = 24 * 60 * 60_000;

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

/** Notes an answer about the account. Of one that is about one song, as the service says, that song comes into focus. */
export function aside(state: ConversationState, subject: AnalysisSubject | undefined): ConversationState {
  const own = typeof subject === "object" ? songEntry(subject.title, subject.songId) : undefined;
  const focus = own ?? state.focus;
  return { ...state, isAside: subject === "other" ? subject : true, ...(focus && { focus }) };
}

/** The songs that are known; an overall answer that is too old counts like any other. */
function knownAt({ known }: ConversationState, now: number): KnownSongs | undefined {
  return known?.source === "overall" && !fresh(known.at, now, KEEP_MS)
    ? { ...known, source: "answer" }
    : known;
}

/** Ends a waiting choice. Of the songs that were shown, a single one comes into focus, and several clear it. */
export function settled(shown?: readonly SongEntry[]): Change {
  return ({ account, known, focus, isAside }) => {
    const rest = { account, ...(known && { known }), ...(isAside && !shown && { isAside }) };
    const [only, another] = shown ?? [focus];
    return only && another === undefined ? { ...rest, focus: only } : rest;
  };
}

/** A stored state as far as it is this account's; else an empty one. */
function stateFor(account: Account, stored: ConversationState | undefined): ConversationState {
  return stored && isSameAccount(stored.account, account)
    ? { ...stored, account: { ...stored.account, ...account } }
    : { account };
}

/** Whether a time is at most `keepMs` from now, also ahead of a clock that was set back. */
function fresh(at: number, now: number, keepMs: number): boolean {
  return Math.abs(now - at) <= keepMs;
}

const VERSION = 1;

/** The document that holds a state. */
function documentOf(state: ConversationState): unknown {
  return { version: VERSION, state };
}

/** The state in a document; undefined for another version or another shape. */
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
/** As the schemas of the commands have it; a session's name comes from the surface and is held to the same. */
const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Opens conversations. One without an id lasts for one call, unless it turns out that an answer is awaited. */
@injectable()
export class Conversations {
  constructor(
    @inject(STATE) private readonly store: State,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOG) private readonly log: Log,
  ) {}

  /** @throws SkillError `FILE_UNREADABLE`, `INPUT_INVALID` for a name that cannot be one. */
  async open(id: string | undefined, account: Account): Promise<Conversation> {
    if (id === undefined) return new Conversation(this, id, stateFor(account, undefined));
    if (!ID.test(id))
      throw new SkillError("INPUT_INVALID", "The session's name cannot name a conversation.", {
        hint: "Use 1 to 128 letters, digits, dots, dashes and underscores, and begin with a letter or digit.",
      });
    const stored = await this.store.read({ collection: COLLECTION, id });
    return new Conversation(this, id, stateFor(account, readState(stored)));
  }

  now(): number {
    return this.clock.now();
  }

  /** Writes a change of the newest state. Reports a failure and returns false, so that no answer is lost. */
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

  /** Without an id it lasts for one call, unless it is kept. */
  constructor(store: Conversations, id: string | undefined, state: ConversationState) {
    this.#store = store;
    this.#id = id;
    this.#state = state;
  }

  /** Undefined for one that lasts for this call only. */
  get id(): string | undefined {
    return this.#id;
  }

  /** The account of the last change. */
  get account(): Account {
    return this.#state.account;
  }

  get known(): KnownSongs | undefined {
    return knownAt(this.#state, this.now());
  }

  /** The question that still waits; undefined when it has waited too long. */
  get pending(): PendingChoice | undefined {
    const { pending } = this.#state;
    return pending && fresh(pending.at, this.now(), PENDING_MS) ? pending : undefined;
  }

  get focus(): ConversationState["focus"] {
    return this.#state.focus;
  }

  /** The titles of the songs that it knows, without marks. */
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

  /** Changes the state. That of another account than `account` is forgotten. */
  async change(account: Account, action: Change): Promise<void> {
    const changed = (state: ConversationState | undefined): ConversationState =>
      action(stateFor(account, state));
    let state = changed(this.#state);
    if (this.#id !== undefined)
      await this.#write(this.#id, (stored) => documentOf((state = changed(readState(stored)))));
    this.#state = state;
  }

  /** Gives it an id with which it can be continued; undefined if it cannot be written. */
  async keep(): Promise<string | undefined> {
    if (this.#id !== undefined) return this.#id;
    const id = randomBytes(5).toString("hex");
    if (await this.#write(id, () => documentOf(this.#state))) this.#id = id;
    return this.#id;
  }

  /** After a failed write nothing is written again: the conversation lasts for this call. */
  async #write(id: string, action: (stored: unknown) => unknown): Promise<boolean> {
    this.#isWritable &&= await this.#store.write(id, action);
    return this.#isWritable;
  }
}
