import type { Decision } from "../../../plugin.ts";
import { clientOf } from "../hook.ts";
import { CODE, UNTOLD } from "./codex.ts";
import type { ToolCall, Transcript } from "./tool-calls.ts";

/** A line of the log of judged calls. */
export interface JudgedCall {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  /** `hook:` and the name of the agent. */
  readonly by: string;
  readonly session?: string;
  readonly call?: string;
  readonly name?: string;
  readonly input?: string;
  readonly decision: string;
  readonly rule?: string;
}

/** The most probable reason why a call has no verdict. */
export const REASONS = {
  untold: "The agent runs no hook for this tool.",
  inside: "Hooks run for the calls that this code makes, but the log has none from that time.",
  late: "The hook did not answer in time.",
  failed: "The hook failed, or was cancelled.",
  unlogged: "The hook answered, but this log has no entry for it: the hook uses another state folder.",
  rotated: "The call is older than the log, whose beginning has been removed.",
  elsewhere: "The folder of the session is not on this machine, and neither, probably, is its log.",
  removed: "The settings have no hook of skillctl now; the log has verdicts of this session.",
  none: "The settings have no hook of skillctl, and the log has no verdict of this session.",
  off: "The settings switch hooks off.",
  event:
    "The hook before a call is missing from the settings, or differs from the one that skillctl installs.",
  installed: "The hooks were installed, or changed, after the call.",
  broken: "The hooks cannot work now: see skillctl hooks status.",
  subagent: "It is a call of a subagent, and the log has verdicts of calls of the main agent only.",
  session:
    "Hooks are installed, but the log has no verdict of this session: it was judged on another machine or with another state folder, or the agent ran no hooks.",
  missed:
    "The log has verdicts of this session, but none of this call: the hook failed or was late, or this is one of the versions of the agent that run no hook for this tool.",
} as const;
export type Reason = keyof typeof REASONS;

/** The present hooks of an agent for a folder: why they cannot judge calls, and the time of their last change. */
export interface HooksNow {
  readonly fault?: Extract<Reason, "elsewhere" | "none" | "off" | "event" | "broken"> | undefined;
  /** Milliseconds since the epoch. */
  readonly sinceMs: number;
}

/** A call with the decision of the guard and its rule, or with the reason why it has no verdict. */
export interface AuditedCall {
  readonly id: string;
  readonly tool: string;
  /** ISO 8601, UTC. */
  readonly at?: string;
  readonly subagent?: true;
  readonly decision?: Decision;
  readonly rule?: string;
  readonly reason?: Reason;
}

const STRICTEST = ["allow", "warn", "transform", "ask", "deny"];

/** The log of judged calls. `lines`: the oldest first. `isRotated`: earlier lines have been removed. */
export class JudgedCalls {
  readonly #lines = new Map<string, JudgedCall[]>();
  readonly #beginMs: number;

  constructor(lines: readonly JudgedCall[], isRotated: boolean) {
    this.#beginMs = isRotated && lines[0] ? lines[0].atMs : -Infinity;
    for (const line of lines) {
      const { by, session, call, name, input } = line;
      for (const key of [
        [by, session],
        call === undefined ? [by, session, name, input] : [by, "call", call],
      ]) {
        const known = this.#of(key);
        known.push(line);
        this.#lines.set(keyOf(key), known);
      }
    }
  }

  /** The calls of a transcript. `hooksIn` returns the hooks for the folder of a call. */
  async audit(
    transcript: Transcript,
    hooksIn: (folder: string | undefined) => Promise<HooksNow>,
  ): Promise<readonly AuditedCall[]> {
    const { client, calls, sessions } = transcript;
    const by = `hook:${client}`;
    const ofSession = [...sessions].flatMap((session) => this.#of([by, session]));
    const found = calls.map((call) => ({ call, lines: this.#linesOf(call, by, sessions, ofSession) }));
    const isSubagentKnown = found.some(({ call, lines }) => call.isSubagent && lines.length > 0);
    const audited: AuditedCall[] = [];
    for (const { call, lines } of found) {
      const { id, name, atMs, endMs = Infinity, isSubagent, hook } = call;
      const inTime = hook === "late" ? [] : lines.filter((line) => line.atMs <= endMs);
      const strictest = inTime.toSorted((one, other) => rank(other) - rank(one))[0];
      const judged = { decision: (strictest?.decision ?? "deny") as Decision };
      const told = clientOf(client).outcome(judged, { hook_event_name: "PreToolUse" });
      const isJudged = strictest !== undefined || hook === "denied";
      const reason = async (): Promise<Reason> => {
        if (lines.length > 0 || hook === "late") return "late";
        const isMainOnly = isSubagent && !isSubagentKnown;
        return this.#reason(call, client === "codex", ofSession.length > 0, isMainOnly, () =>
          hooksIn(call.cwd),
        );
      };
      audited.push({
        id,
        tool: name,
        ...(atMs !== undefined && { at: new Date(atMs).toISOString() }),
        ...(isSubagent && { subagent: true }),
        ...(isJudged ? { decision: told } : { reason: await reason() }),
        ...(strictest?.rule !== undefined && { rule: strictest.rule }),
      });
    }
    return audited;
  }

  #of(key: readonly (string | undefined)[]): JudgedCall[] {
    return this.#lines.get(keyOf(key)) ?? [];
  }

  #linesOf(
    { id, name, told, atMs = -Infinity, endMs = Infinity }: ToolCall,
    by: string,
    sessions: ReadonlySet<string>,
    ofSession: readonly JudgedCall[],
  ): readonly JudgedCall[] {
    const known = this.#of([by, "call", id]);
    // A session that continues under another id contains the calls of the first one, and some models reuse ids.
    const own = known.filter(({ session = "" }) => sessions.has(session));
    const equal = own.filter(({ input }) => input === told[1]);
    const best = [equal, own, known].find((lines) => lines.length > 0);
    if (best) return best;
    const [unnamed] = [...sessions].flatMap((session) => this.#of([by, session, ...told]).splice(0, 1));
    if (unnamed) return [unnamed];
    const isInside = (line: JudgedCall): boolean =>
      line.call?.startsWith(`${CODE}-`) === true && line.atMs >= atMs && line.atMs <= endMs;
    return by === "hook:codex" && name === CODE ? ofSession.filter(isInside) : [];
  }

  async #reason(
    { name, hook, atMs = Infinity }: ToolCall,
    isCodex: boolean,
    isKnown: boolean,
    isMainOnly: boolean,
    hooksIn: () => Promise<HooksNow>,
  ): Promise<Reason> {
    if (isCodex && UNTOLD.has(name)) return "untold";
    if (hook === "failed") return "failed";
    if (hook === "answered") return "unlogged";
    if (atMs < this.#beginMs) return "rotated";
    if (isCodex && name === CODE && isKnown) return "inside";
    const { fault, sinceMs } = await hooksIn();
    if (fault === "none") return isKnown ? "removed" : "none";
    if (fault !== undefined && !(isKnown && (fault === "broken" || fault === "elsewhere"))) return fault;
    if (atMs < sinceMs) return "installed";
    if (!isKnown) return "session";
    return isMainOnly ? "subagent" : "missed";
  }
}

function rank({ decision }: JudgedCall): number {
  return STRICTEST.indexOf(decision);
}

function keyOf(parts: readonly (string | undefined)[]): string {
  return JSON.stringify(parts);
}
