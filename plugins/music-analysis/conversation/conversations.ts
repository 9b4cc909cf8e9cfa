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
import { Conversation } from "./conversation.ts";
import { KEEP_MS, stateFor, type Account } from "./state.ts";
import { readState } from "./stored-state.ts";

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
