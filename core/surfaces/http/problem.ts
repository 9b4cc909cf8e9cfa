import type { Catalog } from "../../catalog.ts";
import type { Problem } from "../../contract.ts";
import { causesOf, withStack } from "../../errors/causes.ts";
import { SkillError } from "../../errors/skill-error.ts";
import type { Log } from "../../ports/log.ts";
import type { ServerOptions } from "../../ports/server.ts";

/**
 * Turns what was thrown into RFC 9457 problem details, or into the body that a server asked for. `pointer` points
 * into the request body; a place in the query is `/query/<name>`. A status beside the table's is for what HTTP itself
 * names more exactly (408, 417, 431).
 */
export class Problems {
  /** Content type of every error. */
  readonly type: string;
  readonly #catalog: Catalog;
  readonly #log: Log;
  readonly #body: (problem: Problem) => unknown;

  constructor(catalog: Catalog, log: Log, body?: ServerOptions["problemBody"]) {
    this.#catalog = catalog;
    this.#log = log;
    this.type = `application/${body ? "json" : "problem+json"}; charset=utf-8`;
    this.#body = body ?? ((problem) => problem);
  }

  /** The text of an answer. */
  text(problem: Problem): string {
    return JSON.stringify(this.#body(problem));
  }

  /**
   * `skill` decides whose row a code of a skill's own is; `place` names the request in the log. What lies behind an
   * error that nobody foresaw, that has a cause or that is the system's goes to the log, never over the wire.
   */
  of(caught: unknown, place: string, skill?: string, status?: number): Problem {
    const error = caught instanceof SkillError ? caught : unforeseen();
    const { http, summary, fault } = this.#catalog.codeEntry(error.code, skill);
    if (error !== caught || error.cause !== undefined || fault === "system") this.note(caught, place);
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

  /** Tells the log alone: what it was, and what lies behind it. */
  note(caught: unknown, place: string): void {
    const lead = place === "" ? "" : `${place}: `;
    this.#log.detail(lead + withStack(caught));
    if (!(caught instanceof Error)) return;
    for (const cause of causesOf(caught)) this.#log.detail(`${lead}caused by ${cause}`);
  }
}

/** The message of a fault that nobody foresaw may hold anything. */
function unforeseen(): SkillError {
  return new SkillError("INTERNAL", "The request failed for a reason that is not the caller's.", {
    hint: "Start the server with --verbose to see the cause.",
  });
}
