import { subscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { SkillError } from "../errors/skill-error.ts";
import type { Http, HttpRequest, HttpResponse } from "../ports/http.ts";

/** Error codes of the network layer that come before a byte of the request has left. */
const NOT_SENT = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** The network through ky, which is loaded with the first request. Redirects are answers, not followed. */
export const kyHttp: Http = {
  send: async (request) => {
    const { default: ky } = await import("ky");
    tellLostConnections();
    const late = new AbortController();
    // Not AbortSignal.timeout: that lets a process end in the middle of a call whose connection is gone.
    const timer = setTimeout(() => late.abort(), request.timeoutMs);
    const signal = request.signal ? AbortSignal.any([late.signal, request.signal]) : late.signal;
    try {
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

/**
 * While Node 20 compiles its HTTP parser, for the first connection of a process, it does not watch that one: a
 * request on one that closes meanwhile, as those to forwarded ports without a server do, would never settle.
 * So its closing is told once more when Node listens; it connects again then, since nothing has been sent.
 */
function tellLostConnections(): void {
  if (telling) return;
  telling = true;
  subscribe("undici:client:connected", (message) => {
    const { socket } = message as { readonly socket: Socket };
    if (socket.closed) socket.emit("close");
  });
}

let telling = false;

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
    return new SkillError("NETWORK_UNREACHED", "The address of the request is no URL.", {
      hint: "Check the address.",
    });
  }
  const { origin } = new URL(request.url);
  if (timeout.aborted) {
    const seconds = request.timeoutMs / 1000;
    return new SkillError("NETWORK_TIMEOUT", `${origin} did not answer within ${seconds} s.`);
  }
  if (request.signal?.aborted)
    return new SkillError("CANCELLED", "The call was ended before an answer came.");
  const cause = firstCoded(caught);
  const code = cause?.code ?? "";
  return NOT_SENT.has(code) || isBlockedPort(caught)
    ? new SkillError("NETWORK_UNREACHED", `${origin} cannot be reached (${code || "blocked port"}).`, {
        hint: "Check the address and the network.",
        cause,
      })
    : new SkillError("NETWORK_BROKEN", `The connection to ${origin} broke (${code || "no code"}).`, {
        cause,
      });
}

/** The first error with a code along the causes, into the parts of an AggregateError: what the system said. */
function firstCoded(caught: unknown): NodeJS.ErrnoException | undefined {
  for (let error = caught as NodeJS.ErrnoException | undefined; error; error = error.cause as typeof error) {
    const first = error instanceof AggregateError ? (error.errors[0] as NodeJS.ErrnoException) : error;
    if (typeof first?.code === "string") return first;
  }
  return undefined;
}

/** Some ports are never called by fetch, so that nothing was sent. */
function isBlockedPort(caught: unknown): boolean {
  return caught instanceof Error && (caught.cause as Error | undefined)?.message === "bad port";
}
