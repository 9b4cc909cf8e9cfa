import type { SessionEntry } from "../session/entry.ts";
import { belongsIntoLogFolder } from "../worktree/log-folder.ts";
import { sameName } from "./inside.ts";
import type { Site } from "./sites.ts";

/** What a path is for the sessions of its project. */
type PlaceKind =
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
export function placeOf(path: string, { sessions }: Pick<Site, "sessions">): PlaceKind {
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

/** Why nothing else comes into `.dbg`. */
export function strayed(path: string): string {
  return `${path} is none of the files that the debug server keeps there.`;
}

function isRecord(path: string, sessions: readonly SessionEntry[]): boolean {
  if (sessions.some(({ baseline }) => baseline.images === "")) return RECORD.test(path);
  return sessions.some(({ id }) => sameName(path, `debug-${id}.md`));
}
