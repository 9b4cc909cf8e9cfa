import type { Finding } from "./finding.ts";
import type { Subject, Decision } from "../plugin.ts";

/** One evaluation in which a rule spoke. */
export interface Evaluation {
  /** The argument of `skillctl why`. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Duration in microseconds. */
  readonly tookUs: number;
  readonly decision: Decision;
  readonly findings: readonly Finding[];
  readonly subject: Subject;
}

/** Records evaluations. It must not throw: a decision stands whether or not it is recorded. */
export interface Audit {
  readonly record: (evaluation: Evaluation) => void;
}

let first = "";
let count = 0;

/** The name of an evaluation: unique in this process, and very probably on this machine. */
export function nextId(): string {
  if (first === "") {
    const chance = Math.floor(Math.random() * 36 ** 4).toString(36);
    first = `g-${Date.now().toString(36)}${chance.padStart(4, "0")}-`;
  }
  count += 1;
  return first + count.toString(36);
}
