import { join } from "node:path";
import type { Audit, Evaluation } from "../guard/options.ts";
import { withoutTokens } from "../errors/skill-error.ts";
import type { Log } from "../ports/log.ts";
import { appendLine, linesOf, type LogFiles } from "./rotated-log.ts";
import { sha256 } from "./sha256.ts";

/**
 * One line of the audit log. It holds a hash of the request, and only those parts of it that the messages of rules quote,
 * such as the restored files, which the answer names only once.
 */
export interface AuditLine {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly event: string;
  readonly surface: string;
  readonly origin?: string;
  readonly session?: string;
  readonly skill?: string;
  readonly name?: string;
  readonly tool?: string;
  /** SHA-256 of the request as JSON, hexadecimal. */
  readonly request: string;
  readonly decision: string;
  /** The outcome if the agent does not support the decision: the dialect and its answer. */
  readonly said?: AgentOutcome;
  /** Microseconds. */
  readonly tookUs: number;
  readonly rules: readonly {
    readonly rule: string;
    readonly version: number;
    readonly tier: string;
    readonly decision: string;
    /** Set if the finding had no effect: the rule is in audit mode, or a rule of a higher tier answered its question. */
    readonly idle?: string;
    readonly failed?: true;
    /** The reason why a rule failed. */
    readonly failure?: string;
    /** Message for the person; missing if the finding was only recorded. */
    readonly message?: string;
  }[];
}

/** The outcome of a question that a person approved. */
export const APPROVED = "approved";

/** The answer to an agent that does not support the decision, or the approval of a person. */
export interface AgentOutcome {
  readonly decision: string;
  /** The dialect. */
  readonly by: string;
}

/** Longer sentences are truncated, in UTF-16 units. */
const LONGEST = 1_000;

/** The files of the audit log of a state folder, the older one first. */
export function auditFiles(stateFolder: string): LogFiles {
  return [join(stateFolder, "guard", "audit.1.ndjson"), join(stateFolder, "guard", "audit.ndjson")];
}

/**
 * Records evaluations in the state folder, one a line, from any process: at most two files of 1 MiB that only this user
 * can read. A failure to record is a notice and has no other effect.
 */
export function auditFile(stateFolder: string, log: Pick<Log, "notice">): Audit {
  return {
    record: (evaluation) =>
      appendLine(
        auditFiles(stateFolder),
        () => lineOf(evaluation),
        log,
        `The decision ${evaluation.id} of the rules`,
      ),
    approve: (id, surface) => noteOutcome(stateFolder, { id, decision: APPROVED, by: surface }, log),
  };
}

/** Records the outcome of a recorded decision on a line of its own. Never throws. */
export function noteOutcome(
  stateFolder: string,
  { id, ...said }: AgentOutcome & { readonly id: string },
  log: Pick<Log, "notice">,
): void {
  appendLine(auditFiles(stateFolder), () => ({ id, said }), log, `The outcome of the decision ${id}`);
}

function lineOf({ id, at, subject, decision, tookUs, findings }: Evaluation): object {
  const { event, surface, origin, session, skill, name, tool } = subject;
  const request = sha256(JSON.stringify(subject));
  const rules = findings.map(({ rule, version, tier, decision: said, idle, failed, failure, message }) => ({
    rule,
    version,
    tier,
    decision: said,
    idle,
    failed: failed || undefined,
    failure: failure === undefined ? undefined : kept(failure),
    message: idle === undefined ? kept(message) : undefined,
  }));
  const about = { event, surface, origin, session, skill, name, tool, request };
  return { id, at: new Date(at).toISOString(), ...about, decision, tookUs, rules };
}

function kept(sentence: string): string {
  const text = withoutTokens(sentence);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** The audit log of a state folder, oldest first, without damaged lines. @throws SkillError `FILE_UNREADABLE` */
export function readAudit(stateFolder: string): readonly AuditLine[] {
  const lines = new Map<string, AuditLine>();
  for (const value of linesOf(auditFiles(stateFolder)) as readonly Partial<AuditLine>[]) {
    if (typeof value.id !== "string") continue;
    const known = lines.get(value.id);
    if (Array.isArray(value.rules)) lines.set(value.id, value as AuditLine);
    else if (known && typeof value.said?.decision === "string" && typeof value.said.by === "string")
      lines.set(value.id, { ...known, said: value.said });
  }
  return [...lines.values()];
}
