import {
  CLOCK,
  LOG,
  SkillError,
  STATE,
  inject,
  injectable,
  token,
  type Clock,
  type DocumentName,
  type Log,
  type State,
} from "skillctl";
import type { Asked } from "./question/follow-up.ts";

/** Asia/Shanghai is eight hours ahead all year. */
const SHANGHAI_AHEAD_MS = 8 * 3_600_000;
const KEEP_MS = 24 * 3_600_000;

/** Today in Asia/Shanghai, `yyyy-mm-dd`: the service counts its days there. */
export function dayIn(clock: Clock): string {
  return new Date(clock.now() + SHANGHAI_AHEAD_MS).toISOString().slice(0, 10);
}

/** The last questions of each conversation, or of the account outside conversations, on each day: "and in August?" is completed from them. */
@injectable()
export class LastQuestions {
  constructor(
    @inject(STATE) private readonly state: State,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOG) private readonly log: Log,
  ) {}

  /** `yyyy-mm-dd` in Asia/Shanghai. */
  today(): string {
    return dayIn(this.clock);
  }

  /** Earliest first; empty if nothing was asked today. A failure of the store is logged, and the list is empty. */
  async of(account: string, conversation?: string): Promise<readonly Asked[]> {
    const found = await this.#tried(() => this.state.read(this.#name(account, conversation)));
    return Array.isArray(found) ? (found as readonly Asked[]) : [];
  }

  async keep(asked: readonly Asked[], account: string, conversation?: string): Promise<void> {
    await this.#tried(() =>
      this.state.update(this.#name(account, conversation), KEEP_MS, () =>
        asked.length === 0 ? undefined : [...asked],
      ),
    );
  }

  #name(account: string, conversation = ""): DocumentName {
    const id = [account, this.today(), conversation].filter(Boolean).join(":");
    return { collection: "music-gateway-questions", id };
  }

  async #tried(action: () => Promise<unknown>): Promise<unknown> {
    try {
      return await action();
    } catch (caught) {
      if (!(caught instanceof SkillError)) throw caught;
      this.log.notice(`The last question could not be kept: ${caught.message}`);
      return undefined;
    }
  }
}

export const LAST_QUESTIONS = token<LastQuestions>("music-gateway/last-questions");
