import { portToken } from "../container/token.ts";

/** One outgoing request. It follows no redirect and is not retried: both are up to the caller. */
export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE" | "OPTIONS";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as UTF-8. */
  readonly body?: string;
  /**
   * Time limit for headers and body together, in milliseconds, on a monotonic timer. Bounds: 1 to 300,000. Connecting is
   * limited to 10 s in any case.
   */
  readonly timeoutMs: number;
  /** Maximum size of the decoded body of the response, in bytes. */
  readonly maxBytes: number;
  /** Ends the request with `CANCELLED` when it is aborted. */
  readonly signal?: AbortSignal;
  /**
   * Respects the environment variables for proxies and for disabling certificate checks. Default: false, since the
   * request may carry a token.
   */
  readonly viaEnvironment?: boolean;
}

/** A response. A status of 400 or more is not an error. */
export interface HttpResponse {
  readonly status: number;
  /** The header `Content-Type`; empty if it is missing. */
  readonly contentType: string;
  /** Names in lower case. Repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The network. */
export interface Http {
  /**
   * Sends a request and returns the whole response.
   * @throws SkillError `NETWORK_UNREACHED` if the server cannot have read any byte of the request: no connection, no
   * handshake, or a request that HTTP cannot express. `NETWORK_BROKEN` if it may have read some, and for a response in an
   * unsupported content coding. `NETWORK_TIMEOUT`, `NETWORK_TOO_LARGE`, `CANCELLED`.
   */
  readonly send: (request: HttpRequest) => Promise<HttpResponse>;
}

export const HTTP = portToken<Http>("http");
