import { CLOCK, inject, injectable, type Clock, type CommandHandler } from "skillctl";
import { explain } from "./answer/answer.ts";
import { dayIn } from "./chat-sync-route.ts";
import type { ExplainInput, ExplainOutput } from "./contract.ts";
import { COLLECTIONS, type Collections } from "./library/collections.ts";

/** Shows what a question is understood as, and what in it is not. */
@injectable()
export class ExplainCommand implements CommandHandler<ExplainInput, ExplainOutput> {
  constructor(
    @inject(COLLECTIONS) private readonly collections: Collections,
    @inject(CLOCK) private readonly clock: Clock,
  ) {}

  run({ question, song }: ExplainInput): Promise<ExplainOutput> {
    return this.collections.use((collection) => explain(question, song, collection, dayIn(this.clock)));
  }
}
