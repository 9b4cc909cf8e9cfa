import type { Finding } from "./finding.ts";
import { fileState, type FileState, type FileText } from "./file-state.ts";
import { bodyOf, differences, hashOf, type Difference } from "./instrumented.ts";
import { languageOf, type Language } from "../probes/languages.ts";
import { isRecord, nativeLogIn } from "./traces.ts";
import { isFixState, isHeld, isPossible, probeCommand } from "../session/steps.ts";
import { linesOf, regionsIn, replacedBy, strippedOf, withoutMark } from "../regions/regions.ts";
import type { SessionEntry, SetProbe } from "../session/entry.ts";
import { backLine } from "../session/rounds.ts";
import { lettersOf, regionHash } from "../session/set-probes.ts";
import { isAnySession, signsIn } from "../session/signs.ts";
import { hypothesisNames } from "../store/read/event-filter.ts";
import { markHash, type Change } from "../worktree/change.ts";
import { isCodeText, isDocument, isProse } from "../worktree/code-files.ts";
import { exactText, utf8Text } from "../worktree/exact-text.ts";

/** A file with changes other than probes; after a fix, it is part of the fix. */
export interface ChangedCode {
  readonly path: string;
  /** Its hash without probes, as `SessionEntry.accepted` keeps it. */
  readonly hash: string;
  /** Its bytes without probes; missing for a removed file, a link or a very large file. */
  readonly bytes?: Uint8Array;
}

export interface CheckedTree {
  /** The files that hold instrumentation of the session. */
  readonly probed: readonly string[];
  /** How many regions they hold. */
  readonly regions: number;
  /** The hypotheses that the regions name. */
  readonly hypotheses: ReadonlySet<string>;
  /** Other sessions that regions name; these regions count for those sessions. */
  readonly otherSessions: ReadonlySet<string | undefined>;
  /** The probes set by `probe` whose regions are no longer in any file, except those of removed files. */
  readonly lost: readonly SetProbe[];
  /** Texts that identify the events of the regions. */
  readonly signs: ReadonlySet<string>;
  readonly findings: readonly Finding[];
  /** Findings that do not fail the check. */
  readonly notes: readonly Finding[];
  readonly changed: readonly ChangedCode[];
  /** The files that were compared with their earlier state. */
  readonly tree: readonly FileState[];
}

/**
 * Compares all differences with the state at the start: only regions are allowed, unless a fix may be or has been
 * accepted. `changed` in the result includes accepted changes.
 */
export function checkTree(entry: SessionEntry, changes: readonly Change[]): CheckedTree {
  // Session records are not code.
  const tree = changes
    .filter(({ path, before, now = before }) => !now || !isRecord(path, exactText(now).text))
    .map((change) => fileState(entry, change));
  const looks = tree.map((file) => look(entry, file));
  const regions = looks.map(({ probes = [] }) => probes.length);
  const changed = looks.flatMap((one) => one.changed ?? []);
  const findings = looks.flatMap((one) => one.findings ?? []);
  const differing = [...changed.map(({ path }) => path), ...findings.map(({ file }) => file)];
  return {
    probed: tree.flatMap(({ path }, index) => (regions[index] ? [path] : [])),
    regions: regions.reduce((sum, count) => sum + count, 0),
    hypotheses: new Set(looks.flatMap(({ probes = [] }) => probes.flatMap(hypothesesIn))),
    otherSessions: new Set(looks.flatMap(({ others = [] }) => others.map(({ session }) => session))),
    lost: lostProbes(entry, looks, tree),
    signs: new Set(looks.flatMap(({ probes = [] }) => probes.flatMap(({ code }) => signsIn(code)))),
    findings: [...findings, ...goneAgain(entry, new Set(differing))],
    notes: looks.flatMap((one) => one.notes ?? []),
    changed,
    tree,
  };
}

/** The number of places reported for one file. */
const MOST_PLACES = 20;

/** The result for one file. */
interface Look {
  readonly probes?: readonly Probe[];
  /** Regions of other sessions. */
  readonly others?: readonly Probe[];
  readonly findings?: readonly Finding[];
  readonly notes?: readonly Finding[];
  readonly changed?: ChangedCode;
}

