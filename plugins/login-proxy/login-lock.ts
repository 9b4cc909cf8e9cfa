import { CLAIMS, CLOCK, SkillError, inject, injectable, token, type Claims, type Clock } from "skillctl";
import { LOGIN_FOLDER, type LoginFolder } from "./login-folder.ts";
import { pause } from "./pause.ts";
import { sentence } from "./texts.ts";

const LOOK_MS = 100;
/** Nobody waits for the login of somebody else longer than this (docs/login.md, Time-outs). */
const LONGEST_WAIT_MS = 600_000;

/** What is done while nobody else does it. */
export interface Locked<T> {
  readonly signal: AbortSignal;
  /** Told once that another process has the lock. */
  readonly progress: (sentence: string) => void;
  readonly action: () => Promise<T>;
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
  async run<T>({ signal, progress, action }: Locked<T>): Promise<T> {
    const since = this.clock.monotonicMs();
    for (let isFirst = true; ; isFirst = false) {
      await pause(isFirst ? 0 : LOOK_MS, signal);
      const claim = await this.claims.claim(`login ${this.folder.path}`);
      if (claim)
        try {
          return await action();
        } finally {
          await claim.release();
        }
      if (isFirst) progress(sentence("waiting-for-other"));
      if (this.clock.monotonicMs() - since > LONGEST_WAIT_MS)
        throw new SkillError("LOGIN_EXPIRED", "Another login has been going on for ten minutes.", {
          hint: "End it, then try again.",
        });
    }
  }
}
