import { join } from "node:path";
import { diffArrays } from "diff";
import { quotedName, SkillError, type Files, type Log } from "skillctl";
import type { StatusOutput } from "../contract.ts";
import { statusIn } from "../record-status.ts";
import { commonLines } from "../regions/regions.ts";
import type { ServerRecord } from "../server/server-files.ts";
import { DEFAULT_FOLDER, refuseOther } from "../session-files.ts";
import { utf8Text } from "../worktree/exact-text.ts";
import type { Hypothesis, SessionEntry } from "./entry.ts";
import { evidenceLines } from "./hypotheses.ts";

/** The maximum size of a record, in bytes. */
const MOST_BYTES = 1024 * 1024;

/** The record of a session in its project. */
export function recordPath(root: string, id: string): string {
  return join(root, `debug-${id}.md`);
}

/** The session ids of the records in a project. */
export async function recordsIn(root: string, files: Files): Promise<readonly string[]> {
  return ((await files.list(root)) ?? []).flatMap((name) => /^debug-([a-z0-9-]+)\.md$/.exec(name)?.[1] ?? []);
}

/** The text of a record that may belong to another session; `undefined` unless it is a readable plain file of at most 1 MiB. */
export async function recordAt(path: string, files: Files): Promise<string | undefined> {
  const facts = await files.facts(path);
  if (facts?.kind !== "file" || facts.bytes > MOST_BYTES) return undefined;
  try {
    return await files.readText(path);
  } catch (caught) {
    // A file that this user cannot read is not a record of this user.
    if (caught instanceof SkillError) return undefined;
    throw caught;
  }
}

/**
 * Writes the entry and the address of its server into the record, keeps text that people have added, and returns the
 * text of the tools. A missing record is written again.
 * @throws SkillError `STORAGE_UNSAFE` for a link or a file of others, `FILE_UNREADABLE` unless it is a text of at most
 * 1 MiB, `FILE_UNWRITABLE`
 */
export async function writeRecord(
  root: string,
  entry: SessionEntry,
  server: ServerRecord | undefined,
  files: Files,
  log: Log,
): Promise<string> {
  const path = recordPath(root, entry.id);
  // The address has no key, since every reader of the project can see the record.
  const text = recordText(entry, server?.eventUrl.split("?", 1)[0]);
  await refuseOther(path, "file", files);
  const facts = await files.facts(path);
  if (!facts) {
    log.notice(`The record ${quotedName(path)} was missing and is written again.`);
    await files.replace(path, text);
    return text;
  }
  if (facts.bytes > MOST_BYTES) throw noRecord(path, "is over 1 MiB long");
  const there = utf8Text((await files.readBytes(path)) ?? new Uint8Array());
  // Writing invalid UTF-8 back would change it.
  if (there === undefined) throw noRecord(path, "is not a text file in UTF-8");
  const next = withLineEnds(there, merged(entry.recordText, text, plain(there)));
  if (next !== there) await files.replace(path, next, facts.mode ?? 0o600);
  return text;
}

/** The text in the form of the tools: without a byte order mark, with LF. */
function plain(text: string): string {
  return text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
}

/** The new text with the byte order mark and line ends of the existing one. */
function withLineEnds(there: string, text: string): string {
  const marked = there.startsWith("\uFEFF") ? `\uFEFF${text}` : text;
  return /\r\n/.test(there) && !/(?<!\r)\n/.test(there) ? marked.replaceAll("\n", "\r\n") : marked;
}

function noRecord(path: string, what: string): SkillError {
  return new SkillError(
    "FILE_UNREADABLE",
    `${quotedName(path)} ${what}, so it is not the record of a session.`,
    {
      file: path,
      hint: "Move it away: the record is then written again.",
    },
  );
}

/**
 * The lines that tools keep at the head of a record. A change by hand is replaced: it has no effect on gates, and must
 * not look as if it had.
 */
const HEAD = /^[-*]\s+\*\*(?:Status|Debug Server|Log File)(?:\*\*:|:\*\*)/i;

