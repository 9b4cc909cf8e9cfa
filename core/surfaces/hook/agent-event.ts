import { posix, win32 } from "node:path";
import type { GuardEvent, Subject } from "../../plugin.ts";
import { isObject, jsonValue } from "../../schema/json.ts";
import { type HookEvent } from "./dialect.ts";
import { commandsIn, kindOf, shellCommand, toolFacts, type ToolKind } from "./tool-call.ts";

/** Properties with the result of a call; the last two are for failed calls. */
const OUTPUTS = ["tool_response", "tool_output", "error", "error_message"];

/**
 * Reads the events of Claude Code and of the agents that adopted its format: `hook_event_name`, `session_id`, `cwd`,
 * `tool_name`, `tool_input`. An event without a required property is not an event of the dialect.
 */
export function requestOf(
  dialect: string,
  events: Readonly<Record<string, GuardEvent>>,
  event: HookEvent,
  kind?: ToolKind,
): Subject | undefined {
  const name = nameOf(event);
  const ours = Object.hasOwn(events, name) ? events[name] : undefined;
  if (ours === undefined) return undefined;
  const base = {
    event: ours,
    surface: "hook" as const,
    origin: `hook:${dialect}`,
    session: text(event, "session_id", "conversation_id")?.slice(0, 200),
    call: text(event, "tool_use_id")?.slice(0, 200),
    cwd: text(event, "cwd") || undefined,
  };
  const own = isWhole(base.cwd) ? ownFacts(ours, event, kind) : undefined;
  return own && placed({ ...base, ...own } as Subject);
}

/** Maximum number of commands of one call that are judged separately. */
const MOST_COMMANDS = 20;

/**
 * The requests by which an event is judged: commands in the input of a tool that is not built into an agent, such as
 * one of an MCP server, are also judged as shell commands.
 */
export function requestsOf(subject: Subject): readonly Subject[] {
  const { event, tool, name = "", input } = subject;
  if (event !== "tool.pre" || (tool !== "mcp" && tool !== "other") || !isObject(input)) return [subject];
  const found = [...new Set(commandsIn(name, input))];
  if (found.length === 0) return [subject];
  const { folder } = toolFacts(name, input, tool);
  const inFolder = folder === undefined ? {} : { folder };
  const commands = found.length > MOST_COMMANDS ? [found.join("\n")] : found;
  return [subject, ...commands.map((command) => placed({ ...subject, tool: "shell", command, ...inFolder }))];
}

/** A shell call runs in the folder that it names, which may be relative to that of the session. */
export function placed({ folder, ...subject }: Subject & { readonly folder?: string }): Subject {
  const { cwd, tool } = subject;
  if (folder === undefined || folder === "" || tool !== "shell") return defined<Subject>(subject);
  const isOwn = cwd === undefined || isWhole(folder) || folder.startsWith("~");
  return defined<Subject>({ ...subject, cwd: isOwn ? folder : posix.join(cwd, folder) });
}

function ownFacts(ours: GuardEvent, event: HookEvent, known?: ToolKind): object | undefined {
  switch (ours) {
    case "tool.pre":
    case "tool.post": {
      const name = text(event, "tool_name") ?? "";
      const kind = known ?? (object(event, "mcp_context") ? "mcp" : kindOf(name));
      // Cursor's ApplyPatch contains only the text of the patch.
      const patch = kind === "edit" ? text(event, "tool_input") : undefined;
      const input = object(event, "tool_input") ?? (patch !== undefined && { input: patch });
      if (name === "" || !input) return undefined;
      let facts = toolFacts(name, input, kind);
      if (kind === "shell") {
        const command = shellCommand(name, input, facts.command);
        if (command === undefined && ours === "tool.pre") return undefined;
        facts = { ...facts, command: command ?? "" };
      }
      return ours === "tool.pre"
        ? facts
        : { ...facts, output: OUTPUTS.map((key) => event[key]).find((value) => value !== undefined) };
    }
    case "prompt.submit": {
      const prompt = text(event, "prompt");
      return prompt === undefined ? undefined : { prompt };
    }
    case "turn.stop":
      return {
        answer: text(event, "last_assistant_message", "prompt_response"),
        // Cursor counts the continuations of the turn by its stop hook.
        repeated: event["stop_hook_active"] === true || Number(event["loop_count"] ?? 0) > 0,
      };
    default:
      return {};
  }
}

/** The agent's name of an event. */
export function nameOf(event: HookEvent): string {
  return text(event, "hook_event_name") ?? "";
}

/** The first text among some properties of an event. */
export function text(event: HookEvent, ...names: readonly string[]): string | undefined {
  return names.map((name) => event[name]).find((value) => typeof value === "string");
}

/** A property of an event as an object; a JSON text is parsed. */
export function object(event: HookEvent, name: string): HookEvent | undefined {
  const written = event[name];
  const value = typeof written === "string" ? jsonValue(written) : written;
  return isObject(value) ? value : undefined;
}

/** An object without its undefined properties, so that it is JSON. */
export function defined<T extends object>(given: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]: Exclude<T[Key], undefined>;
  };
}

/** Whether a folder is absolute on any system, or missing. */
export function isWhole(folder: string | undefined): boolean {
  return folder === undefined || posix.isAbsolute(folder) || win32.isAbsolute(folder);
}
