import { portToken } from "../container/token.ts";

/** What was refused or failed, as every surface knows it. */
export interface ServerProblem {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly hint?: string;
  readonly pointer?: string;
  /** What came of it all the same, as the error carries it. */
  readonly result?: unknown;
}

/** A server that a plugin asks for: its own contributed routes, at their own paths and aliases, and nothing else. */
export interface ServerOptions {
  /** Address to bind. Default `127.0.0.1`. Anything beyond loopback needs `key` and `allowHosts`. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Names of routes of the asking skill's manifest. */
  readonly routes: readonly string[];
  /** Names and address literals the server answers for beside loopback: `name` on any port, or `name:port`. */
  readonly allowHosts?: readonly string[];
  /** Origins beside loopback ones whose pages may call the routes that the manifest marks `collects`. */
  readonly allowOrigins?: readonly string[];
  /**
   * Opens every route: `Authorization: Bearer KEY`, or `k=KEY` in the query. With it no route answers without one,
   * except those that the manifest marks `keyless`.
   */
  readonly key?: string;
  /** Opens the routes that the manifest marks `collects`, and no other; sent in the same ways. Only beside `key`. */
  readonly collectKey?: string;
  /** Pages of loopback origins may read answers, errors too. Default: no page may. */
  readonly loopbackPages?: boolean;
  /** The JSON body of an error, instead of RFC 9457 problem details. */
  readonly problemBody?: (problem: ServerProblem) => Readonly<Record<string, unknown>>;
  /** Called when the head of a request has come, whatever becomes of it; `requestEnded` follows, once for each. */
  readonly requestBegan?: () => void;
  /** Called once for each request when it ends, answered or broken off: for time-outs of who is idle. */
  readonly requestEnded?: () => void;
}

export interface OpenServer {
  /** The address without a trailing slash, e.g. `http://127.0.0.1:7777`. */
  readonly url: string;
  readonly port: number;
  /** Stops accepting, waits for what is under way, closes. */
  readonly close: () => Promise<void>;
}

export interface Server {
  readonly open: (options: ServerOptions) => Promise<OpenServer>;
}

export const SERVER = portToken<Server>("server");
