import type { GuardDecision } from "../../contract.ts";
import type { Decision, GuardEvent, Subject } from "../../plugin.ts";

/** An event as an agent wrote it: a JSON object. */
export type HookEvent = Readonly<Record<string, unknown>>;

/** What goes back to the agent: both streams, whole, and the exit status. */
export interface HookResponse {
  readonly out: string;
  readonly err: string;
  readonly status: number;
}

/** How one agent tells of an event, and how it is answered. */
export interface Dialect {
  /** As in `--dialect`. */
  readonly name: string;
  /** The events that it hears, by the agent's names for them. */
  readonly events: Readonly<Record<string, GuardEvent>>;
  /** The request in our words, its `paths` as the agent wrote them. Undefined for no event of this dialect. */
  readonly request: (event: HookEvent) => Subject | undefined;
  /** What becomes of a decision at an event: where the agent has no word for it, a stricter one. */
  readonly outcome: (decision: GuardDecision, event: HookEvent) => Decision;
  readonly respond: (decision: GuardDecision, event: HookEvent) => HookResponse;
  /** The denial of what could not be read or judged, whatever the event was. */
  readonly refuse: (sentence: string, code: "REQUEST_UNREADABLE" | "GUARD_FAILED") => HookResponse;
}

/** What takes the place of a decision for which an agent has no word at an event: always something stricter. */
export type Unsupported = Partial<
  Readonly<Record<GuardEvent, Partial<Readonly<Record<Decision, Decision>>>>>
>;

/** Where nobody can be asked and nothing be changed, as at the end of a turn. */
export const NEITHER = { ask: "deny", transform: "deny" } as const;

/** JSON on standard output, and nothing else. */
export function json(value: object, status = 0): HookResponse {
  return { out: `${JSON.stringify(value)}\n`, err: "", status };
}

/** No word of ours: what the agent would do without us. */
export const SILENCE: HookResponse = { out: "", err: "", status: 0 };

/** The status with which a hook denies in Claude Code, Codex, Gemini CLI and Cursor; the reason is on standard error. */
export const DENIED = 2;

/** A denial that needs no knowledge of the event. */
export function blocked(sentence: string): HookResponse {
  return { out: "", err: `${sentence}\n`, status: DENIED };
}

/** What the person and the model are told. Neither is ever empty: agents take an empty reason for none. */
export interface Messages {
  readonly person: string;
  readonly model: string;
}

/** `outcome`: what becomes of the decision in that dialect. A question that cannot be put says so. */
export function messagesOf(given: GuardDecision, outcome: Decision, dialect: string): Messages {
  const { decision, message = "A rule forbids it.", agentMessage = message, context = [] } = given;
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
