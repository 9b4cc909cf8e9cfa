import { basename } from "node:path";
import { LEFT_OUT, isOwnFile } from "../worktree/exclusions.ts";

/** What programs leave behind where they run, and no program reads as code. */
const OUTPUTS =
  /^(?:nohup\.out|core\.\d+|lcov\.info|\.coverage(?:\..*)?|\.eslintcache|\.stylelintcache|\.DS_Store|Thumbs\.db|4913|\.#.*)$|\.(?:log|pid|pyc|pyo|sw[a-p]|cpuprofile|heapprofile|heapsnapshot|prof|tsbuildinfo|(?:db|sqlite3?)(?:-wal|-shm|-journal)?)$/;
/** Folders of which the same is true, beside those of `LEFT_OUT`. */
const OUTPUT_FOLDERS: ReadonlySet<string> = new Set([".nyc_output", "coverage", "htmlcov", ".hypothesis"]);
const RECORD = /^debug-[a-z0-9-]+\.md$/;

/** Whether a new file is none that instrumentation is not allowed to add. `sessions` are those of the project. */
export function isHarmlessNew(path: string, sessions: readonly string[]): boolean {
  const words = path.split("/");
  const name = basename(path);
  const folders = words.slice(0, -1);
  return (
    folders.some((word) => LEFT_OUT.has(word) || OUTPUT_FOLDERS.has(word)) ||
    OUTPUTS.test(name) ||
    (folders.length === 0 && RECORD.test(name)) ||
    sessions.some((id) => isOfSession(path, name, id))
  );
}

/** Whether a file is one that a session itself writes, wherever its log lies. */
function isOfSession(path: string, name: string, id: string): boolean {
  return (
    isOwnFile(path, id) ||
    name.startsWith(`svc-debug-log-${id}`) ||
    [`${id}.env`, `${id}.server.json`, `${id}.serve.log`].includes(name)
  );
}
