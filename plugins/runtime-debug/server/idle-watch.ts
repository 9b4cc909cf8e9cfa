import { dirname, join } from "node:path";
import { SkillError, type Clock, type Environment, type Files } from "skillctl";
import { statusIn } from "../record-status.ts";
import { pause } from "./pause.ts";

/** The longest interval between checks, in milliseconds. */
const LOOK_MS = 1_000;

/** Measures the time without requests by the monotonic clock. Requests in progress do not count as idle time. */
export class IdleWatch {
  #since: number;
  #underWay = 0;

  /**
   * @param idleMs 0 disables the limit
   * @param isHeld whether the server must stay although it is idle; called when the time is over; if true, the time
   * starts again
   */
  constructor(
    readonly idleMs: number,
    private readonly clock: Clock,
    private readonly isHeld: () => Promise<boolean>,
  ) {
    this.#since = clock.monotonicMs();
  }

  readonly began = (): void => {
    this.#underWay += 1;
  };

  readonly ended = (): void => {
    this.#underWay -= 1;
    this.#since = this.clock.monotonicMs();
  };

  /** Milliseconds until the time is over; 0 if it is. */
  #remaining(): number {
    const now = this.clock.monotonicMs();
    if (this.#underWay > 0) this.#since = now;
    return Math.max(0, this.#since + this.idleMs - now);
  }

  /** Settles when the time is over and nothing holds the server, or when the signal is aborted. */
  async over(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const remaining = this.idleMs === 0 ? LOOK_MS : this.#remaining();
      if (remaining > 0) await pause(Math.min(remaining, LOOK_MS), signal);
      else if (await this.isHeld()) this.#since = this.clock.monotonicMs();
      else if (this.#remaining() === 0) return;
    }
  }
}

const POST_FIX = /^post(-?fix.*)?$/i;

/**
 * Whether an idle server must stay: the run is one after a fix, and the record of the session, next to the folder of
 * its log or in the working folder, has the status open. An unreadable record counts as open, since a server that has
 * ended accepts no evidence.
 */
export function heldOpen(
  session: string,
  folder: string,
  { workingFolder }: Environment,
  files: Files,
): (run: string) => Promise<boolean> {
  const paths = [dirname(folder), workingFolder].map((at) => join(at, `debug-${session}.md`));
  return async (run) => {
    if (!POST_FIX.test(run)) return false;
    try {
      const texts = await Promise.all(paths.map((path) => files.readText(path)));
      return texts.some((text) => text !== undefined && statusIn(text) === "OPEN");
    } catch (caught) {
      if (caught instanceof SkillError) return true;
      throw caught;
    }
  };
}
