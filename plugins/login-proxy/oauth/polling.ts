import { CLOCK, SkillError, inject, injectable, token, type Clock } from "skillctl";
import { slower, type DeviceCode } from "./device-code.ts";
import type { Grant, PollAnswer } from "./oauth-server.ts";
import { PAUSE, type Pause } from "./pause.ts";

/** Network failures double the wait, but not beyond this, unless the server asked for longer. */
const LONGEST_BACK_OFF_MS = 60_000;

export const POLLING = token<Polling>("login-proxy/polling");

/** Asks again and again whether a code has been confirmed, as RFC 8628 3.5 says. */
@injectable()
export class Polling {
  constructor(
    @inject(CLOCK) private readonly clock: Clock,
    @inject(PAUSE) private readonly pause: Pause,
  ) {}

  /** Waits once. @throws SkillError `CANCELLED` */
  async rest(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (milliseconds > 0) await this.pause(milliseconds, signal);
  }

  /**
   * Waits before each question, the first included.
   * @throws SkillError `LOGIN_REFUSED`, `LOGIN_EXPIRED`, `CANCELLED`, `CONFIG_INVALID`, and `NETWORK_*` when the server
   * could not be reached until the code had expired.
   */
  async untilConfirmed(
    issued: DeviceCode,
    poll: () => Promise<PollAnswer>,
    signal: AbortSignal,
  ): Promise<Grant> {
    const end = this.clock.monotonicMs() + issued.expiresAt - this.clock.now();
    let code = issued;
    let failures = 0;
    let failure: SkillError | undefined;
    for (;;) {
      const intervalMs = code.intervalSeconds * 1000;
      const waitMs = Math.min(intervalMs * 2 ** failures, Math.max(intervalMs, LONGEST_BACK_OFF_MS));
      if (this.clock.monotonicMs() + waitMs > end) throw failure ?? expired();
      await this.pause(waitMs, signal);
      try {
        const answer = await poll();
        failures = 0;
        failure = undefined;
        if (typeof answer === "object") return answer;
        if (answer === "slow") code = slower(code);
        else if (answer !== "pending") throw endedBy(answer);
      } catch (caught) {
        if (!isPassing(caught)) throw caught;
        failures += 1;
        failure = caught;
      }
    }
  }
}

/** @returns the error for an answer after which there is nothing to wait for. */
export function endedBy(answer: "denied" | "expired"): SkillError {
  return answer === "expired"
    ? expired()
    : new SkillError("LOGIN_REFUSED", "The login was refused on the login page.", {
        hint: "Log in again, and confirm the code that is shown.",
      });
}

function expired(): SkillError {
  return new SkillError("LOGIN_EXPIRED", "The code was not confirmed in time.", {
    hint: "Log in again: `skillctl run login-proxy login`.",
  });
}

function isPassing(caught: unknown): caught is SkillError {
  return caught instanceof SkillError && caught.code.startsWith("NETWORK_");
}
