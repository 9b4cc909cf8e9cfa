import { join } from "node:path";
import type { Audit, Evaluation } from "../guard/options.ts";
import { withoutTokens } from "../errors/skill-error.ts";
import type { Log } from "../ports/log.ts";
import { appendLine, linesOf, type LogFiles } from "./rotated-log.ts";

/**
 * One line of the audit log. Of what was asked it holds a hash, and what the sentences of the rules name of it: the files
 * that were put back, for example, which the answer names once only.
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
  /** SHA-256 of the request as JSON, in hex. */
  readonly request: string;
  readonly decision: string;
  /** What became of it where the agent has no word for it: a dialect's name, and what it said. */
  readonly said?: AgentOutcome;
  /** Microseconds. */
  readonly tookUs: number;
  readonly rules: readonly {
    readonly rule: string;
    readonly version: number;
    readonly tier: string;
    readonly decision: string;
    /** Recorded only: the rule is in audit mode, or a rule of a higher tier has answered its question. */
    readonly idle?: string;
    readonly failed?: true;
    /** Of a failed rule: why. */
    readonly failure?: string;
    /** What it told the person; missing where it is recorded only. */
    readonly message?: string;
  }[];
}

/** The outcome of a question that a person has answered with yes, through a surface. */
export const APPROVED = "approved";

/** What an agent was told instead of a decision that it has no word for; or that a person has approved. */
export interface AgentOutcome {
  readonly decision: string;
  /** The dialect. */
  readonly by: string;
}

/** More of a sentence is not kept, in UTF-16 units. */
const LONGEST = 1_000;

/** The files of the audit log of a state folder, the older one first. */
export function auditFiles(stateFolder: string): LogFiles {
  return [join(stateFolder, "guard", "audit.1.ndjson"), join(stateFolder, "guard", "audit.ndjson")];
}

/**
 * Keeps evaluations in the state folder, a line each, whichever process writes it: at most two files of 1 MiB, which
 * only this user can read. What cannot be written is noted, and nothing else happens.
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

/** Notes what became of a decision that is kept, on a line of its own. Throws nothing. */
export function noteOutcome(
  stateFolder: string,
  { id, ...said }: AgentOutcome & { readonly id: string },
  log: Pick<Log, "notice">,
): void {
  appendLine(auditFiles(stateFolder), () => ({ id, said }), log, `What became of the decision ${id}`);
}

/** Properties that are undefined are left out by JSON. */
function lineOf({ id, at, subject, decision, tookUs, findings }: Evaluation): object {
  // Not imported: most calls are judged without a word, and it takes a tenth of a start.
  const { createHash } = process.getBuiltinModule("node:crypto");
  const { event, surface, origin, session, skill, name, tool } = subject;
  const request = createHash("sha256").update(JSON.stringify(subject)).digest("hex");
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
