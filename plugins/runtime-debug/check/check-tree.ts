import { differences, type Difference } from "./differences.ts";
import type { Finding } from "./finding.ts";
import {
  hashOf,
  instrumented,
  isDocument,
  isProse,
  type Instrumented,
  nativeLogIn,
  bodyOf,
} from "./instrumented.ts";
import { isRecord, newTraces } from "./traces.ts";
import { languageOf } from "../probes/languages.ts";
import { isFixState, type State } from "../session/steps.ts";
import type { TextLine, Region } from "../regions/regions.ts";
import type { SessionEntry } from "../session/entry.ts";
import { backFor } from "../session/rounds.ts";
import { isAnySession, signsIn } from "../session/signs.ts";
import { hypothesisNames } from "../store/read/event-filter.ts";
import type { Change } from "../worktree/change.ts";
import { exactText, exactTexts } from "../worktree/exact-text.ts";

/** A file that differs from before by more than probes: the fix, once there is one. */
export interface ChangedCode {
  readonly path: string;
  /** What it is without probes, as `SessionEntry.accepted` keeps it. */
  readonly hash: string;
  /** Its bytes without probes; missing for what has been removed, is a link or is very large. */
  readonly bytes?: Uint8Array;
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
  /** The files that were held against how they were. */
  readonly tree: readonly Change[];
}

/**
 * Holds all that differs against how it was at the start: regions, and nothing else unless a fix may be or has been
 * accepted. `changed` of the result holds the accepted ones too.
 */
export function checkTree(entry: SessionEntry, changes: readonly Change[]): CheckedTree {
  const look = new TreeLook(entry);
  for (const change of changes) if (!isRecordOf(change)) look.at(change);
  look.end();
  return look;
}

/** Records of sessions are no code. */
function isRecordOf({ path, before, now = before }: Change): boolean {
  return now !== undefined && isRecord(path, exactText(now).text);
}

/** Whether a file is code that somebody writes: by its name, or because a program runs it. Data, logs and notes are none. */
export function isSource(path: string, text: string): boolean {
  return languageOf(path) !== undefined || text.startsWith("#!");
}

/** So many places are told of one file. */
const MOST_PLACES = 20;
/** States in which code may differ from what was accepted: it is being fixed, or the session is over. */
const FREE: ReadonlySet<State> = new Set<State>(["fixing", "cleaning", "closed"]);

class TreeLook implements CheckedTree {
  files = 0;
  regions = 0;
  readonly hypotheses = new Set<string>();
  readonly signs = new Set<string>();
  readonly findings: Finding[] = [];
  readonly notes: Finding[] = [];
  readonly changed: ChangedCode[] = [];
  readonly tree: Change[] = [];

  constructor(private readonly entry: SessionEntry) {}

  at(file: Change): void {
    const { path, before, now } = file;
    this.tree.push(file);
    if (!now && file.kind !== "removed") return this.#other(file);
    if (!now) {
      this.changed.push({ path, hash: "" });
      if (!this.#mayDiffer(path, "")) this.#tell(path, "file-removed", "This file has been removed.");
      return;
    }
    // What is written for people is no code; one that was kept by name is held to what it was then.
    if (isProse(path) && !Object.hasOwn(this.entry.accepted, path)) return;
    const { text, before: former, bytes } = exactTexts(now, before);
    const seen = instrumented(path, text, former);
    this.findings.push(...seen.findings);
    this.notes.push(...seen.notes);
    this.#count(seen);
    const isAdded = !before && file.isLost !== true;
    if (isAdded && seen.regions.length === 0 && !isSource(path, text)) return;
    if (!seen.isAsBefore && seen.stripped !== undefined)
      this.#differs(path, isAdded, { ...seen, bytes: bytes(seen.stripped) }, former);
  }

  /** A link, a folder or a very large file: its mark stands for what it holds. */
  #other({ path, kind, mark }: Change): void {
    const hash = mark ? `${mark.kind} ${mark.bytes} ${mark.modifiedMs}` : "";
    const isCode = kind !== "added" || isSource(path, "");
    if (isCode) this.changed.push({ path, hash });
    if (this.#mayDiffer(path, hash)) return;
    if (kind === "changed") this.#tell(path, "code-changed", DIFFERS);
    else if (isCode) this.#tell(path, "new-file", NEW_FILE);
  }

  /** Last: what was accepted must be there still, but for a fix that another round has come after. */
  end(): void {
    const { accepted, fixes, state } = this.entry;
    if (FREE.has(state)) return;
    const differing = new Set(this.changed.map(({ path }) => path));
    const told = new Set(this.findings.map(({ file }) => file));
    const fixed = new Set(fixes.flatMap(({ files }) => files));
    for (const path of Object.keys(accepted)) {
      if (differing.has(path) || told.has(path)) continue;
      if (!fixed.has(path)) this.#tell(path, "code-changed", KEPT_GONE);
      else if (isFixState(state)) this.#tell(path, "code-changed", FIX_GONE);
    }
  }

  #count({ lines, regions }: Instrumented): void {
    if (regions.length > 0) this.files += 1;
    this.regions += regions.length;
    for (const name of namedHypotheses(lines, regions, this.entry.id)) this.hypotheses.add(name);
    for (const sign of reportedTexts(lines, regions, this.entry.id)) this.signs.add(sign);
  }

