import agents from "../../guard/own/agents.json" with { type: "json" };
import type { GuardDecision } from "../../contract.ts";
import type { Decision, GuardEvent, Subject } from "../../plugin.ts";
import { nameOf, requestOf } from "./agent-event.ts";
import { blocked, messagesOf } from "./dialect.ts";
import type { Dialect, HookEvent, HookResponse, Messages } from "./dialect.ts";
import type { ToolKind } from "./tool-call.ts";

/** The scope of an agent's settings: one project, or all projects of the person. */
export type HookScope = "project" | "user";

/** The outcome of a call for which the guard gives no answer. */
export type WithoutAnswer = "denied" | "let through";

/** A JSON object. */
type Json = Readonly<Record<string, unknown>>;

/** The part of an agent's row in `core/guard/own/agents.json` about its events and hooks. */
interface AgentRow {
  readonly title: string;
  /** The file with its hooks, relative to the project's folder or the home, with `/`. */
  readonly file: string;
  /** The variable that replaces the folder of `file` in the home. */
  readonly home?: string;
  /** A file next to it whose settings apply as well. */
  readonly beside?: string;
  /** Our events by the agent's names for them. */
  readonly events: Readonly<Record<string, GuardEvent>>;
  /** Events that cannot be stopped: a decision becomes a message. */
  readonly told: readonly string[];
  /** The outcome of questions and changed inputs by event. Where none is given, both are denials. */
  readonly answers: Readonly<Record<string, Partial<Readonly<Record<Decision, Decision>>>>>;
  /** `groups`: each event has groups of hooks. `flat`: each event has hooks. */
  readonly form: "groups" | "flat";
  /** Properties of the file besides the hooks. */
  readonly head: Json;
  /** A hook whose `command` is to be filled in. Its time limit is 60 s, longer than the guard takes to read, ask and deny. */
  readonly hook: Json;
  /** The property with which a failing hook denies. It is left out at the end of a turn, which would never end otherwise. */
  readonly closed?: Json;
  /** A hook that asks a running `skillctl serve`, whose `url` is to be filled in, and the events without such hooks. */
  readonly http?: { readonly hook: Json; readonly without: readonly string[] };
  /**
   * The outcome of a late hook. A hook that fails or whose file is missing denies, since its command ends with status 2; on Windows,
   * where no shell is certain, its outcome is that of a late hook.
   */
  readonly late: WithoutAnswer;
  /** Advice for the person about late hooks. */
  readonly remedy: string;
  /** Extensions of JSON that the agent reads. An agent that does not read them ignores a file with them. */
  readonly reads: readonly ("comments" | "mark")[];
  /** Conditions under which the agent runs hooks of a scope. */
  readonly before: Partial<Readonly<Record<HookScope, string>>>;
  /** Files with variables that the agent reads at its start, relative to the folder of the settings. */
  readonly variableFiles?: readonly string[];
}

/** Settings that disable hooks. */
interface Switches {
  /** Whether settings disable all hooks, or ours. */
  readonly switchedOff?: (settings: Json) => boolean;
  /** A further file in the folder of the settings, and the text in it that disables hooks. */
  readonly switches?: { readonly file: string; readonly off: RegExp };
}

/** An agent with hooks: its events and answers, the place and form of its settings, and its behaviour when a hook fails. */
export interface HookClient extends Dialect, AgentRow, Switches {}

/** A decision about an event, to be translated into an agent's format. */
export interface Answer extends Messages {
  readonly decision: GuardDecision;
  /** The decision that is sent to the agent. */
  readonly outcome: Decision;
  readonly event: HookEvent;
  /** The agent's name of the event, and ours. */
  readonly theirs: string;
  readonly ours: GuardEvent;
}

/** The parts of an agent that its row does not state; by default those of Claude Code. */
interface OwnParts extends Switches, Partial<Pick<Dialect, "request" | "outcome" | "refuse">> {
  readonly answer: (answer: Answer) => HookResponse;
}

type AgentName = keyof typeof agents;

const ROWS = agents as unknown as Readonly<Record<AgentName, AgentRow>>;

/** An agent by its row. */
export function hookClient(name: AgentName, { answer, ...own }: OwnParts): HookClient {
  const client = {
    ...ROWS[name],
    name,
    request: (event: HookEvent) => requestAt(name, event),
    outcome: (decision: GuardDecision, event: HookEvent) => outcomeAt(name, decision, event),
    refuse: blocked,
    ...own,
  };
  return {
    ...client,
    respond: (decision, event) => {
      const theirs = nameOf(event);
      const ours = client.events[theirs] ?? "tool.pre";
      const outcome = client.outcome(decision, event);
      return answer({ ...messagesOf(decision, outcome, name), decision, outcome, event, theirs, ours });
    },
  };
}

/** The request in an event of an agent. `kind`: the kind of its tool, if the name does not show it. */
export function requestAt(name: AgentName, event: HookEvent, kind?: ToolKind): Subject | undefined {
  return requestOf(name, ROWS[name].events, event, kind);
}

/** The outcome that the row of an agent states for a decision. */
export function outcomeAt(name: AgentName, { decision }: GuardDecision, event: HookEvent): Decision {
  const { told, answers } = ROWS[name];
  const theirs = nameOf(event);
  if (told.includes(theirs)) return decision === "allow" ? "allow" : "warn";
  const unasked = decision === "ask" || decision === "transform" ? "deny" : decision;
  return answers[theirs]?.[decision] ?? unasked;
}
