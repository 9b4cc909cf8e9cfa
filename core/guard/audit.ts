import type { Subject } from "../plugin.ts";
import type { Finding } from "./finding.ts";
import type { Decision } from "../plugin.ts";

/** One evaluation in which a rule spoke. */
export interface Evaluation {
  /** What `skillctl why` asks for. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** How long it took, in microseconds. */
  readonly tookUs: number;
  readonly decision: Decision;
  readonly findings: readonly Finding[];
  readonly subject: Subject;
}

/** Keeps evaluations. It must not throw: a decision stands whether it is recorded or not. */
export interface Audit {
  readonly record: (evaluation: Evaluation) => void;
}
