import { SkillError, inject, injectable, type Call, type CommandHandler } from "skillctl";
import { OUTCOMES, type Outcomes } from "./agent/outcomes.ts";
import { ANALYSIS_CLIENT, type AnalysisClient } from "./client.ts";
import type { ChatRequest, ChatSyncOutput } from "./contract.ts";
import { LEDGER, type Ledger } from "./conversation/ledger.ts";
import { refusalOf } from "./outcome.ts";
import { isSuccess } from "./reply.ts";
import { SERVICE, type Service } from "./service.ts";

/** The wrapper of the specification: one request, the reply as formatted JSON (four spaces, nothing escaped). */
@injectable()
export class ChatSyncCommand implements CommandHandler<ChatRequest, ChatSyncOutput> {
  constructor(
    @inject(SERVICE) private readonly service: Service,
    @inject(ANALYSIS_CLIENT) private readonly client: AnalysisClient,
    @inject(LEDGER) private readonly ledger: Ledger,
    @inject(OUTCOMES) private readonly outcomes: Outcomes,
  ) {}

  readonly run = async (input: ChatRequest, call: Call): Promise<ChatSyncOutput> => {
    const endpoint = await this.service.endpoint(call);
    const reply = await this.client
      .send(input, endpoint, call.signal)
      .catch((caught: unknown) => this.outcomes.failed(input.userMessage, caught));
    const refusal = isSuccess(reply) ? undefined : refusalOf(reply);
    if (refusal) await this.outcomes.refused(input.userMessage, refusal.code);
    const result = { text: JSON.stringify(reply.raw, null, 4), code: reply.code };
    if (isSuccess(reply)) {
      await this.ledger.note(endpoint.login);
      return result;
    }
    throw new SkillError("MUSIC_NOT_ACCEPTED", `The service answered with the code ${reply.code}.`, {
      result,
    });
  };
}
