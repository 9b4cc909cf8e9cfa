import { createHash } from "node:crypto";
import {
  inputResponse,
  type ElicitResult,
  type InputRequest,
  type InputRequests,
} from "@modelcontextprotocol/server";
import { SkillError } from "../../errors/skill-error.ts";
import type { Choice, McpClient } from "../../plugin.ts";

/** The field of the form. */
const FIELD = "choice";
/** The first revision with titles for the options of a form. */
const TITLED_SINCE = "2025-11-25";
/** The kinds of results, by the method that they answer. */
const KINDS: Readonly<Record<string, string>> = {
  "elicitation/create": "elicit",
  "sampling/createMessage": "sampling",
  "roots/list": "roots",
};

/** Results of the client by the names of their requests. */
export type Responses = Readonly<Record<string, unknown>>;

/** Facts of a run that affect its questions. */
export interface Round {
  /** The results of earlier rounds, which this server has signed or stored. */
  readonly given?: Responses | undefined;
  /** The results that the client sends in this round. */
  readonly responses?: Responses | undefined;
  readonly protocolVersion?: string | undefined;
  /** Methods that the client answers. */
  readonly methods: readonly string[];
}

/**
 * The requests of one run of a command to its client. A request without a result ends the run. The client sends the call again with
 * the result, and the command runs again from its start (MCP 2026-07-28, basic/patterns, multi round-trip requests; for clients of
 * 2025 the SDK asks and calls again). A question is identified by its position in the run and its text, so that an answer never
 * counts for another question.
 */
export class Questions implements McpClient {
  readonly #round: Round;
  readonly #given: Record<string, unknown>;
  readonly #open: InputRequests = {};
  #asked = 0;

  constructor(round: Round) {
    this.#round = round;
    this.#given = { ...round.given };
  }

  /** The results of the requests of this run. */
  get given(): Responses {
    return this.#given;
  }

  /** The requests without a result; `undefined` if every request has one. */
  get open(): InputRequests | undefined {
    return Object.keys(this.#open).length === 0 ? undefined : this.#open;
  }

  readonly answers = (method: string): boolean => this.#round.methods.includes(method);

  readonly request = async (name: string, method: string, params: object): Promise<unknown> => {
    const results = { ...this.#round.responses, ...this.#given };
    if (inputResponse(results, name).kind !== KINDS[method]) {
      this.#open[name] = { method, params } as InputRequest;
      throw new SkillError(
        "CANCELLED",
        "The question goes to the person; the command runs again with the answer.",
      );
    }
    this.#given[name] = results[name];
    return this.#given[name];
  };

  /**
   * Returns the `value` of the option that the person has chosen.
   * @throws SkillError `CANCELLED` if none was chosen, and while the question is open; `INPUT_INVALID` for an answer that is not
   * among the options.
   */
  readonly choose = async (question: Choice): Promise<string> => {
    const key = keyOf((this.#asked += 1), question);
    const form = formOf(question, (this.#round.protocolVersion ?? TITLED_SINCE) >= TITLED_SINCE);
    const { action, content } = (await this.request(key, "elicitation/create", form)) as ElicitResult;
    if (action !== "accept")
      throw new SkillError("CANCELLED", "Nothing was chosen.", { hint: "Call the tool again to choose." });
    const values = question.options.map(({ value }) => value);
    const given = content?.[FIELD];
    if (typeof given === "string" && values.includes(given)) return given;
    throw new SkillError("INPUT_INVALID", "The answer is not one of the options.", {
      hint: `The options: ${values.join(", ")}.`,
    });
  };
}

function keyOf(place: number, { text, options }: Choice): string {
  const words = JSON.stringify([text, options.map(({ value, label }) => [value, label])]);
  return `choice-${place}-${createHash("sha256").update(words).digest("hex").slice(0, 16)}`;
}

function formOf({ text, options }: Choice, titled: boolean): object {
  const listed = titled
    ? { oneOf: options.map(({ value, label }) => ({ const: value, title: label })) }
    : { enum: options.map(({ value }) => value), enumNames: options.map(({ label }) => label) };
  return {
    mode: "form",
    message: text,
    requestedSchema: {
      type: "object",
      properties: { [FIELD]: { type: "string", title: "Your choice", ...listed } },
      required: [FIELD],
    },
  };
}
