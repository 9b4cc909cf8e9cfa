import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { SkillError, type Files } from "skillctl";
import type { OpenedSession } from "../session/sessions.ts";
import { DEFAULT_FOLDER } from "../session-files.ts";

/** Others may read a page that somebody has asked for. */
const MODE = 0o644;

/** Where the page about a session goes. */
export interface ReportPlace {
  /** Absolute. */
  readonly path: string;
  readonly exists: boolean;
}

/**
 * Where the page goes: a new file, or an earlier page about the same session; never a place that the cleanup clears.
 * @throws SkillError `USAGE`, `FILE_UNREADABLE`
 */
export async function reportPlace(
  asked: string,
  { root, entry }: OpenedSession,
  workingFolder: string,
  files: Files,
): Promise<ReportPlace> {
  const path = resolve(workingFolder, asked);
  const within = relative(root, path).split(sep);
  const isInside = within[0] !== ".." && !isAbsolute(within[0] ?? "");
  if (
    isInside &&
    (within[0] === DEFAULT_FOLDER || within[0] === ".git" || path === join(root, `debug-${entry.id}.md`))
  )
    throw refused(path, "is removed by the cleanup, or is git's own");
  const facts = await files.facts(path);
  if (!facts) {
    const folder = dirname(path);
    if ((await files.facts(folder))?.kind === "folder") return { path, exists: false };
    throw new SkillError("USAGE", `There is no folder ${folder} for the report.`, {
      hint: "Make it first, or name another file with --report. Nothing has been changed.",
      file: path,
    });
  }
  const text = facts.kind === "file" ? await files.readText(path) : undefined;
  if (text?.startsWith(firstLine(entry.id)) !== true)
    throw refused(path, "is there already and is no report of this session");
  return { path, exists: true };
}

/** Writes the page. @throws SkillError `FILE_UNWRITABLE`, `USAGE` when somebody has put a file there meanwhile */
export async function writeReport(
  { path, exists }: ReportPlace,
  session: string,
  text: string,
  files: Files,
): Promise<void> {
  const page = `${firstLine(session)}\n${text}`;
  if (exists) await files.replace(path, page, MODE);
  else if (!(await files.create(path, page, MODE))) throw refused(path, "has come there meanwhile");
}

function firstLine(session: string): string {
  return `<!-- skillctl runtime-debug report: ${session} -->`;
}

function refused(path: string, why: string): SkillError {
  return new SkillError("USAGE", `${path} ${why}.`, { hint: "Name another file with --report.", file: path });
}
