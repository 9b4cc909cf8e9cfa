import {
  CLOCK,
  FILES,
  LOG,
  SkillError,
  inject,
  injectable,
  token,
  type Clock,
  type Files,
  type Log,
} from "skillctl";
import { LockFiles } from "./lock-files.ts";
import type { LockRecord } from "./lock-record.ts";
import { LockWatch, type Seen } from "./lock-watch.ts";
import { pause } from "./oauth/pause.ts";
import { sentence } from "./texts.ts";
import { TOKEN_CACHE, type TokenCache } from "./token-cache.ts";

/** A holder that has said nothing for so long is dead. */
const LEASE_MS = 10_000;
const BEAT_MS = 2_500;
const LOOK_MS = 100;
/** Nobody waits for the login of somebody else longer than this (docs/login.md, Time-outs). */
const LONGEST_WAIT_MS = 600_000;

/** What is done while nobody else does it. */
export interface Locked<T> {
  readonly signal: AbortSignal;
  /** Whether a person is asked meanwhile: who waits in vain for that need not ask again. */
  readonly asks: boolean;
  /** Told once that another process has the lock. */
  readonly progress: (sentence: string) => void;
  /** Asked before each try to get the lock: an answer ends the waiting. Default: nothing does. */
  readonly meanwhile?: (seen: Seen) => Promise<T | undefined>;
  readonly action: () => Promise<T>;
  /** Where the lock cannot be made, the action is done without it and this is told why. Default: that is the failure. */
  readonly orWithout?: (fault: SkillError) => void;
}

export const REFRESH_LOCK = token<RefreshLock>("refresh-lock");

/** One login at a time over all processes of the user, by files beside the cache file (docs/login.md, One login at a time). */
@injectable()
export class RefreshLock {
  constructor(
    @inject(FILES) private readonly files: Files,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOG) private readonly log: Log,
    @inject(TOKEN_CACHE) private readonly cache: TokenCache,
  ) {}

  /**
   * @throws SkillError `CANCELLED`, `LOGIN_EXPIRED` after ten minutes of waiting, `FILE_UNWRITABLE`, and what the action
   * throws.
   */
  async run<T>(locked: Locked<T>): Promise<T> {
    const lock = new LockFiles(this.files, this.cache.folder);
    const watch = new LockWatch(this.clock, LEASE_MS);
    let told = false;
    for (;;) {
      const answer = await locked.meanwhile?.(watch.seen);
      if (answer !== undefined) return answer;
      if (watch.seen.waited && !told) locked.progress(sentence("waiting-for-other"));
      told = watch.seen.waited;
      const taken = await this.#taken(lock, watch).catch((caught: unknown) => {
        if (!locked.orWithout || !(caught instanceof SkillError)) throw caught;
        return caught;
      });
      if (taken instanceof SkillError) {
        locked.orWithout?.(taken);
        return locked.action();
      }
      if (taken !== undefined) return this.#held(lock, taken, locked);
      if (watch.waitedMs > LONGEST_WAIT_MS)
        throw new SkillError("LOGIN_EXPIRED", "Another login has been going on for ten minutes.", {
          hint: "End it, then try again.",
        });
      await pause(LOOK_MS, locked.signal);
    }
  }

  /** The number of the turn that is ours now; undefined while somebody else has the lock. */
  async #taken(lock: LockFiles, watch: LockWatch): Promise<number | undefined> {
    await this.cache.makeFolder();
    const told = watch.seen.failed;
    const highest = await lock.highest();
    if (!watch.isOver(highest)) return undefined;
    // Whoever waited for a login that came to nothing says first whether a second try makes sense.
    if (watch.seen.failed !== undefined && told === undefined) return undefined;
    return lock.follow(highest, { beat: 0, until: this.clock.now() + LEASE_MS });
  }

  async #held<T>(lock: LockFiles, number: number, { action, asks }: Locked<T>): Promise<T> {
    let beat = 0;
    let said: Promise<void> = Promise.resolve();
    const say = (until: number, failed?: LockRecord["failed"]): Promise<void> => {
      beat += 1;
      const record = { beat, until, ...(failed && { failed }) };
      return (said = said.then(() => this.#say(lock, number, record)));
    };
    const timer = setInterval(() => void say(this.clock.now() + LEASE_MS), BEAT_MS);
    const release = (failed?: LockRecord["failed"]): Promise<void> => {
      clearInterval(timer);
      return say(0, failed);
    };
    let done: T;
    try {
      done = await action();
    } catch (caught) {
      const ended = caught instanceof SkillError && caught.code === "CANCELLED";
      await release(ended ? undefined : asks ? "asked" : "quiet");
      throw caught;
    }
    await release();
    return done;
  }

  async #say(lock: LockFiles, number: number, record: LockRecord): Promise<void> {
    try {
      await lock.say(number, record);
    } catch (caught) {
      // The lock then runs out by itself; what it was held for must not fail for it.
      this.log.detail(`The login lock could not be written: ${String(caught)}`);
    }
  }
}
