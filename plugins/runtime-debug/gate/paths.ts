import type { Subject } from "skillctl";
import { languageOf } from "../probes/languages.ts";
import type { SessionEntry } from "../session/entry.ts";
import { fieldsOf, textAt } from "./edited-text.ts";

/** How two spellings of a path are held for one: Unicode composed (UAX 15), letters without case. */
function folded(path: string): string {
  return path.replaceAll("\\", "/").normalize("NFC").toLowerCase();
}

/**
 * A path as seen from a folder, with `/`; "" is the folder itself, `undefined` what lies outside. Where file systems
 * differ in what they take for the same name, it is inside: letter case and the form of accents do not count.
 */
export function inside(folder: string, path: string): string | undefined {
  const [base, full] = [folder.replace(/[/\\]+$/, ""), path.replace(/(?<=.)[/\\]+$/, "")];
  if (full.startsWith(`${base}/`)) return full.slice(base.length + 1);
  if (full === base) return "";
  const [foldedBase, foldedFull] = [folded(base), folded(full)];
  if (foldedFull === foldedBase) return "";
  return foldedFull.startsWith(`${foldedBase}/`) ? foldedFull.slice(foldedBase.length + 1) : undefined;
}

/** Whether a path is a folder that holds another one, or is it. */
export function holds(path: string, folder: string): boolean {
  return inside(path === "/" ? "" : path, folder) !== undefined;
}

/** Whether two names are the same on some file system. */
export function sameName(one: string, other: string): boolean {
  return folded(one) === folded(other);
}

/** What a path is for the sessions of its project. */
type PathKind =
  /** The record of a session. */
  | "record"
  /** In `.dbg`: what the server and its session write, and plain texts. */
  | "session"
  /** Other files there. */
  | "stray"
  /** What the server alone writes: the log of a session, its segments and what it says of itself. */
  | "evidence"
  /** Configuration of git that could hide a change or run something. */
  | "git"
  /** Other files of git. */
  | "git-own"
  /** Everything else: the code of the project. */
  | "code";

const GIT_SETTINGS = /^(?:.*\/)?\.git\/(?:(?:modules|worktrees)\/.*\/)?(?:config|hooks|info)(?:$|[./])/;
const RECORD = /^debug-[a-z][a-z0-9]*(?:-[a-z][a-z0-9]*){1,3}\.md$/;
const LOG = /^(?:svc|trae)-debug-[a-z]+-.*/;

/** `path` is from the project folder, with `/`. */
export function kindOf(path: string, sessions: readonly SessionEntry[]): PathKind {
  const words = path.split("/");
  if (isRecord(path, sessions)) return "record";
  const depth = words.findIndex((word) => sameName(word, ".dbg"));
  if (depth >= 0) {
    const [name, ...further] = words.slice(depth + 1);
    if (name === undefined) return "session";
    if (further.length > 0 || !belongsIntoLogFolder(name)) return "stray";
    return LOG.test(name) || name.endsWith(".server.json") ? "evidence" : "session";
  }
  if (LOG.test(words.at(-1) ?? "") && /\.ndjson/.test(path)) return "evidence";
  if (GIT_SETTINGS.test(path) || sameName(path, ".git")) return "git";
  return words.slice(0, -1).some((word) => sameName(word, ".git")) ? "git-own" : "code";
}

function isRecord(path: string, sessions: readonly SessionEntry[]): boolean {
  if (sessions.some(({ baseline }) => baseline.images === "")) return RECORD.test(path);
  return sessions.some(({ id }) => sameName(path, `debug-${id}.md`));
}

/** Tools of MCP servers and of agents that write the file that they name, by their names. */
const EDITORS =
  /(?:^|__|:)(?:(?:write|edit|create|append|replace|delete|move)(?:_?(?:text_?)?file)?|str_?replace\w*)$/i;

/** The files that a call surely writes. */
export function writtenBy({ tool, name = "", input, paths = [], shell }: Subject): readonly string[] {
  if (tool === "shell") return shell?.writes ?? [];
  if (tool !== "write" && tool !== "edit" && !EDITORS.test(name)) return [];
  // An editor of several commands that is asked to show.
  return textAt(fieldsOf(input), "command") === "view" ? [] : paths;
}

/** What a server and its session write into `.dbg`: docs/debug-session.md, Files. */
const OWN =
  /^(?:\.gitignore|\..*\.skillctl-new|(?:svc|trae)-debug-[a-z]+-.+|[a-z0-9-]+\.(?:env|server\.json|serve\.log))$/;
/** Notes and outputs, which no program runs. */
const PLAIN = /\.(?:txt|md|log|out|pid)$/i;

/** Whether a file of this name in `.dbg` is the server's or its session's, or one that no program runs. */
function belongsIntoLogFolder(name: string): boolean {
  return (OWN.test(name) && languageOf(name) === undefined) || PLAIN.test(name);
}
