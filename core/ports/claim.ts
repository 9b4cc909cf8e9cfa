import { portToken } from "../container/token.ts";

/** A name that this process holds. */
export interface Claim {
  /** Releases the name. A second call does nothing. */
  readonly release: () => Promise<void>;
}

/** Names, each held by at most one process of this user on this machine at a time. */
export interface Claims {
  /**
   * Acquires a name; `undefined` if a process, this one included, already holds it. The operating system releases it when
   * the process ends, however it ends. A held name does not keep the process running. Each container has its own names.
   * @throws SkillError `CLAIM_FAILED` if the operating system cannot determine the holder.
   */
  readonly claim: (name: string) => Promise<Claim | undefined>;
}

export const CLAIMS = portToken<Claims>("claims");
