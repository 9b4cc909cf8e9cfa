import type { GuardDecision } from "../../contract.ts";
import { SkillError } from "../../errors/skill-error.ts";
import type { Decision, Subject } from "../../plugin.ts";
import { isObject, jsonValue } from "../../schema/json.ts";
import type { Check } from "../../schema/schemas.ts";
import { requestsOf } from "./agent-event.ts";
import * as agents from "./agents.ts";
import type { HookClient } from "./client.ts";
import { type Dialect, type HookEvent, type HookResponse } from "./dialect.ts";
import { withPaths, type PathBase } from "./paths.ts";
import { skillctlDialect } from "./skillctl.ts";

export type { Dialect, HookResponse } from "./dialect.ts";

/** The supported agents. */
export const CLIENTS: readonly HookClient[] = Object.values(agents);
const NAMES = CLIENTS.map(({ name }) => name);
/** The values of `--dialect`. */
export const DIALECT_NAMES: readonly string[] = [...NAMES, "skillctl"];

/** @throws SkillError `USAGE` */
export function clientOf(name: string | undefined): HookClient {
  const client = CLIENTS.find((one) => one.name === name);
  if (client) return client;
  const names = NAMES.join(", ");
  throw new SkillError(
    "USAGE",
    name === undefined ? `--client is missing: one of ${names}.` : `--client must be one of ${names}.`,
  );
}

/** A dialect by name, or undefined. `check` is called for our own dialect only. */
export async function dialectOf(name: string, check: () => Promise<Check>): Promise<Dialect | undefined> {
  if (name === "skillctl") return skillctlDialect(await check());
  return CLIENTS.find((dialect) => dialect.name === name);
}

/** The longest event in bytes. An event is read completely before it is judged. */
export const MAX_EVENT_BYTES = 8 * 1024 * 1024;

/** The parts that judge an event. */
export interface Judge {
  readonly dialect: Dialect;
  readonly base: PathBase;
  readonly decide: (subject: Subject) => Promise<GuardDecision>;
  /** Called with the stricter decision that replaced one which the agent does not support. */
  readonly changed?: (evaluation: string, outcome: Decision) => Promise<void> | void;
}

/**
 * Answers one event of an agent. Never throws: an event that cannot be read or judged is a denial. At the second end of a turn
 * whose first end was refused, it is a warning, since a broken file would never let the turn end otherwise.
 */
export async function respond(written: string, judging: Judge): Promise<HookResponse> {
  const { dialect } = judging;
  let event: HookEvent = {};
  let subject: Subject | undefined;
  try {
    event = read(written);
    subject = dialect.request(event);
    if (!subject) throw new Error(`it is not an event of ${dialect.name}`);
  } catch (caught) {
    const sentence = sentenceOf(UNREADABLE, caught);
    if (!isRepeatedEnd(event)) return dialect.refuse(sentence, "REQUEST_UNREADABLE");
    return dialect.respond(unruled("warn", sentence, "REQUEST_UNREADABLE"), event);
  }
  return judged(event, subject, judging);
}

async function judged(
  event: HookEvent,
  request: Subject,
  { dialect, base, decide, changed }: Judge,
): Promise<HookResponse> {
  const isEnd = isRepeatedEnd(request);
  try {
    let decision = await strictest(request, base, decide);
    if (isEnd && decision.reasonCode === "GUARD_FAILED") decision = { ...decision, decision: "warn" };
    const outcome = dialect.outcome(decision, event);
    if (decision.evaluation !== undefined && outcome !== decision.decision)
      await changed?.(decision.evaluation, outcome);
    return dialect.respond(decision, event);
  } catch (caught) {
    const sentence = sentenceOf(UNJUDGED, caught);
    if (request.event !== "turn.stop") return dialect.refuse(sentence, "GUARD_FAILED");
    // At the end of a turn the hook's command lets the agent stop without an answer, so the denial must be an answer.
    return dialect.respond(unruled(isEnd ? "warn" : "deny", sentence, "GUARD_FAILED"), event);
  }
}

const STRICTNESS: readonly Decision[] = ["allow", "warn", "transform", "ask", "deny"];

/** The strictest decision about the requests of an event. @throws RangeError for paths through too many folders */
export async function strictest(
  subject: Subject,
  base: PathBase,
  decide: (subject: Subject) => Promise<GuardDecision>,
): Promise<GuardDecision> {
  let found: GuardDecision = { decision: "allow" };
  for (const request of requestsOf(subject)) {
    const one = await decide(await withPaths(request, base));
    if (STRICTNESS.indexOf(one.decision) >= STRICTNESS.indexOf(found.decision)) found = one;
    if (found.decision === "deny") break;
  }
  return found;
}

/** The beginnings of messages about denials without a rule. */
export const UNREADABLE = "skillctl guard denies this, because it cannot be read:";
export const UNJUDGED = "skillctl guard denies this, because it cannot be judged:";

function read(written: string): HookEvent {
  if (written.trim() === "") throw new Error("standard input is empty");
  const value = jsonValue(written);
  if (value === undefined) throw new Error("it is not JSON");
  if (!isObject(value)) throw new Error("it is not a JSON object");
  return value;
}

function isRepeatedEnd({ event, repeated }: Readonly<Record<string, unknown>> | Subject): boolean {
  return event === "turn.stop" && repeated === true;
}

function unruled(decision: "warn" | "deny", message: string, reasonCode: string): GuardDecision {
  return { decision, reasonCode, message, agentMessage: message };
}

/** A message with an error and its hint. */
export function sentenceOf(beginning: string, caught: unknown): string {
  const text = caught instanceof Error ? caught.message : String(caught);
  const hint = caught instanceof SkillError && caught.hint !== undefined ? ` ${caught.hint}` : "";
  const plain = text.trimEnd();
  return `${beginning} ${plain.endsWith(".") ? plain : `${plain}.`}${hint}`;
}
