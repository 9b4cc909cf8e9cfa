import type { GuardDecision } from "../../contract.ts";
import type { Decision, GuardEvent } from "../../plugin.ts";
import { blocked, spoken, wordsOf, type Dialect, type HookEvent } from "./dialect.ts";
import { object, text } from "./fields.ts";
import { heardAs } from "./heard.ts";
import { sayable } from "./losses.ts";

/**
 * Gemini CLI, as docs/hooks/reference.md of github.com/google-gemini/gemini-cli said in 2026: standard output is always one
 * JSON object; `decision` is allow or deny; a changed input is laid over the old one, so that nothing can be taken away;
 * exit status 2 denies with the reason on standard error, any other is a warning.
 */
const EVENTS: Readonly<Record<string, GuardEvent>> = {
  SessionStart: "session.start",
  SessionEnd: "session.end",
  BeforeAgent: "prompt.submit",
  BeforeTool: "tool.pre",
  AfterTool: "tool.post",
  AfterAgent: "turn.stop",
};
/** Events whose answer may add something to what the model reads. */
const WITH_CONTEXT = new Set<GuardEvent>(["prompt.submit", "tool.post", "session.start"]);

export const GEMINI: Dialect = {
  name: "gemini",
  hear: (event) => heardAs("gemini", EVENTS, event),
  says,
  answer: (decision, event) => {
    const ours = oursOf(event);
    if (decision.decision === "allow") return spoken({});
    const said = says(decision, event);
    const { person, model } = wordsOf(decision, said, "gemini");
    const told = {
      systemMessage: person,
      ...(WITH_CONTEXT.has(ours) && { hookSpecificOutput: { additionalContext: model } }),
    };
    if (said === "warn") return spoken(told);
    if (said === "transform")
      return spoken({ systemMessage: person, hookSpecificOutput: { tool_input: decision.input } });
    return spoken({
      decision: "deny",
      reason: ours === "prompt.submit" ? person : model,
      systemMessage: person,
    });
  },
  refuse: blocked,
};

function oursOf(event: HookEvent): GuardEvent {
  return EVENTS[text(event, "hook_event_name") ?? ""] ?? "tool.pre";
}

function says({ decision, input }: GuardDecision, event: HookEvent): Decision {
  const ours = oursOf(event);
  if (ours === "session.start" || ours === "session.end") return decision === "allow" ? "allow" : "warn";
  const said = sayable("gemini", ours, decision);
  return said === "transform" && !keepsAll(object(event, "tool_input"), input) ? "deny" : said;
}

/** Whether an input has every property of another, so that laying it over the other makes it. */
function keepsAll(before: object | undefined, after: unknown): boolean {
  if (typeof after !== "object" || after === null) return false;
  return Object.keys(before ?? {}).every((key) => Object.hasOwn(after, key));
}
