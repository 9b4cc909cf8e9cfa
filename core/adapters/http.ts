import { subscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { SkillError } from "../errors/skill-error.ts";
import type { Http, HttpRequest } from "../ports/http.ts";

/** The network through ky, which is loaded with the first request. Redirects are answers, not followed. */
export const kyHttp: Http = {
  send: async (request) => {
    refuseUnsendable(request);
    const { default: ky } = await import("ky");
    watchConnections();
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
        ...(!request.viaEnvironment && { dispatcher: (direct ??= directDispatcher()) }),
      });
      return {
        status: response.status,
        contentType: response.headers.get("content-type") ?? "",
        headers: Object.fromEntries(response.headers),
        body: await readBody(response, request.maxBytes, signal),
      };
    } catch (caught) {
      throw translated(caught, request, late.signal);
    } finally {
      clearTimeout(timer);
    }
  },
};

/** Connections that neither NODE_TLS_REJECT_UNAUTHORIZED nor HTTP_PROXY and its like have a say in. */
let direct: RequestInit["dispatcher"];

/** Node has no name for the class behind its own fetch: it is that of the dispatcher that fetch has made by now. */
function directDispatcher(): NonNullable<RequestInit["dispatcher"]> {
  type Dispatcher = NonNullable<RequestInit["dispatcher"]>;
  const own = (globalThis as Record<symbol, object | undefined>)[Symbol.for("undici.globalDispatcher.1")];
  const Dispatcher = own?.constructor as (new (options: object) => Dispatcher) | undefined;
  if (!Dispatcher)
    throw new SkillError("INTERNAL", "This Node has no dispatcher that requests could be made with.");
  const noProxy = { httpProxy: "", httpsProxy: "", noProxy: "*" };
  return new Dispatcher({ ...noProxy, connect: { rejectUnauthorized: true } });
}

/** What happens below fetch, as it tells itself; what is told there is the same in Node 20 to 24. */
function watchConnections(): void {
  if (watching) return;
  watching = true;
  // While Node 20 compiles its HTTP parser, for the first connection of a process, it does not watch that one: a
  // request on one that closes meanwhile, as those to forwarded ports without a server do, would never settle.
  // So its closing is told once more when Node listens; it connects again then, since nothing has been sent.
  subscribe("undici:client:connected", (message) => {
    const { socket } = message as { readonly socket: Socket };
    if (socket.closed) socket.emit("close");
  });
  subscribe("undici:client:connectError", (message) => {
    NEVER_CONNECTED.add((message as { readonly error: Error }).error);
  });
}

let watching = false;
/** Failures to connect, handshake included: names, addresses, certificates, 10 s without a connection. */
const NEVER_CONNECTED = new WeakSet<object>();

/** @throws SkillError `NETWORK_UNREACHED` */
function refuseUnsendable(request: HttpRequest): void {
  const { url } = request;
  if (!/^https?:/i.test(url) || !URL.canParse(url)) {
    throw new SkillError("NETWORK_UNREACHED", "The address of the request is no URL.", {
      hint: "Check the address.",
    });
  }
  if (isSendable(request)) return;
  throw new SkillError("NETWORK_UNREACHED", "The request holds what HTTP cannot carry.", {
    hint: "Check the headers, and that the address holds no name and password.",
  });
}

function isSendable({ url, method, headers }: HttpRequest): boolean {
  try {
    return Boolean(new Request(url, { method, ...(headers && { headers: { ...headers } }) }));
  } catch {
    // The error names what it stumbled over, which may be a secret.
    return false;
  }
}

/** Names the origin only: neither path, headers nor body reach a message. */
function translated(caught: unknown, request: HttpRequest, timeout: AbortSignal): unknown {
  if (caught instanceof SkillError) return caught;
  const { origin } = new URL(request.url);
  if (timeout.aborted) {
    const seconds = request.timeoutMs / 1000;
    return new SkillError("NETWORK_TIMEOUT", `${origin} did not answer within ${seconds} s.`);
  }
  if (request.signal?.aborted)
    return new SkillError("CANCELLED", "The call was ended before an answer came.");
  const causes = chain(caught);
  const cause = causes.map(coded).find((one) => one !== undefined);
  const { code = "no code" } = cause ?? {};
  if (isBlockedPort(caught)) return unreached(origin, "blocked port");
  if (causes.some((one) => NEVER_CONNECTED.has(one))) return unreached(origin, code, cause);
  return new SkillError("NETWORK_BROKEN", `The connection to ${origin} broke (${code}).`, { cause });
}

function unreached(origin: string, why: string, cause?: Error): SkillError {
  return new SkillError("NETWORK_UNREACHED", `${origin} cannot be reached (${why}).`, {
    hint: "Check the address and the network.",
    cause,
  });
}

function chain(caught: unknown): readonly Error[] {
  return caught instanceof Error ? [caught, ...chain(caught.cause)] : [];
}

/** An error with a code, or the first part of several: what the system said. */
function coded(error: Error): NodeJS.ErrnoException | undefined {
  const first = (error instanceof AggregateError ? error.errors[0] : error) as NodeJS.ErrnoException;
  return typeof first.code === "string" ? first : undefined;
}

/** Some ports are never called by fetch, so that nothing was sent. */
function isBlockedPort(caught: unknown): boolean {
  return caught instanceof Error && (caught.cause as Error | undefined)?.message === "bad port";
}

/** Codings of a body that fetch undoes. It hands out what it does not know as it is, and several one after another. */
const KNOWN_CODINGS = new Set(["", "identity", "gzip", "x-gzip", "deflate", "br"]);

/**
 * The decoded body of an answer as UTF-8. The reader is told itself when the call is over: once the garbage of a
 * request is collected, which ky drops when the headers have come, fetch no longer hears of it.
 * @throws SkillError `NETWORK_TOO_LARGE`, `NETWORK_BROKEN` for a coding that is not understood or a text that is no UTF-8; what the network
 * throws, and the reason of the signal.
 */
async function readBody(response: Response, maxBytes: number, signal: AbortSignal): Promise<string> {
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
  if (!reader) return "";
  // Ends the connection and the reading; a connection that is broken already tells the reader so.
  const stop = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener("abort", stop);
  try {
    const coding = response.headers.get("content-encoding")?.trim().toLowerCase() ?? "";
    if (!KNOWN_CODINGS.has(coding))
      throw new SkillError("NETWORK_BROKEN", "The answer is packed in a way that is not understood here.");
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return textOf(Buffer.concat(chunks));
      bytes += value.byteLength;
      if (bytes > maxBytes)
        throw new SkillError("NETWORK_TOO_LARGE", `The answer is over ${maxBytes} bytes.`);
      chunks.push(value);
    }
  } catch (caught) {
    stop();
    throw caught;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Bytes that are no UTF-8 are never shown as something else. A byte-order mark stays. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new SkillError("NETWORK_BROKEN", "The answer is not written in UTF-8.");
  }
}
