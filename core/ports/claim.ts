import { portToken } from "../container/token.ts";

/** A name that this process holds. */
export interface Claim {
  /** Gives the name back. A second call does nothing. */
  readonly release: () => Promise<void>;
}

/** Names that one process of this user on this machine holds at a time, as a port. */
export interface Claims {
  /**
   * Takes a name, or answers `undefined` when somebody holds it, this process included. The operating system gives it
   * back when the process ends, however it ends. Holding one does not keep the process alive. A container has names
   * of its own.
   * @throws SkillError `CLAIM_FAILED` when the operating system cannot say who holds it.
   */
  readonly claim: (name: string) => Promise<Claim | undefined>;
}

export const CLAIMS = portToken<Claims>("claims");
