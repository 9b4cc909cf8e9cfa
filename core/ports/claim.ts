import { portToken } from "../container/token.ts";

/** A name that this process holds. */
export interface Claim {
  /** Releases the name. A second call does nothing. */
  readonly release: () => Promise<void>;
}

/** Names of which each is held by one process of this user on this machine at a time, as a port. */
export interface Claims {
  /**
   * Acquires a name; `undefined` if a process, this one included, already holds it. The operating system releases it when
   * the process ends, however it ends. A held name does not keep the process alive. A container has names of its own.
   * @throws SkillError `CLAIM_FAILED` if the operating system cannot determine the holder.
   */
  readonly claim: (name: string) => Promise<Claim | undefined>;
}

export const CLAIMS = portToken<Claims>("claims");
