import type { State } from "./steps.ts";

/** The answers that a question offers; D is always to abort. */
export type Letter = "A" | "B" | "C" | "D";

/** A question to the user and its options (specification of runtime debugging, "User answers at verification"). */
export interface Question {
  readonly text: string;
  readonly options: Readonly<Record<Letter, string>>;
}

const ABORT = "Abort debugging";

/** What a session asks in which state. In the others only D can be answered: an abort is always possible. */
export const QUESTIONS: Readonly<Partial<Record<State, Question>>> = {
  observing: {
    text: "Can you provide the information that is missing?",
    options: {
      A: "Provided",
      B: "Unable to obtain it",
      C: "I need help to collect it",
      D: ABORT,
    },
  },
  reproducing: {
    text: "Did the bug show while you followed the steps?",
    options: {
      A: "Reproduced as described",
      B: "Cannot reproduce it",
      C: "The behaviour differs",
      D: ABORT,
    },
  },
  confirming: {
    text: "Is the bug gone?",
    options: {
      A: "Fixed, or no longer reproducible",
      B: "Still reproducible",
      C: "The symptoms have changed, or it needs further analysis",
      D: ABORT,
    },
  },
};

/** The question as numbered text, for surfaces that cannot ask. */
export function questionText({ text, options }: Question): string {
  return [text, ...Object.entries(options).map(([letter, option]) => `  ${letter}) ${option}`)].join("\n");
}
