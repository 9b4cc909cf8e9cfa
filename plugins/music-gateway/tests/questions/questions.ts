/** The table: every question with what must hold of its answer. */
import { audienceQuestions } from "./audience-questions.ts";
import { dateQuestions } from "./date-questions.ts";
import { declinedQuestions } from "./declined-questions.ts";
import type { Question } from "./expectation.ts";
import { playQuestions } from "./play-questions.ts";
import { saleQuestions } from "./sale-questions.ts";

export const questions: readonly Question[] = [
  ...dateQuestions,
  ...playQuestions,
  ...saleQuestions,
  ...audienceQuestions,
  ...declinedQuestions,
];
