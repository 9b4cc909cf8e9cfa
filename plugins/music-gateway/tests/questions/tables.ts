import fourthQuestions from "./questions-fourth.json" with { type: "json" };
import type { Expectation, Question } from "./judge.ts";
import firstQuestions from "./questions-first.json" with { type: "json" };
import secondQuestions from "./questions-second.json" with { type: "json" };
import thirdQuestions from "./questions-third.json" with { type: "json" };

type Row = Expectation & Pick<Question, "question"> & Partial<Pick<Question, "language">>;

/** The questions of a table by family, whose language is that of their script unless it is stated. */
function rowsOf(table: unknown): readonly Question[] {
  return Object.entries(table as Readonly<Record<string, readonly Row[]>>).flatMap(([family, rows]) =>
    rows.map(
      ({ question, language = /\p{Script=Han}/u.test(question) ? "zh" : "en", ...expected }, place) => ({
        id: `${family}-${String(place + 1).padStart(2, "0")}`,
        family,
        question,
        language,
        expected,
      }),
    ),
  );
}

/** All questions of the tables. */
export const QUESTIONS: readonly Question[] = [
  ...rowsOf(firstQuestions),
  ...(secondQuestions as readonly Question[]),
  ...(thirdQuestions as unknown as readonly Question[]),
  ...rowsOf(fourthQuestions),
];
