import { portToken } from "../container/token.ts";

/** A server that a plugin asks for: its own contributed routes, at their own paths, and nothing else. */
export interface ServerOptions {
  /** Default `127.0.0.1`. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Names of routes of the asking skill's manifest. */
  readonly routes: readonly string[];
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
