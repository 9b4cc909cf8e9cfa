import { portToken } from "../container/token.ts";

/** A skill goes from one phase to another, comes into the first one, or leaves the last one. */
export interface PhaseChange {
  /** Where the skill's phases stand: the project's folder, absolute. */
  readonly folder: string;
  /** What is in that phase, when the skill has several under way in one folder. At most 200 characters. */
  readonly session?: string;
  /** The phase that is left, without the skill's name; missing where something begins. */
  readonly from?: string;
  /** The phase that is entered; missing where something ends. */
  readonly to?: string;
}

/** Asks the rules whether a skill may change its phase, as a port: each plugin gets it for its own skill. */
export interface Phases {
  /**
   * Puts `phase.leave` and then `phase.enter` before the rules that hear them. Asked before anything of the change is
   * written; whoever does not ask passes the rules by. A warning goes to the log. Handlers of rules are asked while the
   * caller waits, so that they must not wait for what the caller holds.
   * @throws SkillError `GUARD_DENIED`, `GUARD_ASKS`, `GUARD_FAILED`
   */
  readonly change: (change: PhaseChange) => Promise<void>;
}

export const PHASES = portToken<Phases>("phases");
