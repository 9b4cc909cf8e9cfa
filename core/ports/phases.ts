import { portToken } from "../container/token.ts";

/** A change of the phase that a skill is in: from one to another, into the first, or out of the last. */
export interface PhaseChange {
  /** The project folder that the phases belong to, absolute. */
  readonly folder: string;
  /** Tells the sessions of a skill in one folder apart. At most 200 characters. */
  readonly session?: string;
  /** The phase to leave, without the skill's name; missing at the beginning. */
  readonly from?: string;
  /** The phase to enter; missing at the end. */
  readonly to?: string;
}

/** Lets rules judge the changes of phase of the skill that asks. */
export interface Phases {
  /**
   * Evaluates the rules for `phase.leave`, then those for `phase.enter`. Call it before writing any part of the change;
   * without the call no rule applies. Warnings go to the log. Rule handlers run while the caller waits, so they must not
   * wait for locks of the caller.
   * @throws SkillError `GUARD_DENIED`, `GUARD_ASKS`, `GUARD_FAILED`
   */
  readonly change: (change: PhaseChange) => Promise<void>;
}

export const PHASES = portToken<Phases>("phases");
