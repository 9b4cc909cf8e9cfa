import type { IncomingMessage, ServerResponse } from "node:http";
import { parse } from "node:querystring";
import type { RawBody, RouteRequest } from "../../plugin.ts";
import { Caller } from "./caller.ts";
import { pathOf } from "./target.ts";

/** A request that the gate has let in. */
export interface Admitted {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Bytes of its body as announced; 0 when nothing is. */
  readonly announced: number;
  /** Header lines, name and value in turn, that every answer to it carries. */
  readonly shared: readonly string[];
}

/** What the handler of a raw route is given. What most handlers never ask for is made when one does. */
export class RawRequest implements RouteRequest<unknown, RawBody> {
  readonly query: unknown;
  readonly body: RawBody;
  readonly #admitted: Admitted;
  #caller: Caller | undefined;

  constructor(admitted: Admitted, query: unknown, body: RawBody) {
    this.#admitted = admitted;
    this.query = query;
    this.body = body;
  }

  get path(): string {
    return pathOf(this.#admitted.request.url as string);
  }

  get headers(): IncomingMessage["headers"] {
    return this.#admitted.request.headers;
  }

  get signal(): AbortSignal {
    return this.caller.signal;
  }

  get caller(): Caller {
    return (this.#caller ??= new Caller(this.#admitted.response));
  }
}

/** The query of a target that has one, as text by name; a name given several times has a list. */
export function queryOf(url: string): Readonly<Record<string, unknown>> {
  return parse(url.slice(url.indexOf("?") + 1));
}
