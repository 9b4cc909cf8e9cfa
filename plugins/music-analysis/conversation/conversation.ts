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
import type { Account } from "./account.ts";
import {
  KEEP_MS,
  documentOf,
  knownAt,
  pendingAt,
  readState,
  stateFor,
  type Change,
  type ConversationState,
  type KnownSongs,
  type PendingChoice,
} from "./state.ts";

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

  /** Writes a change on the newest state. False when it cannot be written, which is said: no answer is lost for that. */
  async write(id: string, action: (stored: unknown) => unknown): Promise<boolean> {
    try {
      await this.store.update({ collection: COLLECTION, id }, KEEP_MS, action);
      return true;
    } catch (caught) {
      // A store that an embedder hands in throws what it likes; an answer that was paid for is not lost for that.
      const reason = caught instanceof Error ? caught.message : String(caught);
      this.log.notice(`The conversation cannot be kept: ${reason}`);
      return false;
    }
  }
}

/** One conversation of one account. What is changed is changed on its newest state, whoever else changes it too. */
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

  /** Whose it was at the last change. */
  get account(): Account {
    return this.#state.account;
  }

  get known(): KnownSongs | undefined {
    return knownAt(this.#state, this.#store.now());
  }

  get pending(): PendingChoice | undefined {
    return pendingAt(this.#state, this.#store.now());
  }

  get focus(): ConversationState["focus"] {
    return this.#state.focus;
  }

  now(): number {
    return this.#store.now();
  }

  /** The account that the answers are about: what was another one's is forgotten with this change. */
  async change(account: Account, action: Change): Promise<void> {
    const changed = (state: ConversationState | undefined): ConversationState =>
      action(stateFor(account, state));
    let state = changed(this.#state);
    if (this.#id !== undefined)
      await this.#write(this.#id, (stored) => documentOf((state = changed(readState(stored)))));
    this.#state = state;
  }

  /** Gives it an id, so that it can be gone on with; undefined when it cannot be written. */
  async keep(): Promise<string | undefined> {
    if (this.#id !== undefined) return this.#id;
    const id = randomBytes(5).toString("hex");
    if (await this.#write(id, () => documentOf(this.#state))) this.#id = id;
    return this.#id;
  }

  /** What could not be written once is not tried again: it lasts for this call. */
  async #write(id: string, action: (stored: unknown) => unknown): Promise<boolean> {
    this.#isWritable &&= await this.#store.write(id, action);
    return this.#isWritable;
  }
}
