import { isObject } from "../../../schema/json.ts";
import { dialectOfUrl, startedBy } from "../install/command.ts";
import { Transcript, type Entry } from "./tool-calls.ts";

const TYPES = /^(?:user|assistant|system|attachment|progress)$/;
/** Types of lines that may come before them. */
const FIRST_TYPES = /^(?:summary|file-history-snapshot|queue-operation)$/;
const REFUSAL = /^(?:Error: )?PreToolUse:/;

/**
 * A transcript of Claude Code (`~/.claude/projects/FOLDER/SESSION.jsonl`; of a subagent `agent-ID.jsonl` next to or below it), as
 * versions 2.0 to 2.1 wrote it in 2026: messages have calls as parts of the type `tool_use`, and results as `tool_result`. An
 * `attachment` has the outcome of a hook (`hook_success`, `hook_cancelled`, `hook_…_error`). Subagents have the session of their parent.
 */
export class ClaudeCodeTranscript extends Transcript {
  readonly client = "claude-code";

  static tells({ type, sessionId }: Entry): boolean {
    return FIRST_TYPES.test(String(type)) || (typeof sessionId === "string" && TYPES.test(String(type)));
  }

  read(entry: Entry): void {
    const { sessionId, cwd, attachment, data } = entry;
    if (typeof sessionId === "string") this.sessions.add(sessionId);
    if (typeof cwd === "string") this.cwd = cwd;
    if (isObject(attachment)) this.#hook(attachment);
    this.#message(entry, entry["isSidechain"] === true || typeof entry["agentId"] === "string");
    // Some versions write the messages of a subagent as progress of the call that started it.
    if (isObject(data) && isObject(data["message"])) this.#message(data["message"], true);
  }

  #message({ message, timestamp }: Entry, isSubagent: boolean): void {
    const content = isObject(message) ? message["content"] : undefined;
    for (const part of (Array.isArray(content) ? content : []).filter(isObject)) {
      const { type, id, name, input, tool_use_id } = part;
      if (type === "tool_use") this.add(id, name, { input }, { timestamp, isSubagent });
      if (type === "tool_result") this.end(tool_use_id, timestamp, part["content"], REFUSAL);
    }
  }

  #hook({ type, hookEvent, toolUseID, command, timedOut }: Entry): void {
    const line = String(command);
    if (hookEvent !== "PreToolUse" || (!startedBy(line) && dialectOfUrl(line) === undefined)) return;
    const isFailed = type === "hook_cancelled" || type === "hook_non_blocking_error";
    this.note(toolUseID, { hook: timedOut === true ? "late" : isFailed ? "failed" : "answered" });
  }
}
