import { HTTP, SkillError, inject, injectable, token, type Http, type HttpResponse } from "skillctl";
import type { ChatRequest } from "./contract.ts";
import { outcomeUnknown, readReply, type Reply } from "./reply.ts";
import type { ServiceEndpoint } from "./service.ts";

/** Headers and body together; the service gives up at 240 s (specification, Limits). */
const TIMEOUT_MS = 260_000;
/** The decoded body (docs/music-analysis.md, Replies). */
const MAX_BYTES = 8 * 1024 * 1024;
const PATH = "/openapi/v1/musician/data/agent/chat-sync";

export const ANALYSIS_CLIENT = token<AnalysisClient>("analysis-client");

/** The one remote operation: fixed path, header and time-out, and exactly two fields. */
@injectable()
export class AnalysisClient {
  constructor(@inject(HTTP) private readonly http: Http) {}

  /**
   * Sends a question once; when no byte of it can have left the machine, once more.
   * @throws SkillError `MUSIC_OUTCOME_UNKNOWN`, `MUSIC_REPLY_BROKEN`, `MUSIC_TIMEOUT`, `NETWORK_UNREACHED`,
   * `CANCELLED`. None shows the token or the body.
   */
  async send(question: ChatRequest, endpoint: ServiceEndpoint, signal: AbortSignal): Promise<Reply> {
    const { origin, token: value, viaEnvironment = false, http = this.http } = endpoint;
    const post = (): Promise<HttpResponse> =>
      http.send({
        method: "POST",
        url: origin + PATH,
        headers: {
          "content-type": "application/json",
          accept: "application/json",
          "svc-header-token": value,
          // Calls are minutes apart: a connection kept for the next one would be dead by then.
          connection: "close",
        },
        body: bodyOf(question),
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
        signal,
        viaEnvironment,
      });
    try {
      return readReply(
        await post().catch((caught: unknown) => (notSent(caught) ? post() : Promise.reject(caught))),
      );
    } catch (caught) {
      throw translated(caught);
    }
  }
}

/** Built field by field, so that no further one can be sent whatever the object holds. */
export function bodyOf({ userMessage, songId }: ChatRequest): string {
  return JSON.stringify(songId === undefined ? { userMessage } : { userMessage, songId });
}

function notSent(caught: unknown): boolean {
  return caught instanceof SkillError && caught.code === "NETWORK_UNREACHED";
}

function translated(caught: unknown): unknown {
  if (!(caught instanceof SkillError)) return caught;
  if (caught.code === "NETWORK_TIMEOUT") return new SkillError("MUSIC_TIMEOUT", caught.message);
  const open = caught.code === "NETWORK_BROKEN" || caught.code === "NETWORK_TOO_LARGE";
  return open ? outcomeUnknown(caught.message) : caught;
}
