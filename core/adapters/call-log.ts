import { join } from "node:path";
import type { GuardDecision } from "../contract.ts";
import type { Subject } from "../plugin.ts";
import type { Log } from "../ports/log.ts";
import { appendLine, linesOf, type LogFiles } from "./rotated-log.ts";

/** One line of the log of judged calls, without the input. */
export interface CallLine {
  /** Time of the judgement, in milliseconds since the epoch: formatting a date costs a new process 0.1 ms. */
  readonly atMs: number;
  /** Its source, such as `hook:codex`. */
  readonly by: string;
  readonly event: string;
  readonly session?: string;
  /** The agent's id of the call. */
  readonly call?: string;
  /** The agent's name of the tool, at most 100 UTF-16 units. */
  readonly name?: string;
  /** `inputHash` of the input. */
  readonly input?: string;
  readonly decision: string;
  /** The rule that decided; missing if all rules allow the call, or if none could be evaluated. */
  readonly rule?: string;
  /** Microseconds. */
  readonly tookUs: number;
}

/** The files of the log of judged calls. */
export function callFiles(stateFolder: string): LogFiles {
  return [join(stateFolder, "guard", "calls.1.ndjson"), join(stateFolder, "guard", "calls.ndjson")];
}

/** Only this many UTF-16 units of an input are hashed. */
const HASHED = 65_536;

/**
 * A hash of an input as JSON, to find equal ones: its length and 64 bits of FNV-1a over its first 65,536 UTF-16 units, in
 * hexadecimal. It is not a security feature, so that no module is loaded for it.
 */
export function inputHash(input: unknown): string {
  const text = JSON.stringify(input) ?? "";
  const end = Math.min(text.length, HASHED);
  let [low, high] = [0x811c9dc5, 0xcbf29ce4];
  for (let index = 0; index < end; index += 1) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x01000197);
  }
  return [text.length, low >>> 0, high >>> 0].map((part) => part.toString(16)).join("-");
}

/**
 * Wraps a judge so that it logs each tool call before it answers: one line, in at most two files of 1 MiB that only this
 * user can read. A failure to log is a notice and has no other effect.
 */
export function noting(
  decide: (subject: Subject) => Promise<GuardDecision>,
  stateFolder: string,
  log: Pick<Log, "notice">,
): (subject: Subject) => Promise<GuardDecision> {
  return async (subject) => {
    if (subject.event !== "tool.pre") return decide(subject);
    const begin = process.hrtime();
    let decision: Pick<GuardDecision, "decision" | "rule"> = { decision: "deny" };
    try {
      const given = await decide(subject);
      decision = given;
      return given;
    } finally {
      const [seconds, nanoseconds] = process.hrtime(begin);
      const tookUs = Math.round(seconds * 1e6 + nanoseconds / 1e3);
      appendLine(callFiles(stateFolder), () => lineOf(subject, decision, tookUs), log, "A judged call");
    }
  };
}

function lineOf(
  { event, surface, origin = surface, session, call, name, input }: Subject,
  { decision, rule }: Pick<GuardDecision, "decision" | "rule">,
  tookUs: number,
): object {
  return {
    atMs: Date.now(),
    by: origin,
    event,
    session,
    call,
    name: name?.slice(0, 100),
    input: input === undefined ? undefined : inputHash(input),
    decision,
    rule,
    tookUs,
  };
}

/** The log of judged calls, oldest first, without damaged lines. @throws SkillError `FILE_UNREADABLE` */
export function readCalls(stateFolder: string): readonly CallLine[] {
  return (linesOf(callFiles(stateFolder)) as readonly Partial<CallLine>[]).filter(
    ({ atMs, by, decision }) =>
      typeof atMs === "number" && typeof by === "string" && typeof decision === "string",
  ) as readonly CallLine[];
}
