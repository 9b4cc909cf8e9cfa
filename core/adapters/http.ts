import { SkillError } from "../errors/skill-error.ts";
import type { Http, HttpRequest, HttpResponse } from "../ports/http.ts";

/** Error codes of the network layer that come before a byte of the request has left. */
const NOT_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"]);

/** The network through ky, which is loaded with the first request. Redirects are answers, not followed. */
export const kyHttp: Http = {
  send: async (request) => {
    const { default: ky } = await import("ky");
    const late = new AbortController();
    // Not AbortSignal.timeout: that lets a process end in the middle of a call whose connection is gone.
    const timer = setTimeout(() => late.abort(), request.timeoutMs);
    const signal = request.signal ? AbortSignal.any([late.signal, request.signal]) : late.signal;
    try {
      await parserReady();
      const response = await ky(request.url, {
        method: request.method,
        ...(request.headers && { headers: { ...request.headers } }),
        ...(request.body !== undefined && { body: request.body }),
        redirect: "manual",
        retry: 0,
        timeout: false,
        throwHttpErrors: false,
        signal,
      });
      return await read(response, request);
    } catch (caught) {
      throw translated(caught, request, late.signal);
    } finally {
      clearTimeout(timer);
    }
  },
};

let ready: Promise<unknown> | undefined;

/**
 * Resolves when Node's fetch has compiled its HTTP parser. It begins that when it is first used and does not watch
 * the first connection meanwhile: a request on one that closes at once, as forwarded ports do, would never settle.
 * Compiling is done in turn, so an empty module is ready when the parser is.
 */
function parserReady(): Promise<unknown> {
  return (ready ??= fetch("data:,").then(() => WebAssembly.compile(EMPTY_MODULE)));
}

/** The magic number and the version of WebAssembly. */
const EMPTY_MODULE = new Uint8Array([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]);

async function read(response: Response, { maxBytes }: HttpRequest): Promise<HttpResponse> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const body = (response.body ?? []) as AsyncIterable<Uint8Array>;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new SkillError("NETWORK_TOO_LARGE", `The answer is over ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  const contentType = response.headers.get("content-type") ?? "";
  return { status: response.status, contentType, body: Buffer.concat(chunks).toString("utf8") };
}

/** Names the origin only: neither path, headers nor body reach a message. */
function translated(caught: unknown, request: HttpRequest, timeout: AbortSignal): unknown {
  if (caught instanceof SkillError) return caught;
  if (!URL.canParse(request.url)) {
    return new SkillError("NETWORK_UNREACHED", "The address of the request is no URL.", { hint: "Check the address." });
  }
  const { origin } = new URL(request.url);
  if (timeout.aborted) {
    const seconds = request.timeoutMs / 1000;
    return new SkillError("NETWORK_TIMEOUT", `${origin} did not answer within ${seconds} s.`);
  }
  if (request.signal?.aborted) return new SkillError("CANCELLED", "The call was ended before an answer came.");
  const code = causeCode(caught);
  return NOT_SENT.has(code)
    ? new SkillError("NETWORK_UNREACHED", `${origin} cannot be reached (${code}).`, {
        hint: "Check the address and the network.",
      })
    : new SkillError("NETWORK_BROKEN", `The connection to ${origin} broke (${code || "no code"}).`);
}

/** The first error code along the causes, into the parts of an AggregateError. */
function causeCode(caught: unknown): string {
  for (let error = caught as NodeJS.ErrnoException | undefined; error; error = error.cause as typeof error) {
    const first = error instanceof AggregateError ? (error.errors[0] as NodeJS.ErrnoException) : error;
    if (typeof first?.code === "string") return first.code;
  }
  return "";
}
