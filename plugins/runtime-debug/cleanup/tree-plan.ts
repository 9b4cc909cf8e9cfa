import { createHash } from "node:crypto";
import type { Finding } from "../check/finding.ts";
import { exactText, sameBytes, type ExactText } from "./exact-text.ts";
import { planFile, type PlanContext } from "./file-plan.ts";
import { originOf, type Texts } from "./origins.ts";
import { mayHoldTraces } from "./traces.ts";

/** Files that people read, and logs: what looks like instrumentation there is only told of. */
const DOCUMENTS =
  /\.(?:md|mdx|markdown|txt|text|rst|adoc|asciidoc|org|tex|log|ndjson|jsonl)$|(?:^|\/)(?:change(?:s|log)|readme|news|history|authors|license|copying|todo)$/i;

/** A file that differs from how it was, or holds probes. */
export interface TreeFile {
  /** From the project folder. */
  readonly path: string;
  /** Its bytes when the session began; `undefined` when it was not there. */
  readonly before: Uint8Array | undefined;
  /** Its bytes now; `undefined` when it is gone. */
  readonly now: Uint8Array | undefined;
}

/** What somebody has said and what was accepted as a fix. */
export interface Decisions {
  /** Lines, from 1, by path. */
  readonly accepted: ReadonlyMap<string, ReadonlySet<number>>;
  /** SHA-256 in hex of what a fix has made of a file, by path. */
  readonly fixes: Readonly<Record<string, string>>;
}

export interface PlannedWrite {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** What must still be there when it is written. */
  readonly now: Uint8Array;
  /** Whether somebody has accepted something in it: it is written when nothing is left to accept. */
  readonly isAccepted: boolean;
}

/** What is to be done with all files. Nothing has been written yet. */
export interface TreePlan {
  readonly writes: readonly PlannedWrite[];
  readonly findings: readonly Finding[];
  /** What goes although it may be more than a probe, after an abort. */
  readonly dropped: readonly Finding[];
  /** Paths that will differ from before: the fix. */
  readonly fixed: readonly string[];
}

/** Plans all files before any is written. */
export async function planTree(
  tree: readonly TreeFile[],
  decisions: Decisions,
  context: PlanContext,
): Promise<TreePlan> {
  const writes: PlannedWrite[] = [];
  const findings: Finding[] = [];
  const dropped: Finding[] = [];
  const fixed: string[] = [];
  const texts = new Map(tree.map((file) => [file.path, textsOf(file)]));
  for (const { path, before, now } of tree) {
    const one = texts.get(path);
    const differs = (bytes: Uint8Array | undefined): boolean => !isSame(before, bytes);
    if (!now || !one?.now || !isConcerned(path, one, context)) {
      if (differs(now)) fixed.push(path);
      continue;
    }
    const accepted = decisions.accepted.get(path) ?? new Set();
    const origin = originOf(path, one, texts);
    const plan = await planFile(
      {
        path,
        before: one.before?.text ?? origin?.before,
        now: one.now.text,
        accepted,
        isFix: (text) => decisions.fixes[path] === hashOf(text),
        ...(origin?.copyOf !== undefined && { copyOf: origin.copyOf }),
      },
      context,
    );
    findings.push(...plan.findings);
    dropped.push(...plan.dropped);
    const bytes = plan.text === undefined ? now : one.now.bytes(plan.text);
    const after = one.before && plan.text === one.before.text && before ? before : bytes;
    if (differs(after) && !plan.isBack) fixed.push(path);
    if (!isSame(after, now)) writes.push({ path, bytes: after, now, isAccepted: accepted.size > 0 });
  }
  return { writes, findings, dropped, fixed };
}

/** Whether a file can hold anything of the session: others are not looked at line by line. */
function isConcerned(path: string, { now }: Texts, { traces }: PlanContext): boolean {
  if (now === undefined || DOCUMENTS.test(path)) return false;
  // What was compiled holds the addresses of probes until it is compiled again.
  return !now.text.includes("\0") && mayHoldTraces(now.text, traces);
}

function textsOf({ before, now }: TreeFile): { readonly before?: ExactText; readonly now?: ExactText } {
  return { ...(before && { before: exactText(before) }), ...(now && { now: exactText(now) }) };
}

/** As `SessionEntry.accepted` keeps it. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one && other ? sameBytes(one, other) : one === other;
}
