import { createHash } from "node:crypto";
import {
  ProtocolError,
  ProtocolErrorCode,
  inputRequired,
  inputResponse,
  type InputRequest,
  type InputRequiredResult,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { SkillError } from "../../errors/skill-error.ts";
import type { Choice } from "../../plugin.ts";

/** The field of the form. */
const FIELD = "choice";
/** The first revision with titles for the options of a form. */
const TITLED_SINCE = "2025-11-25";

/**
 * The questions of one run of a command. A question without an answer ends the run. The client asks the person and sends the
 * call again with the answer, and the command runs again from its start (MCP 2026-07-28, basic/patterns, multi round-trip
 * requests; for clients of 2025 the SDK asks and calls again). A question is identified by its position in the run and its
 * text, so that an answer never counts for another question.
 */
export class Questions {
  readonly #responses: Readonly<Record<string, unknown>> | undefined;
  readonly #answers: Record<string, string>;
  readonly #open = new Map<string, Choice>();
  #asked = 0;

  /** @throws ProtocolError if the state in the request was not created by this server. */
  constructor({ mcpReq }: Pick<ServerContext, "mcpReq">) {
    this.#responses = mcpReq.inputResponses;
    this.#answers = answersIn(mcpReq.requestState());
  }

  /**
   * Returns the `value` of the option that the person has chosen.
   * @throws SkillError `CANCELLED` if none was chosen, and while the question is open; `INPUT_INVALID` for an answer that is not
   * among the options.
   */
  readonly choose = async (question: Choice): Promise<string> => {
    const key = keyOf((this.#asked += 1), question);
    const given = Object.hasOwn(this.#answers, key) ? this.#answers[key] : this.#answered(key);
    if (given === undefined) {
      this.#open.set(key, question);
      throw new SkillError(
        "CANCELLED",
        "The question goes to the person; the command runs again with the answer.",
      );
    }
    const values = question.options.map(({ value }) => value);
    if (!values.includes(given))
      throw new SkillError("INPUT_INVALID", "The answer is not one of the options.", {
        hint: `The options: ${values.join(", ")}.`,
      });
    this.#answers[key] = given;
    return given;
  };

  /** The request for open questions, with the answers so far as the state that the client sends back. */
  request(protocolVersion: string | undefined): InputRequiredResult | undefined {
    if (this.#open.size === 0) return undefined;
    const titled = protocolVersion === undefined || protocolVersion >= TITLED_SINCE;
    const asked = [...this.#open].map(([key, question]) => [key, formOf(question, titled)] as const);
    return inputRequired({
      inputRequests: Object.fromEntries(asked),
      requestState: JSON.stringify(this.#answers),
    });
  }

  #answered(key: string): string | undefined {
    const response = inputResponse(this.#responses, key);
    if (response.kind !== "elicit") return undefined;
    if (response.action !== "accept")
      throw new SkillError("CANCELLED", "Nothing was chosen.", { hint: "Call the tool again to choose." });
    const value = response.content?.[FIELD];
    return typeof value === "string" ? value : "";
  }
}

function keyOf(place: number, { text, options }: Choice): string {
  const words = JSON.stringify([text, options.map(({ value, label }) => [value, label])]);
  return `choice-${place}-${createHash("sha256").update(words).digest("hex").slice(0, 16)}`;
}

function formOf({ text, options }: Choice, titled: boolean): InputRequest {
  const listed = titled
    ? { oneOf: options.map(({ value, label }) => ({ const: value, title: label })) }
    : { enum: options.map(({ value }) => value), enumNames: options.map(({ label }) => label) };
  return inputRequired.elicit({
    message: text,
    requestedSchema: {
      type: "object",
      properties: { [FIELD]: { type: "string", title: "Your choice", ...listed } },
      required: [FIELD],
    },
  });
}

/** The state contains only answers of the person at the client, so a forged state gains nothing. */
function answersIn(state: unknown): Record<string, string> {
  if (state === undefined) return {};
  let answers: unknown;
  try {
    answers = typeof state === "string" ? JSON.parse(state) : undefined;
  } catch {
    // Reported below.
  }
  const known = typeof answers === "object" && answers !== null ? Object.entries(answers) : undefined;
  if (known?.every((entry): entry is [string, string] => typeof entry[1] === "string"))
    return Object.fromEntries(known);
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    "The requestState was not created by this server.",
  );
}
