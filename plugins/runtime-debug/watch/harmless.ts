import { basename } from "node:path";
import { languageOf } from "../probes/languages.ts";
import { LEFT_OUT, isOwnFile } from "../worktree/exclusions.ts";
import { isInLogFolder, isLogFolderFile } from "../worktree/log-folder.ts";
import { BYTECODE_FOLDER, isBytecode } from "./bytecode.ts";

/** What programs leave behind where they run, and no program reads as code. */
const OUTPUTS =
  /^(?:nohup\.out|core\.\d+|lcov\.info|\.coverage(?:\..*)?|\.eslintcache|\.stylelintcache|\.DS_Store|Thumbs\.db|4913|\.#.*)$|\.(?:log|pid|pyc\.\d+|sw[a-p]|cpuprofile|heapprofile|heapsnapshot|prof|tsbuildinfo|(?:db|sqlite3?)(?:-wal|-shm|-journal)?)$/;
/** Folders of reports, at the top of a project. */
const REPORTS: ReadonlySet<string> = new Set([".nyc_output", "coverage", "htmlcov", ".hypothesis"]);
/** What the pages in them load. */
const OF_PAGES = /^(?:block-navigation|prettify|sorter|coverage_html\w*)\.js$/;
/** Folders of tools that hold no code. */
export const CACHES: ReadonlySet<string> = new Set([
  ".cache",
  ".mypy_cache",
  ".parcel-cache",
  ".pytest_cache",
  ".ruff_cache",
]);
const RECORD = /^debug-[a-z0-9-]+\.md$/;

/** Whether a new file is none that instrumentation is not allowed to add. `sessions` are those of the project. */
export function isHarmlessNew(path: string, sessions: readonly string[]): boolean {
  const words = path.split("/");
  const name = basename(path);
  const folders = words.slice(0, -1);
  return (
    isOfTools(folders, name) ||
    OUTPUTS.test(name) ||
    isReport(folders, name) ||
    (folders.length === 0 && RECORD.test(name)) ||
    sessions.some((id) => isOfSession(path, name, id))
  );
}

/** A file in a folder that tools keep; what only holds data has no code in it. */
function isOfTools(folders: readonly string[], name: string): boolean {
  if (!folders.some((word) => LEFT_OUT.has(word) && word !== BYTECODE_FOLDER)) return false;
  return !folders.some((word) => CACHES.has(word)) || (languageOf(name) === undefined && !isBytecode(name));
}

/** A file in a folder of reports that is no code. */
function isReport([first = ""]: readonly string[], name: string): boolean {
  if (!REPORTS.has(first)) return false;
  const language = languageOf(name);
  return language === undefined ? !isBytecode(name) : language === "html" || OF_PAGES.test(name);
}

/** Whether a file is one that a session itself writes, wherever its log lies. */
export function isOfSession(path: string, name: string, id: string): boolean {
  if (isInLogFolder(path)) return isLogFolderFile(path, id);
  return (
    isOwnFile(path, id) ||
    name.startsWith(`svc-debug-log-${id}`) ||
    [`${id}.env`, `${id}.server.json`, `${id}.serve.log`].includes(name)
  );
}
