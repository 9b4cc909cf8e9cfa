import type { Finding } from "./finding.ts";
import type { Subject, Decision } from "../plugin.ts";

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

let first = "";
let count = 0;

/** A name of an evaluation: unlike any other of this process, and hardly ever like one of another. */
export function nextId(): string {
  if (first === "") {
    const chance = Math.floor(Math.random() * 36 ** 4).toString(36);
    first = `g-${Date.now().toString(36)}${chance.padStart(4, "0")}-`;
  }
  count += 1;
  return first + count.toString(36);
}
