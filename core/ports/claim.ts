import { portToken } from "../container/token.ts";

/** A name that this process holds. */
export interface Claim {
  /** Releases the name. A second call does nothing. */
  readonly release: () => Promise<void>;
}

/** Names, each held by at most one process at a time: of this user on this machine, or of all that share a database. */
export interface Claims {
  /**
   * Acquires a name; `undefined` if a process, this one included, already holds it. It is released when the process ends,
   * however it ends; in a database also when the connection breaks, after which it is acquired again, and the log says if another process
   * was first. A held name does not keep the process running. With files, each container has its own names.
   * @throws SkillError `CLAIM_FAILED` if the holder cannot be determined; of a database `STATE_UNAVAILABLE`
   */
  readonly claim: (name: string) => Promise<Claim | undefined>;
}

export const CLAIMS = portToken<Claims>("claims");
