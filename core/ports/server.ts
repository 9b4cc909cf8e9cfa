import { portToken } from "../container/token.ts";

/** An error in the terms of HTTP. */
export interface ServerProblem {
  readonly status: number;
  /** The code of the `SkillError`. */
  readonly code: string;
  /** One sentence. */
  readonly detail: string;
  /** The remedy: one sentence. */
  readonly hint?: string;
  /** JSON pointer into the input. */
  readonly pointer?: string;
  /** The partial result that the error carries. */
  readonly result?: unknown;
}

/** Options for a server with contributed routes of one skill. */
export interface ServerOptions {
  /** Address to bind. Default: `127.0.0.1`. Addresses beyond loopback need `key` and `allowHosts`. */
  readonly host?: string;
  /** Default: 0, any free port. */
  readonly port?: number;
  /** Names of routes in the skill's manifest. */
  readonly routes: readonly string[];
  /** Accepted hosts besides loopback: `name` on any port, or `name:port`. */
  readonly allowHosts?: readonly string[];
  /** Origins besides loopback whose pages may call the routes marked `collects`. */
  readonly allowOrigins?: readonly string[];
  /**
   * Required on every route not marked `keyless`: `Authorization: Bearer KEY`, or `k=KEY` in the query.
   */
  readonly key?: string;
  /** Grants access to the routes marked `collects` only; sent in the same ways. Requires `key`. */
  readonly collectKey?: string;
  /** Lets pages of loopback origins read responses, errors included. Default: false. */
  readonly loopbackPages?: boolean;
  /** The JSON body of errors, instead of RFC 9457 problem details. */
  readonly problemBody?: (problem: ServerProblem) => Readonly<Record<string, unknown>>;
  /** Called when the head of a request has arrived. */
  readonly requestBegan?: () => void;
  /** Called once for each request that has begun, when it has been answered or aborted. */
  readonly requestEnded?: () => void;
}

/** A server that listens. */
export interface OpenServer {
  /** The base URL without a trailing slash, such as `http://127.0.0.1:7777`. */
  readonly url: string;
  readonly port: number;
  /** Stops accepting connections, waits for requests in progress, then closes. */
  readonly close: () => Promise<void>;
}

/** Opens servers for the contributed routes of the skill that asks. */
export interface Server {
  /**
   * Serves the named routes at their own paths and aliases, without the name of the skill before them.
   * @throws SkillError `NOT_FOUND` for an unknown route, `USAGE` for options that would expose the server by accident,
   * `ADDRESS_IN_USE`.
   */
  readonly open: (options: ServerOptions) => Promise<OpenServer>;
}

export const SERVER = portToken<Server>("server");
