import type { ShellFacts } from "../contract.ts";
import type { FileEdit } from "./desk.ts";
import type { Decision, Subject } from "../plugin.ts";
import type { Finding } from "./judgement.ts";
import type { Built } from "./predicate.ts";
import type { OwnRules } from "./rules.ts";

/** The parts of a guard besides the skills and their code. */
export interface GuardOptions {
  /** Rules of the working folder, the person and the machine. */
  readonly rules?: OwnRules;
  /** Finds predicates that the build compiled. Default: none. */
  readonly built?: Built;
  /** Records evaluations in which a rule matched. Default: no record. */
  readonly audit?: Audit | undefined;
  /** Milliseconds since the epoch, for evaluations. */
  readonly now?: () => number;
  /**
   * The phases of skills at a folder and at the other places that a request names; with `everywhere`, also at every
   * folder that the skills list. Default: none.
   */
  readonly phases?:
    | ((
        cwd: string | undefined,
        named: readonly string[],
        options: { readonly everywhere: boolean },
      ) => Promise<readonly string[]>)
    | undefined;
  /** Reads a shell command. Default: everything about it is unknown. */
  readonly shell?: ((command: string, cwd: string | undefined) => Promise<ShellFacts>) | undefined;
  /** Computes the results of an edit tool; undefined for other tools. Default: no result is known. */
  readonly edits?: ((subject: Subject) => Promise<readonly FileEdit[] | undefined>) | undefined;
  /** Creates the name of an evaluation. Default: from the time, a random part and a counter. */
  readonly newId?: () => string;
}

/** One evaluation in which a rule matched. */
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
  /** A person has approved the questions of an evaluation through a surface. */
  readonly approve?: (id: string, surface: string) => void;
}

const first = `g-${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6).padEnd(4, "0")}-`;
let count = 0;

/** The name of an evaluation: unique in this process, and very probably on this machine. */
export function nextId(): string {
  count += 1;
  return first + count.toString(36);
}
