import { dirname, join, relative, resolve, sep } from "node:path";
import { quotedName, SkillError, type Files } from "skillctl";
import { findingsText, type Finding } from "../check/finding.ts";
import type { CleanedCode } from "./code-cleaning.ts";
import { DEFAULT_FOLDER } from "../session-files.ts";
import type { Hypothesis, SessionEntry } from "../session/entry.ts";
import type { OpenedSession } from "../session/sessions.ts";
import { framed, inert } from "../store/event/inert-text.ts";

interface Part {
  readonly heading: string;
  readonly lines: readonly string[];
}

/**
 * The results of a session as Markdown: root cause, hypotheses with the lines cited for them, fix, comparison;
 * after an abort the results so far (specification of runtime debugging, outputs 3 to 6).
 * @param notes text that people have added to the record
 */
export function summaryText(entry: SessionEntry, code: CleanedCode, notes: readonly string[]): string {
  const title = entry.outcome === "aborted" ? "Aborted" : "Fixed";
  const files = [...new Set([...code.fixed, ...entry.fixes.flatMap((fix) => fix.files)])];
  const judged = [...(entry.earlier ?? []), ...entry.hypotheses];
  const cited = [
    ...new Set(judged.flatMap(({ id, cited: lines = [] }) => lines.map((line) => `${id}: ${line}`))),
  ];
  const parts: readonly Part[] = [
    {
      heading: "Issue",
      lines: [entry.issue, ...given("Expected", entry.expected), ...given("Actual", entry.actual)],
    },
    { heading: "Root cause", lines: [causeOf(entry)] },
    { heading: "Hypotheses", lines: entry.hypotheses.map(hypothesisLine) },
    {
      heading: "Hypotheses of earlier rounds",
      lines: (entry.earlier ?? []).map((one) => `${hypothesisLine(one)} (${one.run})`),
    },
    { heading: "Log lines cited", lines: cited.length === 0 ? [] : indented(framed(cited)) },
    { heading: "Fix", lines: entry.fixes.map(({ summary }, index) => `${index + 1}. ${oneLine(summary)}`) },
    { heading: "Files changed", lines: files.map((path) => `- ${fileText(path, code)}`) },
    { heading: "Patch", lines: indented(code.patch.trimEnd()) },
    { heading: "Before and after", lines: indented(entry.conclusion) },
    { heading: "Further rounds", lines: entry.iterations.map((one) => `- ${oneLine(one)}`) },
    { heading: "Undone and kept", lines: (entry.drift ?? []).map((one) => `- ${oneLine(one)}`) },
    { heading: "Notes from the record", lines: notes },
  ];
  const texts = parts.filter(({ lines }) => lines.length > 0).map(partText);
  return `${inert([`# ${title}: ${entry.id}`, ...texts].join("\n\n"))}\n`;
}

function fileText(path: string, { deleted }: CleanedCode): string {
  return deleted.includes(path) ? `${quotedName(path)} (deleted)` : quotedName(path);
}

function partText({ heading, lines }: Part): string {
  return [`## ${heading}`, "", ...lines].join("\n");
}

/** Collected text, in its frame: it is indented, so that no line of it becomes a heading of the page. */
function indented(text: string): readonly string[] {
  return text === "" ? [] : text.split("\n").map((line) => `    ${line}`.trimEnd());
}

/** The root cause, if it was named or confirmed. */
function causeOf({ cause, outcome, hypotheses }: SessionEntry): string {
  const confirmed = hypotheses.filter(({ verdict }) => verdict === "confirmed");
  // It may belong to an earlier round whose hypotheses were dropped.
  if (cause !== undefined && outcome === "aborted" && confirmed.length === 0)
    return `Not found: the session was aborted. An earlier round had assumed this cause: ${oneLine(cause)}`;
  if (cause !== undefined) return cause;
  if (confirmed.length > 0) return confirmed.map(({ id, text }) => `${id}: ${oneLine(text)}`).join("\n");
  return outcome === "aborted" ? "Not found: the session was aborted." : "Not named.";
}

function hypothesisLine({ id, text, verdict, lines, because }: Hypothesis): string {
  const found = [verdict, ...lines].join(" ");
  return `- ${id} (${found}): ${oneLine(text)}${because === undefined ? "" : `; because: ${oneLine(because)}`}`;
}

