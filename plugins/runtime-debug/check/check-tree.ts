import { join } from "node:path";
import { SkillError, type Files } from "skillctl";
import { exactText } from "../cleanup/exact-text.ts";
import { mayHoldTraces, traceIn } from "../cleanup/traces.ts";
import { linesOf } from "../regions/lines.ts";
import type { SessionEntry } from "../session/entry.ts";
import { MAX_IMAGE_BYTES, type Change } from "../worktree/change.ts";
import type { Worktree } from "../worktree/worktree.ts";
import { firstDifference, newLines } from "./differing-lines.ts";
import type { Finding } from "./finding.ts";
import { isAccepted, isFixState } from "./accepted.ts";
import { isSource } from "./source-file.ts";
import { judgeFile, type Judgement } from "./judge-file.ts";
import { Verdicts } from "./verdicts.ts";
import { namedHypotheses } from "./named-hypotheses.ts";

/** A file whose text without probes differs from the one before: the fix, once there is one. */
interface ChangedCode {
  readonly path: string;
  /** `undefined` when the file has been removed. */
  readonly stripped: string | undefined;
}

export interface CheckedTree {
  /** How many files hold instrumentation. */
  readonly files: number;
  /** How many regions they hold. */
  readonly regions: number;
  /** What the regions say which hypotheses they look at. */
  readonly hypotheses: ReadonlySet<string>;
  readonly findings: readonly Finding[];
  readonly changed: readonly ChangedCode[];
}

/**
 * Judges all that differs from how it was at the start: pure regions, and nothing else unless a fix may be or has been
 * accepted. `changed` holds the accepted ones too. `looked` is what has changed, when that has been asked for already.
 * @throws SkillError `FILE_UNREADABLE`, `PROGRAM_FAILED`, `DEBUG_STATE_DAMAGED`
 */
export async function checkTree(
  worktree: Worktree,
  files: Files,
  root: string,
  entry: SessionEntry,
  looked = worktree.changes(root, entry.baseline),
): Promise<CheckedTree> {
  const [changes, verdicts] = await Promise.all([looked, Verdicts.open(files, entry.baseline)]);
  const look = new TreeLook(worktree, root, entry, verdicts);
  for (const change of await withBytes(changes, root, files)) await look.at(change);
  await worktree.keepBytes(entry.baseline, look.images);
  await verdicts.save();
  return look;
}

const TOLD: Readonly<Record<Change["kind"], readonly [code: string, sentence: string]>> = {
  changed: ["code-changed", "This differs from before by more than probes."],
  added: ["new-file", "This file is new: instrumentation adds no files."],
  removed: ["file-removed", "This file has been removed."],
};

class TreeLook implements CheckedTree {
  files = 0;
  regions = 0;
  readonly hypotheses = new Set<string>();
  readonly findings: Finding[] = [];
  readonly changed: ChangedCode[] = [];
  /** How files were that have regions, or have changed otherwise, where that has come out. */
  readonly images = new Map<string, Uint8Array>();

  constructor(
    private readonly worktree: Worktree,
    private readonly root: string,
    private readonly entry: SessionEntry,
    private readonly verdicts: Verdicts,
  ) {}

  async at(change: Change): Promise<void> {
    const { path, kind, now } = change;
    if (kind === "removed") return this.#differs(change, undefined);
    if (!now) {
      if (kind === "changed" || isSource(path, "")) this.#tell(change);
      return;
    }
    const verdict = this.verdicts.of(change);
    if (verdict && verdict.blob === change.blob) return this.#count(verdict.regions, verdict.hypotheses);
    const { text, bytes } = exactText(now);
    if (isBinary(text)) {
      if (kind === "changed") this.#tell(change);
      return;
    }
    const judged = await judgeFile(path, text);
    const { regions, stripped } = judged;
    const findings = await this.#newFindings(change, text, judged);
    if (kind === "added" && regions === 0 && findings.length === 0 && !isSource(path, text)) return;
    const hypotheses = regions > 0 ? [...namedHypotheses(text, path, this.entry.id)] : [];
    this.#count(regions, hypotheses);
    this.findings.push(...findings);
    if (stripped === undefined) return;
    if (await this.worktree.isBefore(this.root, this.entry.baseline, change, bytes(stripped))) {
      if (regions > 0) this.images.set(path, bytes(stripped));
      if (findings.length === 0) this.verdicts.note(change, regions, hypotheses);
      return;
    }
    await this.#differs(change, stripped, text);
  }

