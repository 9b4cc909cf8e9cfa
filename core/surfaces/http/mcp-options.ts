import type { ServedSkills } from "../../catalog.ts";

declare global {
  /** The members that all platforms share, so that the package's types depend on neither Node nor a browser. */
  interface Request {
    readonly method: string;
  }
  interface Response {
    readonly status: number;
  }
}

// Exported by the package, so that this file must import no package.
/** Options for `mcpHandler`. */
export interface McpHandlerOptions {
  /** The served skills. Default: all. The others still lend ports, and their rules apply. */
  readonly skills?: ServedSkills;
  /** The tools: one for each command, or three that find, describe and call commands. Default: `all`. */
  readonly tools?: "all" | "compact";
  /** Accepted host names besides loopback: `name` on any port, or `name:port`. Compared exactly. */
  readonly allowHosts?: readonly string[];
  /** Accepted origins besides loopback, such as `https://app.example`. Compared exactly. */
  readonly allowOrigins?: readonly string[];
}

/** A request of `node:http`, as far as the types need it. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A response of `node:http`, as far as the types need it. */
export interface NodeResponse {
  readonly writableFinished: boolean;
  readonly headersSent: boolean;
}

/** The handler, for two kinds of servers. */
export interface McpHandler {
  /** Answers a request of a fetch-style server. */
  readonly fetch: (request: Request) => Promise<Response>;
  /**
   * Answers a request of `node:http`, Express or Fastify. `body` is the body if the server has read it: parsed, or as text or
   * bytes. Settles when the response has been sent or the client has disconnected.
   */
  readonly node: (request: NodeRequest, response: NodeResponse, body?: unknown) => Promise<void>;
  /**
   * Ends all streams; running calls have 2 s to end and are then aborted. Waits at most 5 s and never rejects. The host is not
   * closed, and its state store keeps the sessions.
   */
  readonly close: () => Promise<void>;
}
