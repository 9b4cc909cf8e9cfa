import type { GuardDecision } from "../../contract.ts";
import type { Decision, Subject } from "../../plugin.ts";

/** An event as an agent wrote it: a JSON object. */
export type HookEvent = Readonly<Record<string, unknown>>;

/** What goes back to the agent. */
export interface Spoken {
  /** Standard output, whole. */
  readonly out: string;
  /** Standard error, whole. */
  readonly err: string;
  readonly status: number;
}

/** A request in our words; `paths` as the agent wrote them. Undefined when the event is none that this dialect has. */
export type Heard = Subject | undefined;

/** How one agent tells of an event, and how it is answered. */
export interface Dialect {
  /** As in `--dialect`. */
  readonly name: string;
  readonly hear: (event: HookEvent) => Heard;
  /** What becomes of a decision at an event: where the agent has no word for it, another one. */
  readonly says: (decision: GuardDecision, event: HookEvent) => Decision;
  /** The answer to an event that was heard. Where the agent has no word for a decision, a stricter one. */
  readonly answer: (decision: GuardDecision, event: HookEvent) => Spoken;
  /** The denial of what could not be read or judged, whatever the event was. */
  readonly refuse: (sentence: string, code: "REQUEST_UNREADABLE" | "GUARD_FAILED") => Spoken;
}

/** JSON on standard output, and nothing else. */
export function spoken(value: object, status = 0): Spoken {
  return { out: `${JSON.stringify(value)}\n`, err: "", status };
}

/** No word of ours: what the agent would do without us. */
export const SILENCE: Spoken = { out: "", err: "", status: 0 };

/** The status with which a hook denies in Claude Code, Codex, Gemini CLI and Cursor; the reason is on standard error. */
const DENIED = 2;

/** A denial that needs no knowledge of the event. */
export function blocked(sentence: string): Spoken {
  return { out: "", err: `${sentence}\n`, status: DENIED };
}

/** What the person and the model are told. Neither is ever empty: agents take an empty reason for none. */
export interface Words {
  readonly person: string;
  readonly model: string;
}

/** `said`: what becomes of the decision in that dialect. A question that cannot be put says so. */
export function wordsOf(given: GuardDecision, said: Decision, dialect: string): Words {
  const { decision, message = "A rule forbids it.", agentMessage = message, context = [] } = given;
  const unasked = decision === "ask" && said === "deny" ? `Denied, since ${dialect} cannot ask here` : "";
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
