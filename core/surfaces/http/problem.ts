import type { Catalog } from "../../catalog.ts";
import type { Problem } from "../../contract.ts";
import { SkillError, described } from "../../errors/skill-error.ts";
import type { Log } from "../../ports/log.ts";

/** Content type of every error. */
export const PROBLEM_TYPE = "application/problem+json; charset=utf-8";

/**
 * Turns what was thrown into RFC 9457 problem details. `pointer` points into the request body; a place in the query
 * is `/query/<name>`. A status beside the table's is for what HTTP itself names more exactly (408, 431).
 */
export class Problems {
  readonly #catalog: Catalog;
  readonly #log: Log;

  constructor(catalog: Catalog, log: Log) {
    this.#catalog = catalog;
    this.#log = log;
  }

  /** `skill` decides whose row a code of a skill's own is; `place` names the request in the log. */
  of(caught: unknown, place: string, skill?: string, status?: number): Problem {
    const error = caught instanceof SkillError ? caught : this.#unforeseen(caught, place);
    const { http, summary } = this.#catalog.codeEntry(error.code, skill);
    return {
      type: `urn:skillctl:error:${error.code}`,
      title: summary.slice(0, 300),
      status: status ?? http,
      detail: error.message.slice(0, 4000),
      code: error.code,
      ...(error.hint !== undefined && { hint: error.hint.slice(0, 1000) }),
      ...(error.pointer !== undefined && { pointer: error.pointer.slice(0, 1000) }),
      ...(error.result !== undefined && { result: error.result }),
    };
  }

  /** The message of a fault that nobody foresaw may hold anything: it goes to the log, not over the wire. */
  #unforeseen(caught: unknown, place: string): SkillError {
    for (let error = caught, lead = ""; error !== undefined; lead = "caused by ") {
      this.#log.detail(
        `${place}: ${lead}${error instanceof Error ? (error.stack ?? error.message) : described(error)}`,
      );
      error = error instanceof Error ? error.cause : undefined;
    }
    return new SkillError("INTERNAL", "The request failed for a reason that is not the caller's.", {
      hint: "Start the server with --verbose to see the cause.",
    });
  }
}