/**
 * The record with the text of `mine`, without losing text of people: `base` is the last text of the tools, `theirs` the
 * text of the file. Added lines stay before the same line, and removed lines stay removed as long as tools do not
 * change them; a line that both have changed is kept in both versions. Additions of `mine` are inserted once,
 * even if a killed step has already written them.
 */
export function merged(base: string, mine: string, theirs: string): string {
  const [before, now, found] = [base, mine, theirs].map((text) => text.split("\n")) as [
    string[],
    string[],
    string[],
  ];
  const places = commonLines(before, now);
  const kept = new Set(places.values());
  /** Lines that tools add before a line of `mine`. */
  const ownBefore = (place: number): readonly string[] => {
    let first = place;
    while (first > 0 && !kept.has(first - 1)) first -= 1;
    return now.slice(first, place);
  };
  const added = new Map<number, string[]>();
  const gone = new Set<number>();
  let at = 0;
  for (const part of diffArrays(before, found)) {
    if (part.added) {
      const next = before.findIndex((_, index) => index >= at && places.has(index));
      const place = places.get(next) ?? now.length;
      const lines = withoutRun(part.value, ownBefore(place)).filter((line) => !HEAD.test(line));
      added.set(place, [...(added.get(place) ?? []), ...lines]);
      continue;
    }
    for (let line = at; part.removed && line < at + part.count; line += 1) {
      const place = places.get(line);
      if (place !== undefined && !HEAD.test(before[line] ?? "")) gone.add(place);
    }
    at += part.count;
  }
  const lines = now.flatMap((line, index) => [
    ...(added.get(index) ?? []),
    ...(gone.has(index) ? [] : [line]),
  ]);
  return [...lines, ...(added.get(now.length) ?? [])].join("\n");
}

/** Lines without the first occurrence of the sequence `run`. */
function withoutRun(lines: readonly string[], run: readonly string[]): readonly string[] {
  const at = lines.findIndex((_, first) => run.every((line, index) => lines[first + index] === line));
  return at === -1 ? lines : lines.toSpliced(at, run.length);
}

/** The lines that people have added to a record. */
export function recordNotes(written: string, found: string): readonly string[] {
  return diffArrays(written.split("\n"), plain(found).split("\n"))
    .filter(({ added }) => added)
    .map(({ value }) =>
      value
        .filter((line) => !HEAD.test(line))
        .join("\n")
        .trim(),
    )
    .filter((text) => text !== "");
}

const STATUS = { fixed: "FIXED", aborted: "ABORTED" } as const;

const NONE_YET = "None yet.";

/**
 * The record as Markdown (specification of runtime debugging, "Resources and their fields"): names of headings and items as
 * public records have them, so that others can read it. `server` is the address of its server, once there is one, without
 * a key.
 */
export function recordText(entry: Omit<SessionEntry, "baseline" | "recordText">, server?: string): string {
  const {
    id,
    outcome,
    issue,
    steps,
    hypotheses,
    earlier = [],
    material = [],
    conclusion,
    iterations,
    drift,
  } = entry;
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ["Symptoms", symptoms(entry)],
    ["Reproduction Steps", steps.map((step, index) => `${index + 1}. ${oneLine(step)}`)],
    ...(material.length === 0 ? [] : [["Material", [material.map(block).join("\n\n")]] as const]),
    ["Hypotheses & Verification", table(hypotheses)],
    ...(earlier.length === 0 ? [] : [["Earlier Hypotheses", earlierTable(earlier)] as const]),
    ["Log Evidence", evidenceLines(hypotheses).map((line) => `- ${oneLine(line)}`)],
    ["Verification Conclusion", conclusion === "" ? [] : [block(conclusion)]],
    ...(iterations.length === 0
      ? []
      : [["Iterations", iterations.map((one, index) => `${index + 1}. ${oneLine(one)}`)] as const]),
    ...(drift === undefined ? [] : [["Undone and Kept", drift.map((one) => `- ${oneLine(one)}`)] as const]),
  ];
  const head = [
    `# Debug Session: ${id}`,
    "",
    `- **Status**: [${outcome ? STATUS[outcome] : "OPEN"}]`,
    `- **Issue**: ${oneLine(issue)}`,
    `- **Debug Server**: ${server ?? "not started"}`,
    `- **Log File**: ${DEFAULT_FOLDER}/svc-debug-log-${id}.ndjson`,
  ];
  const parts = sections.map(([heading, lines]) =>
    [`## ${heading}`, "", ...(lines.length === 0 ? [NONE_YET] : lines)].join("\n"),
  );
  return `${[head.join("\n"), ...parts].join("\n\n")}\n`;
}

