import type { GuardEvent, Subject } from "../../plugin.ts";
import type { Heard, HookEvent } from "./dialect.ts";
import { defined, object, text } from "./fields.ts";
import { toolFacts } from "./tool-call.ts";
import { kindOf } from "./tool-kinds.ts";

/**
 * Hears the events of Claude Code and of the agents that took over its form: `hook_event_name`, `session_id`, `cwd`,
 * `tool_name`, `tool_input`. What an event must have and lacks makes it none.
 */
export function heardAs(
  dialect: string,
  events: Readonly<Record<string, GuardEvent>>,
  event: HookEvent,
): Heard {
  const name = text(event, "hook_event_name") ?? "";
  const ours = Object.hasOwn(events, name) ? events[name] : undefined;
  if (ours === undefined) return undefined;
  const base = {
    event: ours,
    surface: "hook" as const,
    origin: `hook:${dialect}`,
    session: text(event, "session_id", "conversation_id")?.slice(0, 200),
    call: text(event, "tool_use_id")?.slice(0, 200),
    cwd: text(event, "cwd"),
  };
  const own = ownFacts(ours, event);
  return own && defined<Subject>({ ...base, ...own } as Subject);
}

function ownFacts(ours: GuardEvent, event: HookEvent): object | undefined {
  switch (ours) {
    case "tool.pre":
    case "tool.post": {
      const [name, input] = [text(event, "tool_name"), object(event, "tool_input")];
      if (name === undefined || name === "" || !input) return undefined;
      const facts = toolFacts(name, input, object(event, "mcp_context") ? "mcp" : kindOf(name));
      return ours === "tool.pre"
        ? facts
        : { ...facts, output: event["tool_response"] ?? event["tool_output"] };
    }
    case "prompt.submit": {
      const prompt = text(event, "prompt");
      return prompt === undefined ? undefined : { prompt };
    }
    case "turn.stop":
      return {
        answer: text(event, "last_assistant_message", "prompt_response"),
        repeated: event["stop_hook_active"] === true,
      };
    default:
      return {};
  }
}
