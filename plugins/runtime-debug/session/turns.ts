import { CLAIMS, SkillError, inject, injectable, token } from "skillctl";
import type { Claim, Claims } from "skillctl";
import { pause } from "../server/pause.ts";

const LOOK_MS = 25;
/** A command that starts a server takes a few seconds; this is how long others wait for it, in milliseconds. */
const PATIENCE_MS = 20_000;

/** Commands that change a session come one after another: agents call several at once. */
@injectable()
export class Turns {
  constructor(@inject(CLAIMS) private readonly claims: Claims) {}

  /** No two of the same session at a time. @throws SkillError `DEBUG_CHANGED`, `CANCELLED`, `CLAIM_FAILED`, and what `work` throws */
  session<T>(root: string, id: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const busy = (): SkillError =>
      new SkillError("DEBUG_CHANGED", `Another command is changing the session ${id} still.`, {
        hint: "Wait until it has ended, and try again.",
      });
    return this.#taken(`runtime-debug turn:${root}:${id}`, signal, busy, work);
  }

  /** No two starts in the same project at a time. @throws SkillError `DEBUG_SESSION_TAKEN`, as `session` does */
  start<T>(root: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const busy = (): SkillError =>
      new SkillError("DEBUG_SESSION_TAKEN", `Another session is being begun in ${root} still.`, {
        hint: "Wait until it has begun, and try again.",
      });
    return this.#taken(`runtime-debug start:${root}`, signal, busy, work);
  }

  async #taken<T>(
    name: string,
    signal: AbortSignal,
    busy: () => SkillError,
    work: () => Promise<T>,
  ): Promise<T> {
    const claim = await this.#claim(name, signal);
    if (!claim)
      throw signal.aborted ? new SkillError("CANCELLED", "It was cancelled before its turn.") : busy();
    try {
      return await work();
    } finally {
      await claim.release();
    }
  }

  async #claim(name: string, signal: AbortSignal): Promise<Claim | undefined> {
    const late = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
    for (;;) {
      const claim = await this.claims.claim(name);
      if (claim || late.aborted) return claim;
      await pause(LOOK_MS, late);
    }
  }
}

export const TURNS = token<Turns>("turns");
