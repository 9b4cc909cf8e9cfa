import { SkillError } from "../errors/skill-error.ts";
import type { Http, HttpRequest, HttpResponse } from "../ports/http.ts";

/** A network whose other side is a function. */
export interface ScriptedHttp extends Http {
  /** Every request that was sent, in order. */
  readonly requests: readonly HttpRequest[];
}

/** Answers requests from a function. What it does not answer cannot be reached: `NETWORK_UNREACHED`. */
export function scriptedHttp(
  answer: (
    request: HttpRequest,
  ) => Partial<HttpResponse> | undefined | Promise<Partial<HttpResponse> | undefined>,
): ScriptedHttp {
  const requests: HttpRequest[] = [];
  return {
    requests,
    send: async (request) => {
      requests.push(request);
      const response = await answer(request);
      if (!response)
        throw new SkillError("NETWORK_UNREACHED", `Nothing answers at ${new URL(request.url).origin}.`);
      return { status: 200, contentType: "application/json", headers: {}, body: "", ...response };
    },
  };
}
