import { basename } from "node:path";

/**
 * Folders that nobody writes by hand, by their names: what package managers, version control and tools keep. They are
 * left out where no project of git says what to leave out.
 */
const FOLDERS = (
  ".git .hg .svn .jj node_modules bower_components .venv venv __pycache__ .mypy_cache .pytest_cache .ruff_cache .tox " +
  ".nox .gradle .cache .parcel-cache .next .nuxt .svelte-kit .turbo .terraform .dart_tool .build DerivedData"
).split(" ");
/** What skillctl itself writes into a project, beside the record. */
const OWN = [".dbg/", ".*.skillctl-new"];

export const LEFT_OUT: ReadonlySet<string> = new Set(FOLDERS);

/** Patterns of gitignore(5) for a session's own files. */
export function ownPatterns(session: string): readonly string[] {
  return [...OWN, `/debug-${session}.md`];
}

/** Patterns for a folder that is no project of git. */
export const FOLDER_PATTERNS: readonly string[] = FOLDERS.map((name) => `${name}/`);

/** A pattern that stands for one path of the part alone; `undefined` when a line cannot hold it. */
export function exactPattern(path: string): string | undefined {
  if (/[\r\n]/.test(path)) return undefined;
  return `/${path.replace(/[\\*?[\]!# ]/g, "\\$&")}`;
}

/** Whether a path is one that the session itself writes. */
export function isOwnFile(path: string, session: string): boolean {
  if (path === `debug-${session}.md` || path.split("/").includes(".dbg")) return true;
  return /^\..*\.skillctl-new$/.test(basename(path));
}
