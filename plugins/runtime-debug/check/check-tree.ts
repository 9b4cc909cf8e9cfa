import type { Files } from "skillctl";
import { isFixState } from "../protocol/machine.ts";
import type { SessionEntry } from "../session/entry.ts";
import { languageOf } from "../probes/languages.ts";
import type { Change } from "../worktree/change.ts";
import { exactTexts } from "../worktree/exact-text.ts";
import type { Worktree } from "../worktree/worktree.ts";
import { differences, type Difference } from "./differences.ts";
import type { Finding } from "./finding.ts";
import { instrumented, isAccepted, isDocument, type Instrumented } from "./instrumented.ts";
import { namedHypotheses, reportedTexts } from "./named-hypotheses.ts";
import { nativeLogIn } from "./native-log.ts";
import { newTraces } from "./traces.ts";
import { treeFiles, type TreeFile } from "./tree-files.ts";

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
  /** What tells the events of the regions again. */
  readonly signs: ReadonlySet<string>;
  readonly findings: readonly Finding[];
  /** What is told and stops nothing. */
  readonly notes: readonly Finding[];
  readonly changed: readonly ChangedCode[];
}

/**
 * Holds all that differs against how it was at the start: regions, and nothing else unless a fix may be or has been
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
  const look = new TreeLook(entry);
  const { tree, others } = await treeFiles(worktree, files, root, entry.baseline, looked);
  for (const file of tree) look.at(file);
  for (const change of others) look.other(change);
  await worktree.keepBytes(entry.baseline, look.images);
  return look;
}

/** Whether a file is code that somebody writes: by its name, or because a program runs it. Data, logs and notes are none. */
export function isSource(path: string, text: string): boolean {
  return languageOf(path) !== undefined || text.startsWith("#!");
}

/** So many places are told of one file. */
const MOST_PLACES = 20;
const PUT_BACK =
  "Put it back as it was: until log lines have confirmed a hypothesis, probes are all that may be added.";

class TreeLook implements CheckedTree {
  files = 0;
  regions = 0;
  readonly hypotheses = new Set<string>();
  readonly signs = new Set<string>();
  readonly findings: Finding[] = [];
  readonly notes: Finding[] = [];
  readonly changed: ChangedCode[] = [];
  /** How files were that have regions, or have changed otherwise, where that has come out. */
  readonly images = new Map<string, Uint8Array>();

  constructor(private readonly entry: SessionEntry) {}

  at(file: TreeFile): void {
    const { path, before, now } = file;
    if (!now) {
      this.changed.push({ path, stripped: undefined });
      if (!this.#mayDiffer(path, undefined)) this.#tell(path, "file-removed", "This file has been removed.");
      return;
    }
    const { text, before: former } = exactTexts(now, before);
    const seen = instrumented(path, text, former);
    this.findings.push(...seen.findings);
    this.notes.push(...seen.notes);
    this.#count(seen);
    if (before) this.images.set(path, before);
    const isAdded = !before && file.isLost !== true;
    if (isAdded && seen.regions.length === 0 && !isSource(path, text)) return;
    if (!seen.isAsBefore && seen.stripped !== undefined) this.#differs(path, isAdded, seen, former);
  }

  /** A link, a folder or a very large file. */
  other({ path, kind }: Change): void {
    if (isFixState(this.entry.state)) return;
    if (kind === "changed") this.#tell(path, "code-changed", DIFFERS);
    else if (isSource(path, "")) this.#tell(path, "new-file", NEW_FILE);
  }

  #count({ lines, regions }: Instrumented): void {
    if (regions.length > 0) this.files += 1;
    this.regions += regions.length;
    for (const name of namedHypotheses(lines, regions, this.entry.id)) this.hypotheses.add(name);
    for (const sign of reportedTexts(lines, regions, this.entry.id)) this.signs.add(sign);
  }

  #differs(path: string, isAdded: boolean, seen: Instrumented, before: string | undefined): void {
    const { stripped } = seen;
    this.changed.push({ path, stripped });
    const sign = { session: this.entry.id, hosts: [] };
    const traces = isDocument(path) ? [] : newTraces(seen.outside, before, sign);
    for (const { line, trace } of traces)
      this.findings.push({
        file: path,
        line,
        code: "probe-without-region",
        sentence: `This line stands outside all regions and holds ${trace}.`,
        hint: "Take it out, or put it into a region: `skillctl run runtime-debug probe` prints one.",
      });
    if (this.#mayDiffer(path, stripped)) return;
    if (isAdded) return this.#tell(path, "new-file", NEW_FILE);
    if (before === undefined || before.includes("\0")) return this.#tell(path, "code-changed", DIFFERS);
    const told = new Set(traces.map(({ line }) => line));
    const places = differences(seen.outside, seen.outsideBefore);
    const untold = places.filter(({ line, added }) => !(told.has(line) && added.length === 1));
    for (const place of untold.slice(0, MOST_PLACES))
      this.#tell(path, "code-changed", sentenceOf(place), place.line);
  }

  #mayDiffer(path: string, stripped: string | undefined): boolean {
    return isFixState(this.entry.state) || isAccepted(this.entry, path, stripped);
  }

  #tell(file: string, code: string, sentence: string, line?: number): void {
    this.findings.push({ file, ...(line !== undefined && { line }), code, sentence, hint: PUT_BACK });
  }
}

const DIFFERS = "This file differs from before.";
const NEW_FILE = "This file is new: instrumentation adds no files.";

/** One place of a file that differs, so that a log line, an import and an edit are told apart. */
function sentenceOf({ added, removed }: Difference): string {
  const text = added.find((line) => line.trim() !== "")?.trim() ?? "";
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  const log = added.map(nativeLogIn).find((name) => name !== undefined);
  if (log !== undefined && removed === 0)
    return `This is new, and ${log} writes to a console or log of the program: ${shown}`;
  if (added.length === 0 && removed === 0) return "Its line ends, or the marks at its beginning, are others.";
  if (added.length === 0) return `${removed === 1 ? "A line is" : `${removed} lines are`} missing here.`;
  return `${removed === 0 ? "This is new" : "This differs from before by more than probes"}: ${shown}`;
}
