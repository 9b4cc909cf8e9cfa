import { join } from "node:path";
import { SkillError, type Files } from "skillctl";
import { linesOf } from "../regions/lines.ts";
import { regionsIn } from "../regions/regions.ts";
import { isFixState } from "../protocol/machine.ts";
import type { SessionEntry } from "../session/entry.ts";
import { languageOf } from "../probes/languages.ts";
import { MAX_IMAGE_BYTES, type Change } from "../worktree/change.ts";
import { exactText, exactTexts } from "../worktree/exact-text.ts";
import type { Worktree } from "../worktree/worktree.ts";
import { differences, outside, type Difference, type PlacedLine } from "./differences.ts";
import type { Finding } from "./finding.ts";
import { instrumented, isAccepted, withoutMark, type Instrumented } from "./instrumented.ts";
import { namedHypotheses } from "./named-hypotheses.ts";
import { nativeLogIn } from "./native-log.ts";
import { isRecord, mayHoldTraces, traceIn } from "./traces.ts";

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
  const look = new TreeLook(worktree, root, entry);
  for (const change of await withBytes(await looked, root, files)) await look.at(change);
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
  readonly findings: Finding[] = [];
  readonly notes: Finding[] = [];
  readonly changed: ChangedCode[] = [];
  /** How files were that have regions, or have changed otherwise, where that has come out. */
  readonly images = new Map<string, Uint8Array>();

  constructor(
    private readonly worktree: Worktree,
    private readonly root: string,
    private readonly entry: SessionEntry,
  ) {}

  async at(change: Change): Promise<void> {
    const { path, kind, now } = change;
    if (kind === "removed") {
      const before = await this.#before(change);
      if (before && isRecord(path, exactText(before).text)) return;
      this.changed.push({ path, stripped: undefined });
      if (!this.#mayDiffer(path, undefined)) this.#tell(path, "file-removed", "This file has been removed.");
      return;
    }
    if (!now) {
      if (isFixState(this.entry.state)) return;
      if (kind === "changed") this.#tell(path, "code-changed", DIFFERS);
      else if (isSource(path, "")) this.#tell(path, "new-file", NEW_FILE);
      return;
    }
    const before = kind === "added" ? undefined : await this.#before(change);
    const { text, before: former } = exactTexts(now, before);
    if (isRecord(path, text)) return;
    const file = instrumented(path, text, former);
    this.findings.push(...file.findings);
    this.notes.push(...file.notes);
    this.#count(file);
    if (kind === "added" && file.regions.length === 0 && !isSource(path, text)) return;
    if (before && (file.regions.length > 0 || !file.isAsBefore)) this.images.set(path, before);
    if (!file.isAsBefore && file.stripped !== undefined) this.#differs(change, file, former);
  }

  #count({ lines, regions }: Instrumented): void {
    if (regions.length > 0) this.files += 1;
    this.regions += regions.length;
    for (const name of namedHypotheses(lines, regions, this.entry.id)) this.hypotheses.add(name);
  }

  #differs({ path, kind }: Change, file: Instrumented, before: string | undefined): void {
    const { stripped } = file;
    this.changed.push({ path, stripped });
    const mayDiffer = this.#mayDiffer(path, stripped);
    const now = outside(file.lines, regionsIn(file.lines).regions);
    const traces = this.#traces(path, now, before);
    this.findings.push(...traces);
    if (mayDiffer) return;
    if (kind === "added") return this.#tell(path, "new-file", NEW_FILE);
    if (before === undefined || before.includes("\0")) return this.#tell(path, "code-changed", DIFFERS);
    const former = linesOf(withoutMark(before));
    const was = outside(former, regionsIn(former).regions);
    const told = new Set(traces.map(({ line }) => line));
    const places = differences(now, was).filter(({ line, added }) => !(told.has(line) && added.length === 1));
    for (const place of places.slice(0, MOST_PLACES))
      this.#tell(path, "code-changed", sentenceOf(place), place.line);
  }

  /** Lines that report to a debug server, outside all regions and not there before. */
  #traces(path: string, now: readonly PlacedLine[], before = ""): readonly Finding[] {
    const traces = { session: this.entry.id, hosts: [] };
    if (!mayHoldTraces(now.map(({ text }) => text).join("\n"), traces)) return [];
    const known = new Set(linesOf(before).map(({ text }) => text));
    return now.flatMap(({ line, text }): readonly Finding[] => {
      const trace = known.has(text) ? undefined : traceIn(text, traces);
      if (trace === undefined) return [];
      return [
        {
          file: path,
          line: line + 1,
          code: "probe-without-region",
          sentence: `This line stands outside all regions and holds ${trace}.`,
          hint: "Take it out, or put it into a region: `skillctl run runtime-debug probe` prints one.",
        },
      ];
    });
  }

  #mayDiffer(path: string, stripped: string | undefined): boolean {
    return isFixState(this.entry.state) || isAccepted(this.entry, path, stripped);
  }

  /** `undefined` when it is not known: then a change is told without its place. */
  async #before(change: Change): Promise<Uint8Array | undefined> {
    const { path, now } = change;
    const bare = now && strippedOf(path, now);
    try {
      // The hash tells; git need not be asked for the bytes.
      if (bare && (await this.worktree.isBefore(this.root, this.entry.baseline, change, bare))) return bare;
      return await this.worktree.before(this.root, this.entry.baseline, path);
    } catch (caught) {
      if (caught instanceof SkillError && caught.code === "FILE_UNREADABLE") return undefined;
      throw caught;
    }
  }

  #tell(file: string, code: string, sentence: string, line?: number): void {
    this.findings.push({ file, ...(line !== undefined && { line }), code, sentence, hint: PUT_BACK });
  }
}

/** The bytes of a file without its regions; `undefined` when the markers are not balanced. */
function strippedOf(path: string, now: Uint8Array): Uint8Array | undefined {
  const { text, bytes } = exactText(now);
  const { stripped } = instrumented(path, text, undefined);
  return stripped === undefined ? undefined : bytes(stripped);
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
