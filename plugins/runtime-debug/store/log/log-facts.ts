import type { SkillError } from "skillctl";

/** How a log does. */
export interface LogFacts {
  /** Why the last body could not be stored; `undefined` when it could. */
  readonly storage: SkillError | undefined;
  /** In the visible segment. */
  readonly events: number;
  /** When the last event was received, in milliseconds since the epoch; `undefined` when there is none. */
  readonly lastAt: number | undefined;
  readonly run: string;
  /** Number of the visible segment. */
  readonly segment: number;
  /** `_seq` of the last event that lasts; 0 when there was none. */
  readonly seq: number;
  /** Bodies, or parts of them, since the last purge. */
  readonly rejected: number;
  /** Events left out of the middle of all segments. */
  readonly dropped: number;
  /** Of the visible segment. */
  readonly bytes: number;
  /** What was mended and what others did to the log, at most 20 sentences. */
  readonly findings: readonly string[];
}
