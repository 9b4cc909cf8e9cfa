import { isObject } from "../../../schema/json.ts";
import { object } from "../agent-event.ts";
import { kindOf } from "../tool-call.ts";
import { Transcript, type Entry } from "./tool-calls.ts";

const TYPES = /^(?:session_meta|turn_context|response_item|event_msg|compacted)$/;
const OLD_TYPES = /^(?:function_call|function_call_output|local_shell_call|reasoning)$/;
/** Events of a shell command, a patch and an MCP call: two for each call, or one item (0.15x). */
const CALLS =
  /^(?:(exec_command_(?:begin|end)|CommandExecution)|(patch_apply_(?:begin|end)|FileChange)|(mcp_tool_call_(?:begin|end)|McpToolCall))$/;
const REFUSAL = /^(?:Command|Tool call) blocked by PreToolUse hook:/;

/**
 * A rollout of Codex (`~/.codex/sessions/YEAR/MONTH/DAY/rollout-TIME-ID.jsonl`), as codex-rs/protocol and codex-rs/rollout of
 * github.com/openai/codex stated in 2026: `session_meta` with the ids of session and thread, and `response_item` with calls and
 * outputs. Calls by the code of the tool `exec` have events only. Rollouts of 2025 have items without an
 * envelope, and no times.
 */
export class CodexTranscript extends Transcript {
  readonly client = "codex";
  #isSubagent = false;

  static tells({ type, payload, id, timestamp, instructions, git }: Entry): boolean {
    if (isObject(payload)) return TYPES.test(String(type));
    const isFirst = typeof id === "string" && typeof timestamp === "string" && type === undefined;
    return OLD_TYPES.test(String(type)) || (isFirst && (instructions ?? git) !== undefined);
  }

  read(entry: Entry): void {
    const { type, payload, timestamp } = entry;
    const item = isObject(payload) ? payload : entry;
    const { id, session_id, source, thread_source, cwd } = item;
    if (type === "session_meta" || type === undefined) {
      // A continued rollout begins with the lines of the earlier one.
      if (this.sessions.size === 0) this.#isSubagent = isObject(source) || thread_source === "subagent";
      for (const name of [id, session_id]) if (typeof name === "string") this.sessions.add(name);
    }
    if ((type === "session_meta" || type === "turn_context") && typeof cwd === "string") this.cwd = cwd;
    if (type === "event_msg") this.#event(item, timestamp);
    else this.#item(item, timestamp);
  }

  #item(item: Entry, timestamp: unknown): void {
    const { id, name, namespace, call_id, output } = item;
    const type = String(item["type"]);
    const at = { timestamp, isSubagent: this.#isSubagent };
    if (type === "function_call") {
      const whole = `${typeof namespace === "string" ? namespace : ""}${String(name)}`;
      this.add(call_id, whole, toldOf(whole, object(item, "arguments") ?? {}), at);
    } else if (type === "custom_tool_call")
      this.add(call_id, name, { input: { command: item["input"] } }, at);
    else if (type === "local_shell_call")
      this.add(call_id ?? id, "local_shell", toldOf("local_shell", object(item, "action") ?? {}), at);
    else if (UNTOLD.has(type)) this.add(call_id ?? id, type, { input: {} }, at);
    else if (type.endsWith("_call_output")) this.end(call_id, timestamp, output, REFUSAL);
  }

  #event(event: Entry, timestamp: unknown): void {
    const item = event["type"] === "item_completed" ? (object(event, "item") ?? {}) : event;
    const { id, call_id = id, command, invocation = item, source } = item;
    const [, shell, patch, mcp] = CALLS.exec(String(item["type"])) ?? [];
    // A command that the person has typed is not a call.
    if ((shell ?? patch ?? mcp) === undefined || source === "user_shell") return;
    const { server, tool } = isObject(invocation) ? invocation : item;
    const name = shell ? "exec_command" : patch ? "apply_patch" : `mcp__${String(server)}__${String(tool)}`;
    const at = { timestamp, isSubagent: this.#isSubagent, isEvent: true } as const;
    this.add(call_id, name, toldOf(name, { command }), at);
  }
}

/** Hooks receive every shell call as `Bash` with its command. */
function toldOf(name: string, input: Entry): { readonly input: unknown; readonly told?: string } {
  if (kindOf(name) !== "shell") return { input };
  return { told: "Bash", input: { command: input["cmd"] ?? input["command"] } };
}

/** Calls for which Codex runs no hook: input for a running program, waiting, and tools that the service runs itself. */
export const UNTOLD: ReadonlySet<string> = new Set(
  "write_stdin wait web_search_call image_generation_call tool_search_call".split(" "),
);
/** The tool whose code makes calls. Hooks receive those under ids that begin with `exec-`. */
export const CODE = "exec";
