import type { Caller } from "./caller.ts";

/** Calls that go on until they are stopped; a server that closes ends them, and those that begin after that too. */
export class Endless {
  readonly #calls = new Set<Caller>();
  #isClosing = false;

  add(call: Caller): void {
    this.#calls.add(call);
    if (this.#isClosing) call.end(CLOSING);
  }

  delete(call: Caller): void {
    this.#calls.delete(call);
  }

  close(): void {
    this.#isClosing = true;
    for (const call of this.#calls) call.end(CLOSING);
  }
}

const CLOSING = "The server is closing.";
