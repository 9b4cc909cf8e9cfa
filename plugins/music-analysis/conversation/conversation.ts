import { randomBytes } from "node:crypto";
import {
  knownAt,
  pendingAt,
  stateFor,
  type Account,
  type Change,
  type ConversationState,
  type KnownSongs,
  type PendingChoice,
} from "./state.ts";
import { documentOf, readState } from "./stored-state.ts";

/** What a conversation is written to. */
export interface ConversationStore {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Changes the stored document in one step; false when it cannot be written. */
  readonly write: (id: string, action: (stored: unknown) => unknown) => Promise<boolean>;
}

/** One conversation of one account. What is changed is changed on its newest state, whoever else changes it too. */
export class Conversation {
  #id: string | undefined;
  #state: ConversationState;
  #isWritable = true;
  readonly #store: ConversationStore;

  /** Without an id it lasts for one call, unless it is kept. */
  constructor(store: ConversationStore, id: string | undefined, state: ConversationState) {
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
