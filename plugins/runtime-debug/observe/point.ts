import type { Field } from "../probes/probe-text.ts";

/** A place in the program at which values are reported, without a change of its code. */
export interface Point {
  readonly hypothesis: string;
  /** Lower-case words joined by hyphens. */
  readonly name: string;
  /** From the project folder, with `/`. */
  readonly path: string;
  /** Absolute. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly data: readonly Field[];
  /** Reported only where this expression holds. Default: at each pass. */
  readonly when?: string;
  /** Whether the expressions may have side effects. */
  readonly allowCall: boolean;
  /** Events a second at most; further passes are counted. */
  readonly perSecond: number;
  /** Events in all at most. */
  readonly most: number;
  /** Whether the points of that name go, instead of one more. Default: no. */
  readonly isRemoved?: boolean;
}

/** The points of an observer. There are only ever more, so that the place of one among them names it. */
export interface PointList {
  readonly all: Point[];
  /** Those that others have replaced. */
  readonly gone: Set<Point>;
}

/** One pass of a program by a point. */
export interface Pass {
  readonly point: Point;
  readonly data: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970, by the program's clock. */
  readonly at: number;
  /** Passes beyond a limit since the last reported one. */
  readonly skipped: number;
}

/** The message about a point: its place, or the reason why it has none. */
export interface PointNote {
  readonly point: Point;
  /** `set`: it is set; `waiting`: no code of its file is loaded; `refused`: it cannot be set. */
  readonly state: "set" | "waiting" | "refused";
  readonly sentence: string;
}

/** The receiver of passes and notes. */
export interface Witness {
  readonly passed: (pass: Pass) => void;
  /** Passes beyond the total limit of a point. */
  readonly skipped: (point: Point, count: number) => void;
  readonly noted: (note: PointNote) => void;
  /** The reason why reports are interrupted; `undefined` once they continue. */
  readonly troubled: (sentence: string | undefined) => void;
}
