import { inject, injectable, type CommandHandler } from "skillctl";
import type { AnswerOutput, Query } from "./contract.ts";
import { LAST_QUESTIONS, type LastQuestions } from "./last-questions.ts";
import { COLLECTIONS, type Collections } from "./library/collections.ts";
import { LIBRARY, type Library } from "./library/library.ts";

/** Measures without figures in the sample, as a fixed list: reading the sample would load DuckDB only to list tools. */
const ABSENT_FROM_SAMPLE = ["view_share", "shazams", "income_per_1000_views"];

/** Answers a query with rows. */
@injectable()
export class QueryCommand implements CommandHandler<Query, AnswerOutput> {
  constructor(
    @inject(COLLECTIONS) private readonly collections: Collections,
    @inject(LAST_QUESTIONS) private readonly questions: LastQuestions,
    @inject(LIBRARY) private readonly library: Library,
  ) {}

  /** Measures and splits that are not in the files. */
  async absent(): Promise<readonly string[]> {
    if ((await this.library.holdings()).files.length === 0) return ABSENT_FROM_SAMPLE;
    const { absentFrom } = await import("./answer/answers.ts");
    return this.collections.use(absentFrom);
  }

  async run(query: Query): Promise<AnswerOutput> {
    const { answerQuery } = await import("./answer/answers.ts");
    return this.collections.use(async (collection) => {
      const { output, content } = await answerQuery(query, collection, this.questions.today());
      return { ...output, text: content };
    });
  }
}
