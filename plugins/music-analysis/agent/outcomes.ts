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
import { sha256 } from "../verbatim-reply-rule.ts";
import type { Outcome } from "./outcome-of.ts";

export const OUTCOMES = token<Outcomes>("question-outcomes");

/** When it was, in milliseconds since the epoch. */
export interface DatedOutcome extends Outcome {
  readonly at: number;
}

const NAME = { collection: "music-analysis-outcomes", id: "latest" };
const KEEP_MS = 86_400_000;
const MOST = 50;

/**
 * After these a question is not sent again (specification, Handling of data.finishReason and Errors): the service has
 * refused it, or may have counted it. `UPSTREAM_ERROR` has been retried once by then.
 */
const FINAL: ReadonlySet<string> = new Set([
  "MUSIC_SAFETY_REVOKED",
  "MUSIC_TIMEOUT",
  "MUSIC_BUSY",
  "MUSIC_UPSTREAM_ERROR",
  "MUSIC_QUOTA_REACHED",
  "MUSIC_SONG_BLOCKED",
  "MUSIC_FIELD_REFUSED",
  "MUSIC_OUTCOME_UNKNOWN",
  "CANCELLED",
]);

/** What became of the last questions of this user, for the rules that judge what an agent makes of it. */
@injectable()
export class Outcomes {
  constructor(
    @inject(STATE) private readonly store: State,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOG) private readonly log: Log,
  ) {}

  /** @throws SkillError `FILE_UNREADABLE` */
  async since(at: number): Promise<readonly DatedOutcome[]> {
    return listIn(await this.store.read(NAME)).filter((one) => one.at >= at);
  }

  /** An answer is never lost because this cannot be written. */
  async note(outcome: Outcome): Promise<void> {
    const dated: DatedOutcome = { ...outcome, at: this.clock.now() };
    try {
      await this.store.update(NAME, KEEP_MS, (stored) => ({ list: [...listIn(stored), dated].slice(-MOST) }));
    } catch (caught) {
      const reason = caught instanceof Error ? caught.message : String(caught);
      this.log.detail(`What became of the question cannot be kept: ${reason}`);
    }
  }

  /** Notes a question that ended in an error after which it is not sent again. Throws the error anew. */
  async failed(question: string, caught: unknown): Promise<never> {
    if (caught instanceof SkillError) await this.refused(question, caught.code);
    throw caught;
  }

  /** Notes a code after which the question is not sent again; nothing for any other. */
  async refused(question: string, code: string): Promise<void> {
    if (FINAL.has(code)) await this.note({ question: sha256(question), kind: "refused", code });
  }
}

function listIn(stored: unknown): readonly DatedOutcome[] {
  const { list } = (stored ?? {}) as { readonly list?: unknown };
  return Array.isArray(list) ? (list as DatedOutcome[]) : [];
}
