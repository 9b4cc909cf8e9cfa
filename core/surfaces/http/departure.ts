import type { ServerResponse } from "node:http";
import { SkillError } from "../../errors/skill-error.ts";

/**
 * Notices that whoever asked has gone. The signal is made when somebody first asks for it: most handlers never do,
 * and it costs as much as the rest of a small request.
 */
export class Departure {
  readonly #response: ServerResponse;
  #controller: AbortController | undefined;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      const notice = (): void => {
        if (!this.#response.writableFinished) this.end("The client has gone.");
      };
      if (this.#response.closed) notice();
      else this.#response.once("close", notice);
    }
    return this.#controller.signal;
  }

  /** Ends the call for another reason, such as a server that closes. */
  end(reason: string): void {
    void this.signal;
    this.#controller?.abort(new SkillError("CANCELLED", reason));
  }
}
