import type { ServerResponse } from "node:http";
import { SkillError } from "../../errors/skill-error.ts";

/**
 * Whoever waits for an answer; a handler is told by `signal` when they have gone. The signal is made when somebody
 * first asks for it: most handlers never do, and it costs a tenth of a small request.
 */
export class Caller {
  declare readonly signal: AbortSignal;
  readonly #response: ServerResponse;
  #controller: AbortController | undefined;

  constructor(response: ServerResponse) {
    this.#response = response;
    Object.defineProperty(this, "signal", OWN_SIGNAL);
  }

  /** Ends the call for another reason, such as a server that closes. */
  end(reason: string): void {
    this.#departure().abort(new SkillError("CANCELLED", reason));
  }

  static signalOf(caller: Caller): AbortSignal {
    return caller.#departure().signal;
  }

  #departure(): AbortController {
    if (this.#controller) return this.#controller;
    this.#controller = new AbortController();
    const notice = (): void => {
      if (!this.#response.writableFinished) this.end("The client has gone.");
    };
    if (this.#response.closed) notice();
    else this.#response.once("close", notice);
    return this.#controller;
  }
}

/** A property of the object itself, so that `{ ...call }` keeps it; one getter for all, so that they share a shape. */
const OWN_SIGNAL: PropertyDescriptor & ThisType<Caller> = {
  enumerable: true,
  get() {
    return Caller.signalOf(this);
  },
};