/** Indents each line, so that it cannot look like a heading of the record. */
function block(text: string): string {
  return text.replaceAll(/^(?=[^\n])/gm, "    ");
}

type Symptoms = Pick<SessionEntry, "expected" | "actual" | "environment" | "impact" | "notes">;

function symptoms({ expected, actual, environment, impact, notes = [] }: Symptoms): readonly string[] {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["Expected", expected],
    ["Actual", actual],
    ["Environment", environment],
    ["Impact", impact],
    ...notes.map((note) => ["Note", note] as const),
  ];
  return rows.flatMap(([name, text]) => (text === undefined ? [] : [`- ${name}: ${oneLine(text)}`]));
}

function table(hypotheses: readonly Hypothesis[]): readonly string[] {
  if (hypotheses.length === 0) return [];
  const rows = hypotheses.map(({ id, text, likelihood, effort, verdict, lines }) =>
    row([id, text, capital(likelihood), capital(effort), [capital(verdict), ...lines].join(" ")]),
  );
  return [
    row(["ID", "Hypothesis", "Likelihood", "Effort", "Evidence"]),
    "|---|---|---|---|---|",
    ...rows,
    "",
    ...hypotheses.map(
      ({ id, observe, refutedBy }) =>
        `- ${id} is seen at ${oneLine(observe)}, refuted by: ${oneLine(refutedBy)}`,
    ),
  ];
}

function earlierTable(hypotheses: readonly Hypothesis[]): readonly string[] {
  const rows = hypotheses.map(({ id, text, verdict, lines, run = "" }) =>
    row([id, text, run, [capital(verdict), ...lines].join(" ")]),
  );
  return [row(["ID", "Hypothesis", "Run", "Evidence"]), "|---|---|---|---|", ...rows];
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => oneLine(cell).replaceAll("|", "\\|")).join(" | ")} |`;
}

/** A line break would end an item, a row or a heading. */
function oneLine(text: string): string {
  const lines = text.split(/[\r\n\u2028\u2029\u0085\v\f]/);
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** The difference between the record of a session and the session, as a sentence. */
export async function recordFault(
  root: string,
  entry: SessionEntry,
  files: Files,
): Promise<string | undefined> {
  const path = recordPath(root, entry.id);
  if (!(await files.facts(path))) return "The record is missing; the next step writes it again.";
  const text = await recordAt(path, files);
  if (text === undefined) return "The record is not a readable text file: move it away.";
  if (entry.outcome !== undefined || statusIn(text) === "OPEN") return undefined;
  return "The record lacks [OPEN], but the session is open: the record does not control it.";
}

/** A record without a session. */
export type StrangeRecord = NonNullable<StatusOutput["records"]>[number];

/** The records in a project folder that belong to no known session. */
export async function strangeRecords(
  root: string,
  known: readonly string[],
  files: Files,
): Promise<readonly StrangeRecord[]> {
  const ids = (await recordsIn(root, files)).filter((id) => !known.includes(id));
  return Promise.all(
    ids.map(async (id): Promise<StrangeRecord> => {
      const file = `debug-${id}.md`;
      const text = (await recordAt(join(root, file), files)) ?? "";
      const status = statusIn(text);
      const issue = /^- \*\*Issue\*\*: (.+)$/m.exec(text)?.[1]?.slice(0, 2_000);
      return { file, ...(status !== undefined && { status }), ...(issue !== undefined && { issue }) };
    }),
  );
}
