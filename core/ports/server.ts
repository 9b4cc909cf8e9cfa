import { portToken } from "../container/token.ts";

/** An error as every surface sees it. */
export interface ServerProblem {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly hint?: string;
  readonly pointer?: string;
  /** The partial result that the error carries. */
  readonly result?: unknown;
}

/** A server for a plugin's own contributed routes, at their own paths and aliases only. */
export interface ServerOptions {
  /** Address to bind. Default `127.0.0.1`. Addresses beyond loopback need `key` and `allowHosts`. */
  readonly host?: string;
  /** Default 0: any free port. */
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
  /** Called when the head of a request has arrived; `requestEnded` follows once for each. */
  readonly requestBegan?: () => void;
  /** Called once for each request when it ends, complete or aborted; useful for idle time-outs. */
  readonly requestEnded?: () => void;
}

export interface OpenServer {
  /** The base URL without a trailing slash, e.g. `http://127.0.0.1:7777`. */
  readonly url: string;
  readonly port: number;
  /** Stops accepting connections, waits for requests in progress, closes. */
  readonly close: () => Promise<void>;
}

export interface Server {
  readonly open: (options: ServerOptions) => Promise<OpenServer>;
}

export const SERVER = portToken<Server>("server");
