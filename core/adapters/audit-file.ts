import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import type { Audit, Evaluation } from "../guard/audit.ts";
import type { Log } from "../ports/log.ts";

/** One line of the audit log. It holds nothing of what was asked but its hash. */
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
  }[];
}

/** Past this size a file is put aside, in bytes; the one that was put aside before goes. */
const MAX_BYTES = 1_048_576;
// Windows has no O_NOFOLLOW: undefined is 0 among bits.
const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = fs.constants;

/** The files of the audit log of a state folder, the older one first. */
export function auditFiles(stateFolder: string): readonly [older: string, newer: string] {
  return [join(stateFolder, "guard", "audit.1.ndjson"), join(stateFolder, "guard", "audit.ndjson")];
}

/**
 * Keeps evaluations in the state folder, a line each, whichever process writes it: at most two files of 1 MiB, which
 * only this user can read. What cannot be written is noted, and nothing else happens.
 */
export function auditFile(stateFolder: string, log: Pick<Log, "notice">): Audit {
  return {
    record: (evaluation) => {
      try {
        append(stateFolder, `${JSON.stringify(lineOf(evaluation))}\n`);
      } catch (caught) {
        log.notice(`The decision ${evaluation.id} of the rules could not be recorded: ${String(caught)}`);
      }
    },
  };
}

function append(stateFolder: string, line: string): void {
  const [older, newer] = auditFiles(stateFolder);
  let file: number;
  try {
    file = fs.openSync(newer, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600);
  } catch (caught) {
    if ((caught as NodeJS.ErrnoException).code !== "ENOENT") throw caught;
    fs.mkdirSync(join(stateFolder, "guard"), { recursive: true, mode: 0o700 });
    file = fs.openSync(newer, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600);
  }
  try {
    // One write of one line: the system puts lines of several processes one after the other.
    fs.writeSync(file, line);
    if (fs.fstatSync(file).size > MAX_BYTES) fs.renameSync(newer, older);
  } finally {
    fs.closeSync(file);
  }
}

function lineOf({ id, at, subject, decision, tookUs, findings }: Evaluation): AuditLine {
  const { event, surface, origin, session, skill, name, tool } = subject;
  return {
    id,
    at: new Date(at).toISOString(),
    event,
    surface,
    ...(origin !== undefined && { origin }),
    ...(session !== undefined && { session }),
    ...(skill !== undefined && { skill }),
    ...(name !== undefined && { name }),
    ...(tool !== undefined && { tool }),
    request: createHash("sha256").update(JSON.stringify(subject)).digest("hex"),
    decision,
    tookUs,
    rules: findings.map((finding) => ({
      rule: finding.rule,
      version: finding.version,
      tier: finding.tier,
      decision: finding.decision,
      ...(finding.idle && { idle: finding.idle }),
      ...(finding.failed && { failed: true as const }),
    })),
  };
}

/** What the audit log of a state folder holds, the oldest first. A line that cannot be read is passed over. */
export function readAudit(stateFolder: string): readonly AuditLine[] {
  return auditFiles(stateFolder).flatMap((file) => {
    const text = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
    return text.split("\n").flatMap((line) => {
      try {
        const value = JSON.parse(line) as Partial<AuditLine> | null;
        return typeof value?.id === "string" && Array.isArray(value.rules) ? [value as AuditLine] : [];
      } catch {
        return [];
      }
    });
  });
}
