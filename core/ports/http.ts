import { portToken } from "../container/token.ts";

/** One outgoing request. Redirects are never followed and nothing is retried: both are the caller's choice. */
export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE" | "OPTIONS";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /**
   * For headers and body together, in milliseconds, on a monotonic timer. Bounds: 1 to 300,000. A connection that is
   * not made within 10 s counts as not reached, whatever is left of it.
   */
  readonly timeoutMs: number;
  /** The most bytes of the decoded body that are read. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
  /**
   * Goes through a proxy, and past the check of certificates, where variables of the environment say so. Default: neither
   * is obeyed, since the request may carry a token.
   */
  readonly viaEnvironment?: boolean;
}

/** What came back, whatever the status. */
export interface HttpResponse {
  readonly status: number;
  readonly contentType: string;
  /** Names in lower case. A header that came twice is one, joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The network, as a port.
 * @throws SkillError `NETWORK_UNREACHED` when no byte of the request can have been read by the other side: no
 * connection, no handshake, or a request that HTTP cannot carry. `NETWORK_BROKEN` when it may have been, also for an
 * answer in a coding that is not understood. `NETWORK_TIMEOUT`, `NETWORK_TOO_LARGE`, `CANCELLED`.
 */
export interface Http {
  readonly send: (request: HttpRequest) => Promise<HttpResponse>;
}

export const HTTP = portToken<Http>("http");
