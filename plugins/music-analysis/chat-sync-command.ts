import { SkillError, inject, injectable, type Call, type CommandHandler } from "skillctl";
import { OUTCOMES, type Outcomes } from "./agent/outcomes.ts";
import { PRODUCT_NAMES, type ProductNames } from "./answer/product-names.ts";
import { ANALYSIS_CLIENT, isSuccess, withTexts, type AnalysisClient } from "./client.ts";
import type { ChatRequest, ChatSyncOutput } from "./contract.ts";
import { refusalOf } from "./failures.ts";
import { SERVICE, type Service } from "./service.ts";

/** The wrapper of the specification: one request, the reply as formatted JSON (four spaces, nothing escaped). */
@injectable()
export class ChatSyncCommand implements CommandHandler<ChatRequest, ChatSyncOutput> {
  constructor(
    @inject(SERVICE) private readonly service: Service,
    @inject(ANALYSIS_CLIENT) private readonly client: AnalysisClient,
    @inject(OUTCOMES) private readonly outcomes: Outcomes,
    @inject(PRODUCT_NAMES) private readonly products: ProductNames,
  ) {}

  readonly run = async (input: ChatRequest, call: Call): Promise<ChatSyncOutput> => {
    const endpoint = await this.service.endpoint(call);
    const reply = await this.client
      .send(input, endpoint, call.signal)
      .catch((caught: unknown) => this.outcomes.failed(input.userMessage, caught));
    const refusal = isSuccess(reply) ? undefined : refusalOf(reply);
    if (refusal) await this.outcomes.refused(input.userMessage, refusal);
    const code = typeof reply.code === "string" ? this.products.without(reply.code) : reply.code;
    const result = { text: JSON.stringify(this.#filtered(reply.raw), null, 4), code };
    if (refusal)
      throw new SkillError("MUSIC_NOT_ACCEPTED", `The service answered with the code ${code}.`, { result });
    return result;
  };

  /** The reply without product names in any of its texts; their number is reported once. */
  #filtered(raw: unknown): unknown {
    let removed = 0;
    const clean = (text: string): string => {
      const kept = this.products.filtered(text);
      removed += kept.removed;
      return kept.text;
    };
    const filtered = withTexts(raw, clean);
    this.products.tell(removed);
    return filtered;
  }
}
