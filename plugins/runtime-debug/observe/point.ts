import type { Field } from "../probes/probe-text.ts";

/** A place in the program at which values are reported, without a change of its code. */
export interface Point {
  readonly hypothesis: string;
  /** Lower-case words joined by hyphens. */
  readonly name: string;
  /** Relative to the project folder, with `/`. */
  readonly path: string;
  /** Absolute. */
  readonly file: string;
  /** The line number, from 1. */
  readonly line: number;
  readonly data: readonly Field[];
  /** Values are reported only if this expression is true. Default: at each pass. */
  readonly when?: string;
  /** Whether the expressions may have side effects. */
  readonly allowCall: boolean;
  /** Maximum number of events per second; further passes are counted. */
  readonly perSecond: number;
  /** Maximum number of events in total. */
  readonly most: number;
  /** Whether the points of that name are removed, instead of one being added. Default: no. */
  readonly isRemoved?: boolean;
}

/** The points of an observer. Points are only added, so the index of a point identifies it. */
export interface PointList {
  readonly all: Point[];
  /** The points that were replaced or removed. */
  readonly gone: Set<Point>;
}

/** One pass of a program through a point. */
export interface Pass {
  readonly point: Point;
  readonly data: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970, by the program's clock. */
  readonly at: number;
  /** The number of passes beyond a limit since the last reported pass. */
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
  /** Receives the number of passes beyond the total limit of a point. */
  readonly skipped: (point: Point, count: number) => void;
  readonly noted: (note: PointNote) => void;
  /** Receives the reason why reports are interrupted; `undefined` once they continue. */
  readonly troubled: (sentence: string | undefined) => void;
}
