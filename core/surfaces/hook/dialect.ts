import type { GuardDecision } from "../../contract.ts";
import type { Decision, Subject } from "../../plugin.ts";

/** An event in the form of an agent: a JSON object. */
export type HookEvent = Readonly<Record<string, unknown>>;

/** The answer to the agent: both streams and the exit status. */
export interface HookResponse {
  readonly out: string;
  readonly err: string;
  readonly status: number;
}

/** The events and answers of one agent. */
export interface Dialect {
  /** The value of `--dialect`. */
  readonly name: string;
  /** The request in our terms, its `paths` as the agent wrote them; undefined if it is not an event of this dialect. */
  readonly request: (event: HookEvent) => Subject | undefined;
  /** The decision that is sent to the agent: a stricter one if it does not support the given one at this event. */
  readonly outcome: (decision: GuardDecision, event: HookEvent) => Decision;
  readonly respond: (decision: GuardDecision, event: HookEvent) => HookResponse;
  /** The denial of an event that could not be read or judged. */
  readonly refuse: (sentence: string, code: "REQUEST_UNREADABLE" | "GUARD_FAILED") => HookResponse;
}

/** JSON on standard output. */
export function json(value: object, status = 0): HookResponse {
  return { out: `${JSON.stringify(value)}\n`, err: "", status };
}

/** No answer: the agent continues as if there were no guard. */
export const SILENCE: HookResponse = { out: "", err: "", status: 0 };

/** The status with which a hook denies in Claude Code, Codex, Gemini CLI and Cursor; the reason is on standard error. */
export const DENIED = 2;

/** A denial in the same form for every event. */
export function blocked(sentence: string): HookResponse {
  return { out: "", err: `${sentence}\n`, status: DENIED };
}

/** The messages for the person and the model. Never empty: agents ignore an empty reason. */
export interface Messages {
  readonly person: string;
  readonly model: string;
}

/** `outcome`: the decision that is sent to the agent. The messages say when a question had to become a denial. */
export function messagesOf(given: GuardDecision, outcome: Decision, dialect: string): Messages {
  const { decision, message = "A rule denies the operation.", agentMessage = message, context = [] } = given;
  const unasked = decision === "ask" && outcome === "deny" ? `Denied, since ${dialect} cannot ask here` : "";
  const person = unasked === "" ? message : `${message} ${unasked}.`;
  const why = given.evaluation === undefined ? "" : ` (skillctl why ${given.evaluation})`;
  const model = [
    agentMessage,
    ...context,
    ...(unasked === "" ? [] : [`${unasked}: tell the person, who can do it or decide.`]),
    ...(given.rule === undefined ? [] : [`Rule: ${given.rule}.`]),
  ].join("\n");
  return { person: `${person}${why}`, model };
}