function look(entry: SessionEntry, state: FileState): Look {
  const { path, kind, before, code, mark, head = "", hash, isLost, isShared, own } = state;
  const told = (code: string, sentence: string, line?: number): Finding => ({
    file: path,
    ...(line !== undefined && { line }),
    code,
    sentence,
    hint: undoHint(entry),
  });
  const isAllowed = state.isAccepted || !isHeld(entry.state);
  // A change that another session has accepted belongs to that one; this one keeps its own.
  const changedTo = (bytes?: Uint8Array): Pick<Look, "changed"> => {
    if (isShared && state.isAccepted) return own === undefined ? {} : { changed: { path, hash: own } };
    return { changed: { path, hash, ...(bytes && { bytes }) } };
  };
  if (!code) {
    // A folder is listed only when the names in it cannot be read. Pipes and sockets have no content.
    const isData = mark?.kind === "other" || !isCodeText(path, head);
    if (kind === "added" && isData && !path.endsWith("/")) return {};
    const finding = {
      added: told("new-file", NEW_FILE),
      changed: told("code-changed", DIFFERS),
      removed: told("file-removed", "This file has been removed."),
    }[kind];
    return { ...changedTo(), findings: isAllowed ? [] : [finding] };
  }
  // Documents are not code; a document that was kept by name must stay in that state.
  if (isProse(path) && own === undefined) return {};
  const { stripped, traces } = code;
  const notes = [...code.notes, ...changedProbes(entry, path, code)];
  const all = probesIn(code);
  const isOwn = ({ session = entry.id }: Probe): boolean => session === entry.id;
  const probes = all.filter(isOwn);
  const seen = { probes, others: all.filter((one) => !isOwn(one)), findings: code.findings, notes };
  const isAdded = !before && isLost !== true;
  if (isAdded && code.regions.length === 0 && !isCodeText(path, code.text)) return seen;
  if (state.isAsBefore || stripped === undefined) return seen;
  const places = isAllowed
    ? []
    : isAdded
      ? [told("new-file", NEW_FILE)]
      : placesIn(code).map(({ line, sentence }) => told("code-changed", sentence, line));
  const reports = traces.map(({ line, trace }) => ({
    file: path,
    line,
    code: "probe-without-region",
    sentence: `This line is outside of all regions and contains ${trace}.`,
    hint: isPossible(entry.state, "probe")
      ? `Remove it, or insert it with \`${probeCommand(entry.id)}\`.`
      : "Remove it.",
  }));
  return {
    ...seen,
    findings: [...code.findings, ...reports, ...places],
    ...changedTo(code.bytes(stripped)),
  };
}

function lostProbes(
  entry: SessionEntry,
  looks: readonly Look[],
  tree: readonly Change[],
): readonly SetProbe[] {
  const labels = new Set(looks.flatMap(({ probes = [] }) => probes.map(({ label }) => label)));
  const removed = new Set(tree.filter(({ kind }) => kind === "removed").map(({ path }) => path));
  const listed = new Set(entry.hypotheses.map(({ id }) => id));
  return entry.probes.filter(
    (probe) =>
      probe.file !== undefined &&
      !removed.has(probe.file) &&
      lettersOf(probe).some((letter) => listed.has(letter)) &&
      !labels.has(`${probe.hypothesis}:${probe.point}`),
  );
}

/** A replacement in a whole file also changes the reports of its probes. */
function changedProbes(
  { probes }: SessionEntry,
  path: string,
  { lines, regions }: FileText,
): readonly Finding[] {
  return regions.flatMap((region): readonly Finding[] => {
    const { first, last, label } = region;
    const set = probes.find(
      ({ file, hypothesis, point }) => file === path && `${hypothesis}:${point}` === label,
    );
    const text = lines.slice(first, last + 1).map((line) => line.text);
    if (set?.hash === undefined || set.hash === regionHash(text)) return [];
    const sentence = replacedBy(lines, region) ? `${CHANGED_PROBE} ${INSTEAD_OF}` : CHANGED_PROBE;
    return [{ file: path, line: first + 1, code: "probe-changed", sentence }];
  });
}

const CHANGED_PROBE = "This probe differs from the one that `probe` has set, so its report may differ.";
const INSTEAD_OF =
  "The cleanup restores the line after `instead of:`; apply a fix of that line there as well.";

/** Accepted files must still differ, except files of a fix that was followed by a later round. */
function goneAgain(entry: SessionEntry, differing: ReadonlySet<string | undefined>): readonly Finding[] {
  const { accepted, fixes, state } = entry;
  if (!isHeld(state)) return [];
  const fixed = new Set(fixes.flatMap(({ files }) => files));
  const gone = Object.keys(accepted).filter((path) => !differing.has(path));
  return gone
    .filter((path) => isFixState(state) || !fixed.has(path))
    .map((file) => ({
      file,
      code: "code-changed",
      sentence: fixed.has(file) ? FIX_GONE : KEPT_GONE,
      hint: undoHint(entry),
    }));
}

/** The remedies for a difference that is not allowed; a fix that was declared too early is undone. */
function undoHint(entry: SessionEntry): string {
  const { id, state } = entry;
  const back = isFixState(state) ? backLine(entry, "fix") : undefined;
  return [
    `Restore the rest: \`skillctl run runtime-debug undo --session ${id}\`, or name individual files.`,
    `Only if the user wants to keep a change: \`skillctl run runtime-debug keep FILE --session ${id}\`.`,
    ...(back === undefined ? [] : [back]),
  ].join(" ");
}

