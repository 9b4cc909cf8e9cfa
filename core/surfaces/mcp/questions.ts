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
/** The first revision whose forms know options with titles of their own. */
const TITLED_SINCE = "2025-11-25";

/**
 * The questions of one run of a command. A question that has no answer yet ends the run; the client asks the person and
 * sends the call again with the answer, and the command runs once more from its start (MCP 2026-07-28, basic/patterns,
 * multi round-trip requests; for a client of 2025 the SDK asks and calls again). A question is known by its place in
 * the run and its words, so that an answer never counts for another one.
 */
export class Questions {
  readonly #responses: Readonly<Record<string, unknown>> | undefined;
  readonly #answers: Record<string, string>;
  readonly #open = new Map<string, Choice>();
  #asked = 0;

  /** @throws ProtocolError when the state that the client sends back is not one that it was given. */
  constructor({ mcpReq }: Pick<ServerContext, "mcpReq">) {
    this.#responses = mcpReq.inputResponses;
    this.#answers = answersIn(mcpReq.requestState());
  }

  /**
   * The `value` of the option that the person has chosen.
   * @throws SkillError `CANCELLED` when none was, and while the question is on its way; `INPUT_INVALID` for an answer
   * that is none of the options.
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
      throw new SkillError("INPUT_INVALID", "The answer is none of the options.", {
        hint: `The options: ${values.join(", ")}.`,
      });
    this.#answers[key] = given;
    return given;
  };

  /** What the client is to ask, when a question is open; with the answers so far, which the client sends back. */
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

/** The state holds no more than answers of the person behind the client that sends it, so that nothing is won by a wrong one. */
function answersIn(state: unknown): Record<string, string> {
  if (state === undefined) return {};
  let answers: unknown;
  try {
    answers = typeof state === "string" ? JSON.parse(state) : undefined;
  } catch {
    // Said below, with the other things that are no state of ours.
  }
  const known = typeof answers === "object" && answers !== null ? Object.entries(answers) : undefined;
  if (known?.every((entry): entry is [string, string] => typeof entry[1] === "string"))
    return Object.fromEntries(known);
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "The requestState is none that this server gave.");
}
