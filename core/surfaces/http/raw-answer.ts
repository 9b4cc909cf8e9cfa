import type { RouteReply } from "../../plugin.ts";
import { answerOf, type Answer } from "./answer.ts";

/** Browsers must not guess another type: a text may hold what a stranger wrote. */
export const NO_SNIFFING: readonly string[] = ["X-Content-Type-Options", "nosniff"];

/** Makes answers of replies. What takes events says the same word each time, so the last text is kept as an answer. */
export class RawAnswers {
  #shared: readonly string[] | undefined;
  #last: Answer | undefined;

  /** `shared` are header lines that the answer carries too. */
  of(reply: RouteReply, shared: readonly string[]): Answer {
    const isPlain = typeof reply.body === "string" && !reply.headers;
    const last = this.#last;
    if (isPlain && last?.text === reply.body && last.status === reply.status && this.#shared === shared)
      return last;
    const answer = answerTo(reply, shared);
    if (isPlain) {
      this.#last = answer;
      this.#shared = shared;
    }
    return answer;
  }
}

function answerTo({ status, body, headers }: RouteReply, shared: readonly string[]): Answer {
  const isText = typeof body === "string";
  const lines = ["Content-Type", isText ? "text/plain; charset=utf-8" : "application/json; charset=utf-8"];
  lines.push(...NO_SNIFFING, ...shared);
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (name.toLowerCase() === "content-type") lines[1] = value;
    else lines.push(name, value);
  }
  return answerOf(status, lines, isText ? body : JSON.stringify(body ?? null));
}
