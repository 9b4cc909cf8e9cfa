import { SkillError } from "../errors/skill-error.ts";
import type { Http, HttpRequest, HttpResponse } from "../ports/http.ts";

/** A network without servers. */
export interface ScriptedHttp extends Http {
  /** Every sent request, in order. */
  readonly requests: readonly HttpRequest[];
}

/**
 * Creates a network whose requests `answer` answers. Defaults of a response: status 200, `application/json`, an empty body. If
 * `answer` returns `undefined`, the request fails with `NETWORK_UNREACHED`.
 */
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