  #count(regions: number, hypotheses: readonly string[]): void {
    if (regions > 0) this.files += 1;
    this.regions += regions;
    for (const name of hypotheses) this.hypotheses.add(name);
  }

  /** Without what was to be found before the session, at the same lines: fixtures that hold markers are such. */
  async #newFindings(
    change: Change,
    text: string,
    { findings, stripped }: Judgement,
  ): Promise<readonly Finding[]> {
    if (findings.length === 0 || stripped === undefined) return findings;
    const before = await this.#before(change);
    if (before === undefined) return findings;
    const known = (await judgeFile(change.path, before)).findings.map((one) => signOf(one, before));
    return findings.filter((one) => {
      const at = known.indexOf(signOf(one, text));
      // Each of them excuses one.
      if (at >= 0) known.splice(at, 1);
      return at < 0;
    });
  }

  async #differs(change: Change, stripped: string | undefined, text = ""): Promise<void> {
    const { path } = change;
    const before = await this.#before(change);
    // Probes of another session may have been there, or have gone since.
    if (before !== undefined && (await judgeFile(path, before)).stripped === stripped) return;
    this.changed.push({ path, stripped });
    const isAllowed = isFixState(this.entry.state) || isAccepted(this.entry, path, stripped);
    const traces = stripped === undefined ? [] : await this.#traces(path, text, stripped, before);
    this.findings.push(...traces);
    if (isAllowed || (change.kind === "changed" && traces.length > 0)) return;
    const line = before === undefined ? undefined : await firstDifference(path, text, before);
    this.#tell(change, line);
  }

  /** Lines that report to a debug server, outside all regions and not there before. */
  async #traces(path: string, text: string, stripped: string, before = ""): Promise<readonly Finding[]> {
    const traces = { session: this.entry.id, hosts: [] };
    if (!mayHoldTraces(stripped, traces)) return [];
    return (await newLines(path, text, before)).flatMap(({ line, text }): readonly Finding[] => {
      const trace = traceIn(text, traces);
      if (trace === undefined) return [];
      return [
        {
          file: path,
          line,
          code: "probe-without-region",
          sentence: `This line stands outside all regions and holds ${trace}.`,
          hint: "Take it out, or put it into a region: `skillctl run runtime-debug probe` prints one.",
        },
      ];
    });
  }

  async #before({ kind, path }: Change): Promise<string | undefined> {
    if (kind !== "changed") return undefined;
    try {
      const bytes = await this.worktree.before(this.root, this.entry.baseline, path);
      if (bytes) this.images.set(path, bytes);
      return bytes && exactText(bytes).text;
    } catch (caught) {
      // Then it is told as changed, without the line.
      if (caught instanceof SkillError && caught.code === "FILE_UNREADABLE") return undefined;
      throw caught;
    }
  }

  #tell({ path, kind }: Change, line?: number): void {
    const [code, sentence] = TOLD[kind];
    const hint =
      "Put it back as it was: until log lines have confirmed a hypothesis, probes are all that may be added.";
    this.findings.push({ file: path, ...(line !== undefined && { line }), code, sentence, hint });
  }
}

/** Added files get their bytes too, unless they are too long for code. */
async function withBytes(changes: readonly Change[], root: string, files: Files): Promise<readonly Change[]> {
  const added = changes.filter(({ kind }) => kind === "added").map(({ path }) => join(root, path));
  const marks = await files.marks(added);
  const short = added.filter((_, index) => (marks[index]?.bytes ?? 0) <= MAX_IMAGE_BYTES);
  const bytes = await files.readMany(short);
  const known = new Map(short.map((path, index) => [path, bytes[index]]));
  return changes.map((change) => {
    const now = known.get(join(root, change.path));
    return now ? { ...change, now } : change;
  });
}

function signOf({ code, sentence, line = 0 }: Finding, text: string): string {
  return `${code} ${linesOf(text)[line - 1]?.text ?? ""} ${sentence.replaceAll(/\d+/g, "")}`;
}

function isBinary(text: string): boolean {
  return text.includes("\0");
}