function given(name: string, text: string | undefined): readonly string[] {
  return text === undefined ? [] : [`- ${name}: ${oneLine(text)}`];
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** The effects of a cleanup beyond the code. */
interface Closing {
  /** Places that were left unchanged. */
  readonly accepted: readonly string[];
  readonly removed: readonly string[];
  readonly summary: string;
  /** The page that the summary was written to. */
  readonly report: string | undefined;
}

/** The effects of a cleanup, for reading, and the summary; if the summary was written to a page, only the cause. */
export function closedText(
  entry: SessionEntry,
  code: CleanedCode,
  { accepted: left, removed, summary, report }: Closing,
): string {
  const { cleaned, fixed, deleted, notes } = code;
  const { id, outcome } = entry;
  const isBuilt = notes.some(({ code }) => code === "built-with-probes" || code === "not-searched");
  const kept = outcome === "aborted" ? "Still different from before" : "The fix stays in";
  const lines = [
    `The session ${id} is closed; none of it is left in the ${isBuilt ? "code" : "files"}${left.length > 0 ? " except the accepted parts" : ""}.`,
    ...listed("Accepted", left),
    ...listed("Probes were removed from", cleaned),
    ...listed(
      kept,
      fixed.filter((path) => !deleted.includes(path)),
    ),
    ...listed(outcome === "aborted" ? "Still deleted" : "Deleted by the fix", deleted),
    ...listed("Removed", removed),
    ...notesText(notes),
    ...(report === undefined ? [] : [`Root cause: ${causeOf(entry)}`, `Report: ${report}`]),
  ];
  const text = inert(lines.join("\n"));
  return report === undefined ? `${text}\n\n${summary.trimEnd()}` : text;
}

/** The places that could not be cleaned, for reading. */
export function unsafeText({ id }: SessionEntry, { cleaned, findings, notes }: CleanedCode): string {
  const lines = [
    `Some parts of ${id} cannot be removed safely.`,
    ...listed("Probes were removed from", cleaned),
    "Left unchanged:",
    findingsText(findings),
    ...notesText(notes),
  ];
  return inert(lines.join("\n"));
}

function notesText(notes: readonly Finding[]): readonly string[] {
  return notes.length === 0 ? [] : ["Beside:", findingsText(notes)];
}

function listed(heading: string, paths: readonly string[]): readonly string[] {
  return paths.length === 0 ? [] : [`${heading}: ${paths.map(quotedName).join(", ")}`];
}

/** Other users may read the requested page. */
const MODE = 0o644;

/**
 * The file of the page: a new file, or an earlier page about the same session; never a place that the cleanup removes.
 * @returns an absolute path
 * @throws SkillError `USAGE`, `FILE_UNREADABLE`
 */
export async function reportPath(
  asked: string,
  { root, entry: { id } }: OpenedSession,
  workingFolder: string,
  files: Files,
): Promise<string> {
  const path = resolve(workingFolder, asked);
  const [first = ""] = relative(root, path).split(sep);
  if (first === DEFAULT_FOLDER || first === ".git" || path === join(root, `debug-${id}.md`))
    throw refused(path, "would be removed by the cleanup, or belongs to git");
  if ((await files.facts(dirname(path)))?.kind !== "folder")
    throw new SkillError("USAGE", `There is no folder ${quotedName(dirname(path))} for the report.`, {
      hint: "Create it first, or name another file with --report. Nothing has been changed.",
      file: path,
    });
  await refuseOther(path, id, files);
  return path;
}

/** Writes the page. @throws SkillError `FILE_UNWRITABLE`, `USAGE` if a file was created there in the meantime */
export async function writeReport(path: string, session: string, text: string, files: Files): Promise<void> {
  const page = `${firstLine(session)}\n${text}`;
  if (await files.create(path, page, MODE)) return;
  await refuseOther(path, session, files);
  await files.replace(path, page, MODE);
}

async function refuseOther(path: string, session: string, files: Files): Promise<void> {
  const facts = await files.facts(path);
  const text = facts?.kind === "file" ? await files.readText(path) : undefined;
  if (facts && text?.startsWith(firstLine(session)) !== true)
    throw refused(path, "already exists and is not a report of this session");
}

function firstLine(session: string): string {
  return `<!-- skillctl runtime-debug report: ${session} -->`;
}

function refused(path: string, why: string): SkillError {
  return new SkillError("USAGE", `${quotedName(path)} ${why}.`, {
    hint: "Name another file with --report.",
    file: path,
  });
}
