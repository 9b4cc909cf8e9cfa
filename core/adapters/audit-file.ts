import * as fs from "node:fs";
import { dirname, join } from "node:path";
import type { Audit, Evaluation } from "../guard/audit.ts";
import { described, withoutTokens } from "../errors/skill-error.ts";
import type { Log } from "../ports/log.ts";
import { unreadable, unsafeError, unwritable } from "./journal-file.ts";
import { readRegularFile } from "./regular-file.ts";
import { makeFolders } from "./whole-files.ts";

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

/** What an agent was told instead of a decision that it has no word for. */
export interface AgentOutcome {
  readonly decision: string;
  /** The dialect. */
  readonly by: string;
}

/** More of a sentence is not kept, in UTF-16 units. */
const LONGEST = 1_000;

/** Past this size a file is put aside, in bytes; the one that was put aside before goes. */
const MAX_BYTES = 1_048_576;
// Windows has no O_NOFOLLOW: undefined is 0 among bits.
const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
/** Through no link, and without waiting for the reader of a pipe. */
const APPENDING = O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK;

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
    record: (evaluation) =>
      append(stateFolder, () => lineOf(evaluation), log, `The decision ${evaluation.id} of the rules`),
  };
}

/** Notes what became of a decision that is kept, on a line of its own. Throws nothing. */
export function noteOutcome(
  stateFolder: string,
  { id, ...said }: AgentOutcome & { readonly id: string },
  log: Pick<Log, "notice">,
): void {
  append(stateFolder, () => ({ id, said }), log, `What became of the decision ${id}`);
}

function append(stateFolder: string, line: () => object, log: Pick<Log, "notice">, what: string): void {
  try {
    write(stateFolder, `${JSON.stringify(line())}\n`);
  } catch (caught) {
    log.notice(`${what} could not be recorded: ${described(caught)}`);
  }
}

function write(stateFolder: string, line: string): void {
  const [older, newer] = auditFiles(stateFolder);
  const file = opened(newer);
  try {
    if (!fs.fstatSync(file).isFile()) throw unsafeError(newer, "is no regular file");
    // One write of one line: the system puts lines of several processes one after the other.
    fs.writeSync(file, line);
    if (fs.fstatSync(file).size > MAX_BYTES) fs.renameSync(newer, older);
  } finally {
    fs.closeSync(file);
  }
}

/** @throws SkillError `FILE_UNWRITABLE` */
function opened(path: string): number {
  try {
    try {
      return fs.openSync(path, APPENDING, 0o600);
    } catch (caught) {
      if ((caught as NodeJS.ErrnoException).code !== "ENOENT") throw caught;
      makeFolders(dirname(path), 0o700);
      return fs.openSync(path, APPENDING, 0o600);
    }
  } catch (caught) {
    throw unwritable(path, caught);
  }
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
  for (const text of auditFiles(stateFolder).flatMap(linesIn)) {
    const value = parsed(text);
    if (typeof value?.id !== "string") continue;
    const known = lines.get(value.id);
    if (Array.isArray(value.rules)) lines.set(value.id, value as AuditLine);
    else if (known && typeof value.said?.decision === "string" && typeof value.said.by === "string")
      lines.set(value.id, { ...known, said: value.said });
  }
  return [...lines.values()];
}

/** @throws SkillError `FILE_UNREADABLE` */
function linesIn(file: string): readonly string[] {
  try {
    return readRegularFile(file).toString("utf8").split("\n");
  } catch (caught) {
    if ((caught as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw unreadable(file, caught);
  }
}

function parsed(line: string): Partial<AuditLine> | null {
  try {
    return JSON.parse(line) as Partial<AuditLine> | null;
  } catch {
    return null;
  }
}
