import { subscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { SkillError } from "../errors/skill-error.ts";
import type { Http, HttpRequest, HttpResponse } from "../ports/http.ts";

/** The network through ky, which is loaded with the first request. Redirects are returned, not followed. */
export const kyHttp: Http = {
  send: async (request) => {
    const { bytes, ...response } = await exchange(request);
    return { ...response, body: textOf(bytes) };
  },
};

const MOST_REDIRECTS = 5;

interface DownloadRequest extends Pick<HttpRequest, "headers" | "timeoutMs" | "maxBytes" | "signal"> {
  /** The error for the status 404. Default: as for any other. */
  readonly missing?: SkillError;
}

/**
 * The body of a successful GET as bytes. Follows redirects, from https to https only.
 * @throws SkillError as `Http.send`; `NETWORK_BROKEN` for any other status than 200, too many redirects, and one to http
 */
export async function download(url: string, { missing, ...request }: DownloadRequest): Promise<Buffer> {
  let address = url;
  for (let count = 0; count <= MOST_REDIRECTS; count += 1) {
    const { status, headers, bytes } = await exchange({
      ...request,
      method: "GET",
      url: address,
      viaEnvironment: true,
    });
    const { location } = headers;
    if (status === 200) return bytes;
    if (status === 404 && missing) throw missing;
    if (status < 300 || status > 399 || location === undefined || !URL.canParse(location, address))
      throw new SkillError(
        "NETWORK_BROKEN",
        `${new URL(address).origin} answered with the status ${status}.`,
        { hint: status === 404 ? "Check the address." : "Try again later." },
      );
    const next = new URL(location, address);
    if (next.protocol !== "https:" && new URL(address).protocol === "https:")
      throw new SkillError(
        "NETWORK_BROKEN",
        `${new URL(address).origin} redirects to an address without TLS.`,
      );
    address = next.href;
  }
  throw new SkillError("NETWORK_BROKEN", `${new URL(url).origin} redirects too often.`);
}

/** A response with its body as bytes. */
type ByteResponse = Omit<HttpResponse, "body"> & { readonly bytes: Buffer };

async function exchange(request: HttpRequest): Promise<ByteResponse> {
  refuseUnsendable(request);
  const { default: ky } = await import("ky");
  watchConnections();
  const late = new AbortController();
  // Not AbortSignal.timeout: with it a process can exit during a call whose connection is gone.
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
      bytes: await readBody(response, request.maxBytes, signal),
    };
  } catch (caught) {
    throw translated(caught, request, late.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** A dispatcher that ignores NODE_TLS_REJECT_UNAUTHORIZED, HTTP_PROXY and the like. */
let direct: RequestInit["dispatcher"];

/** Node does not export the dispatcher class of its fetch; this takes it from the dispatcher that fetch has created. */
function directDispatcher(): NonNullable<RequestInit["dispatcher"]> {
  type Dispatcher = NonNullable<RequestInit["dispatcher"]>;
  const own = (globalThis as Record<symbol, object | undefined>)[Symbol.for("undici.globalDispatcher.1")];
  const Dispatcher = own?.constructor as (new (options: object) => Dispatcher) | undefined;
  if (!Dispatcher) throw new SkillError("INTERNAL", "This version of Node has no dispatcher for requests.");
  const noProxy = { httpProxy: "", httpsProxy: "", noProxy: "*" };
  return new Dispatcher({ ...noProxy, connect: { rejectUnauthorized: true } });
}

/** Subscribes to undici's diagnostics channels, which are the same in Node 20 to 24. */
function watchConnections(): void {
  if (watching) return;
  watching = true;
  // While Node 20 compiles its HTTP parser for the first connection of a process, it misses the close event of that
  // connection, and a request on it would never settle; ports forwarded to a missing server close at once. The event is
  // emitted again once Node listens; it then reconnects, since nothing has been sent.
  subscribe("undici:client:connected", (message) => {
    const { socket } = message as { readonly socket: Socket };
    if (socket.closed) socket.emit("close");
  });
  subscribe("undici:client:connectError", (message) => {
    NEVER_CONNECTED.add((message as { readonly error: Error }).error);
  });
}

let watching = false;
/** Errors before a connection was made, handshake included: names, addresses, certificates, 10 s without a connection. */
const NEVER_CONNECTED = new WeakSet<object>();

/** @throws SkillError `NETWORK_UNREACHED` */
function refuseUnsendable(request: HttpRequest): void {
  const { url } = request;
  if (!/^https?:/i.test(url) || !URL.canParse(url)) {
    throw new SkillError("NETWORK_UNREACHED", "The address of the request is not an HTTP address.", {
      hint: "Check the address.",
    });
  }
  if (isSendable(request)) return;
  throw new SkillError("NETWORK_UNREACHED", "A part of the request is not valid in HTTP.", {
    hint: "Check the headers, and that the address contains no name and password.",
  });
}

function isSendable({ url, method, headers }: HttpRequest): boolean {
  try {
    return Boolean(new Request(url, { method, ...(headers && { headers: { ...headers } }) }));
  } catch {
    // The error quotes the invalid part, which may be a secret.
    return false;
  }
}

/** Translates an error. Messages name the origin only, never path, headers or body. */
function translated(caught: unknown, request: HttpRequest, timeout: AbortSignal): unknown {
  if (caught instanceof SkillError) return caught;
  const { origin } = new URL(request.url);
  if (timeout.aborted) {
    const seconds = request.timeoutMs / 1000;
    return new SkillError("NETWORK_TIMEOUT", `${origin} did not answer within ${seconds} s.`);
  }
  if (request.signal?.aborted)
    return new SkillError("CANCELLED", "The call was cancelled before its response.");
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

/** The first error with a code: the system's reason. */
function coded(error: Error): NodeJS.ErrnoException | undefined {
  const first = (error instanceof AggregateError ? error.errors[0] : error) as NodeJS.ErrnoException;
  return typeof first.code === "string" ? first : undefined;
}

/** Whether fetch refused the port, so that nothing was sent. */
function isBlockedPort(caught: unknown): boolean {
  return caught instanceof Error && (caught.cause as Error | undefined)?.message === "bad port";
}

/** Content codings that fetch decodes, one at a time. It returns other bodies undecoded. */
const KNOWN_CODINGS = new Set(["", "identity", "gzip", "x-gzip", "deflate", "br"]);

/**
 * The decoded body of a response. The reader is cancelled directly: ky drops the request when the headers have
 * arrived, and once it has been garbage-collected fetch no longer sees the abort.
 * @throws SkillError `NETWORK_TOO_LARGE`, `NETWORK_BROKEN` for an unsupported coding; errors of the network, and the
 * reason of the signal.
 */
async function readBody(response: Response, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
  if (!reader) return Buffer.alloc(0);
  // Ends connection and reading; if the connection is broken, the reader already fails.
  const stop = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener("abort", stop);
  try {
    const coding = response.headers.get("content-encoding")?.trim().toLowerCase() ?? "";
    if (!KNOWN_CODINGS.has(coding))
      throw new SkillError("NETWORK_BROKEN", "The answer has a content coding that is not supported.");
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return Buffer.concat(chunks);
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

/** Decodes UTF-8 strictly and keeps a byte-order mark. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new SkillError("NETWORK_BROKEN", "The answer is not valid UTF-8.");
  }
}
