import { inject, injectable, type CommandHandler } from "skillctl";
import { accountOf } from "./chat-sync-route.ts";
import type { AnswerOutput, ExplainInput } from "./contract.ts";
import { LAST_QUESTIONS, type LastQuestions } from "./last-questions.ts";
import { COLLECTIONS, type Collections } from "./library/collections.ts";

/** Shows how a question is understood, and its unknown words. */
@injectable()
export class ExplainCommand implements CommandHandler<ExplainInput, AnswerOutput> {
  constructor(
    @inject(COLLECTIONS) private readonly collections: Collections,
    @inject(LAST_QUESTIONS) private readonly questions: LastQuestions,
  ) {}

  async run({ question, song }: ExplainInput): Promise<AnswerOutput> {
    const { answerTo } = await import("./answer/answers.ts");
    return this.collections.use(async (collection) => {
      const earlier = await this.questions.of(accountOf(collection.source));
      const next = { message: question, songId: song };
      return (await answerTo(next, earlier, collection, this.questions.today())).output;
    });
  }
}