  #differs(
    path: string,
    isAdded: boolean,
    { bytes, ...seen }: Instrumented & { readonly bytes: Uint8Array },
    before: string | undefined,
  ): void {
    const hash = hashOf(seen.stripped);
    this.changed.push({ path, hash, bytes });
    const traces = isDocument(path) ? [] : newTraces(seen.outside, before, this.entry.id);
    for (const { line, trace } of traces)
      this.findings.push({
        file: path,
        line,
        code: "probe-without-region",
        sentence: `This line stands outside all regions and holds ${trace}.`,
        hint: "Take it out, or put it into a region: `skillctl run runtime-debug probe` prints one.",
      });
    if (this.#mayDiffer(path, hash)) return;
    if (isAdded) return this.#tell(path, "new-file", NEW_FILE);
    if (before === undefined || before.includes("\0")) return this.#tell(path, "code-changed", DIFFERS);
    const told = new Set(traces.map(({ line }) => line));
    const places = differences(seen.outside, seen.outsideBefore);
    const untold = places.filter(({ line, added }) => !(told.has(line) && added.length === 1));
    for (const place of untold.slice(0, MOST_PLACES))
      this.#tell(path, "code-changed", sentenceOf(place), place.line);
  }

  #mayDiffer(path: string, hash: string): boolean {
    const { accepted, state } = this.entry;
    return FREE.has(state) || accepted[path] === hash;
  }

  #tell(file: string, code: string, sentence: string, line?: number): void {
    const place = line === undefined ? {} : { line };
    this.findings.push({ file, ...place, code, sentence, hint: undoHint(this.entry) });
  }
}

/** How somebody gets out of a difference that nobody has allowed; a fix that was declared too early is taken back. */
function undoHint(entry: SessionEntry): string {
  const { id, state } = entry;
  const back = isFixState(state) ? backFor("fix", entry) : undefined;
  return [
    `Put back what is no probe: \`skillctl run runtime-debug undo --session ${id}\`, or name single files.`,
    `Only when the user says that a change stays: \`skillctl run runtime-debug keep FILE --session ${id}\`.`,
    ...(back === undefined ? [] : [back]),
  ].join(" ");
}

const FIX_GONE = "The fix is not in this file: it is as before the session.";
const KEPT_GONE = "What was kept is not in this file: it is as before the session.";
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

/** How events of both public formats name theirs: `hypothesisId: "A"` in code of any language. */
const IN_CODE = /hypothesis_?id\W{0,11}?["'`]([A-Za-z]\w{0,3}(?:\s*[,-]\s*[A-Za-z]\w{0,3})*)\\?["'`]/gi;
const NAME = String.raw`([a-z0-9]+(?:-[a-z0-9]+){1,3})(?![\w-])`;
/** With its name, or right in front of the address. */
const SESSION_IN_CODE = new RegExp(
  String.raw`session_?id\W{1,12}?${NAME}|["']${NAME}["'],?\s*["']https?:`,
  "i",
);

/**
 * The hypotheses that regions look at: by their labels, such as `A:token`, or by what they report. Regions that name
 * another session are not counted.
 */
export function namedHypotheses(
  lines: readonly TextLine[],
  regions: readonly Region[],
  session: string,
): ReadonlySet<string> {
  const found = new Set<string>();
  for (const region of regions) {
    if ((sessionOfRegion(lines, region) ?? session) !== session) continue;
    const [beforeColon = ""] = region.label.split(":");
    const inCode = [...codeOf(lines, region).matchAll(IN_CODE)].map(([, names = ""]) => names);
    for (const names of [beforeColon.trim(), ...inCode])
      for (const name of hypothesisNames(names)) found.add(name.toUpperCase());
  }
  return found;
}

/** What tells the events of regions again, but for those that name another session. */
export function reportedTexts(
  lines: readonly TextLine[],
  regions: readonly Region[],
  session: string,
): readonly string[] {
  return regions.flatMap((region) =>
    (sessionOfRegion(lines, region) ?? session) === session ? signsIn(codeOf(lines, region)) : [],
  );
}

/** The session that a region names, as probes of ours and events of both public formats do; `undefined` without a certain one. */
function sessionOfRegion(lines: readonly TextLine[], region: Region): string | undefined {
  const [, named, beforeAddress] = SESSION_IN_CODE.exec(codeOf(lines, region)) ?? [];
  const session = named ?? beforeAddress;
  return isAnySession(session) ? undefined : session;
}

function codeOf(lines: readonly TextLine[], region: Region): string {
  return bodyOf(lines, region)
    .map(({ text }) => text)
    .join("\n");
}