const FIX_GONE = "The fix is not in this file: it is the same as before the session.";
const KEPT_GONE = "This file lacks its accepted change: it is the same as before the session.";
const DIFFERS = "This file has changed.";
const NEW_FILE = "This file is new: instrumentation adds no files.";

/** The differing places of a file, except lines that are already reported; a file that is not text has no lines. */
function placesIn({ outside, outsideBefore, before, traces }: FileText) {
  if (before === undefined || before.includes("\0")) return [{ line: undefined, sentence: DIFFERS }];
  const told = new Set(traces.map(({ line }) => line));
  const places = differences(outside, outsideBefore);
  const untold = places.filter(({ line, added }) => !(told.has(line) && added.length === 1));
  return untold.slice(0, MOST_PLACES).map((place) => ({ line: place.line, sentence: sentenceOf(place) }));
}

/** One differing place of a file, so that a log line, an import and an edit are reported separately. */
function sentenceOf({ added, removed }: Difference): string {
  const text = added.find((line) => line.trim() !== "")?.trim() ?? "";
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  const log = added.map(nativeLogIn).find((name) => name !== undefined);
  if (log !== undefined && removed === 0)
    return `This is new, and ${log} writes to a console or log of the program: ${shown}`;
  if (added.length === 0 && removed === 0) return "Its line endings or its byte order mark differ.";
  if (added.length === 0) return `${removed === 1 ? "A line is" : `${removed} lines are`} missing here.`;
  return `${removed === 0 ? "This is new" : "More than probes has changed here"}: ${shown}`;
}

/** How events of both public formats name their hypotheses: `hypothesisId: "A"` in code of any language. */
const IN_CODE =
  /hypothesis_?id\W{0,11}?["'`]([A-Za-z]\w{0,3}(?:\s{0,9}[,-]\s{0,9}[A-Za-z]\w{0,3}){0,20})\\?["'`]/gi;
const NAME = String.raw`([a-z0-9]+(?:-[a-z0-9]+){1,3})(?![\w-])`;
/** After the name of the field, or directly before the address. */
const SESSION_IN_CODE = new RegExp(
  String.raw`session_?id\W{1,12}?${NAME}|["']${NAME}["'],?\s*["']https?:`,
  "i",
);

/** A region, and the session that it definitely names. */
interface Probe {
  readonly label: string;
  readonly code: string;
  readonly session: string | undefined;
}

function probesIn({ lines, regions }: Pick<FileText, "lines" | "regions">): readonly Probe[] {
  return regions.map((region) => {
    const code = bodyOf(lines, region)
      .map(({ text }) => text)
      .join("\n");
    return { label: region.label, code, session: sessionIn(code) };
  });
}

/** The session that the code of a region definitely names. */
export function sessionIn(code: string): string | undefined {
  const [, named, beforeAddress] = SESSION_IN_CODE.exec(code) ?? [];
  const session = named ?? beforeAddress;
  return isAnySession(session) ? undefined : session;
}

/** The hash of a file with the probes of a session, but without those of others: `SessionEntry.checked`. */
export function codeHash(
  { path, now, mark }: Pick<Change, "path" | "now" | "mark">,
  session: string,
): string {
  if (!now) return markHash(mark);
  const { text } = exactText(now);
  const lines = linesOf(withoutMark(text));
  // All regions count, those of the start as well.
  const { regions, faults } = isDocument(path) ? { regions: [], faults: [] } : regionsIn(lines);
  const probes = faults.length > 0 ? [] : probesIn({ lines, regions });
  const others = regions.filter((_, index) => (probes[index]?.session ?? session) !== session);
  return hashOf(strippedOf(text, lines, others));
}

/** The hypotheses of a region: from its label, such as `A:token`, and from its report. */
export function hypothesesIn({ label, code }: Probe): readonly string[] {
  const [beforeColon = ""] = label.split(":");
  const inCode = [...code.matchAll(IN_CODE)].map(([, names = ""]) => names);
  const names = [beforeColon.trim(), ...inCode].flatMap((one) => [...hypothesisNames(one)]);
  return names.map((name) => name.toUpperCase());
}

/** The language of a file with a region that was written by hand; `undefined` if `probe` set them all. */
export function handWritten({ path, now }: Change, probes: readonly SetProbe[]): Language | undefined {
  const text =
    now && Buffer.from(now.buffer, now.byteOffset, now.byteLength).includes("region") && utf8Text(now);
  if (!text) return undefined;
  const lines = linesOf(text);
  const known = new Set(probes.map(({ hash }) => hash));
  const isOther = regionsIn(lines).regions.some(
    ({ first, last, label }) =>
      !label.startsWith("shared:") &&
      !known.has(regionHash(lines.slice(first, last + 1).map((one) => one.text))),
  );
  return isOther ? languageOf(path, text) : undefined;
}
