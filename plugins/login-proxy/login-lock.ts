import { CLAIMS, CLOCK, SkillError, inject, injectable, token, type Claims, type Clock } from "skillctl";
import { LOGIN_FOLDER, type LoginFolder } from "./login-folder.ts";
import { cancelled, pause } from "./pause.ts";
import { sentence } from "./texts.ts";

const LOOK_MS = 100;
/** Nobody waits for the login of somebody else longer than this (docs/login.md, Time-outs). */
const LONGEST_WAIT_MS = 600_000;
/** How the last login in vain ended: who has waited for that one need not try again. */
const FAILURE_FILE = "failed.json";

/** A login that came to nothing: after a person was asked, or not. */
export type Failure = "asked" | "quiet";

/** What is done while nobody else does it. */
export interface Locked<T> {
  readonly signal: AbortSignal;
  /** Told once that another process has the lock. */
  readonly progress: (sentence: string) => void;
  readonly action: () => Promise<T>;
  /** Whether a person is asked meanwhile. Default: no failure is told to those who wait. */
  readonly asks?: boolean;
  /** Asked before each try: an answer ends the waiting. `failure` is how the login ended that was waited for. */
  readonly meanwhile?: (failure: Failure | undefined) => Promise<T | undefined>;
}

export const LOGIN_LOCK = token<LoginLock>("login-lock");

/** One login at a time over all processes of the user, by a name that one of them holds (docs/login.md, One login at a time). */
@injectable()
export class LoginLock {
  constructor(
    @inject(CLAIMS) private readonly claims: Claims,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGIN_FOLDER) private readonly folder: LoginFolder,
  ) {}

  /** @throws SkillError `CANCELLED`, `LOGIN_EXPIRED` after ten minutes of waiting, `CLAIM_FAILED`, and what the action throws. */
  async run<T>({ signal, progress, action, asks, meanwhile }: Locked<T>): Promise<T> {
    const since = this.clock.monotonicMs();
    const before = await this.#failure();
    for (let looks = 0; ; looks += 1) {
      const now = looks === 0 ? before : await this.#failure();
      const answer = await meanwhile?.(now.id === before.id ? undefined : now.how);
      if (answer !== undefined) return answer;
      if (signal.aborted) throw cancelled();
      const claim = await this.claims.claim(`login ${this.folder.path}`);
      if (claim && looks > 0 && (await this.#failure()).id !== now.id) {
        // The login that was waited for has just failed: `meanwhile` decides first.
        await claim.release();
        continue;
      }
      if (claim)
        try {
          return await action();
        } catch (caught) {
          if (asks !== undefined && !isCancelled(caught)) await this.#failed(asks ? "asked" : "quiet");
          throw caught;
        } finally {
          await claim.release();
        }
      if (looks === 0) progress(sentence("waiting-for-other"));
      if (this.clock.monotonicMs() - since > LONGEST_WAIT_MS)
        throw new SkillError("LOGIN_EXPIRED", "Another login has been going on for ten minutes.", {
          hint: "End it, then try again.",
        });
      await pause(LOOK_MS, signal);
    }
  }

  async #failure(): Promise<{ readonly id: unknown; readonly how: Failure | undefined }> {
    const { id, how } = await this.folder.object(FAILURE_FILE).catch(() => ({}) as Record<string, unknown>);
    return { id, how: how === "asked" || how === "quiet" ? how : undefined };
  }

  /** Where it cannot be written, those who wait try for themselves. */
  async #failed(how: Failure): Promise<void> {
    await this.folder.write(FAILURE_FILE, { id: crypto.randomUUID(), how }).catch(() => undefined);
  }
}

function isCancelled(caught: unknown): boolean {
  return caught instanceof SkillError && caught.code === "CANCELLED";
}
