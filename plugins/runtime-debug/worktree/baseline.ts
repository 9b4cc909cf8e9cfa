import { join, basename } from "node:path";
import { SkillError, type Files } from "skillctl";
import type { Watched } from "./change.ts";

/** How the code was when a session began; JSON, kept in its entry. */
export interface Baseline {
  /** Where the images lie: absolute, in the state folder. */
  readonly images: string;
  /** The commit that was checked out, in hex; missing without git. */
  readonly commit?: string;
}

/** What lies where in the folder of the images. Written last: with it the baseline is whole. */
export interface BaselineFile {
  readonly version: 1;
  readonly parts: readonly StoredPart[];
  readonly watched: readonly Watched[];
}

export interface StoredPart {
  /** From the project folder, with `/` at the end; "" is the project itself. */
  readonly folder: string;
  readonly kind: "git" | "plain";
  /** Name of its folder among the images. */
  readonly place: string;
  /** skillctl's own folder of states inside it, from `folder`; missing where git leaves it out, or it is elsewhere. */
  readonly leftOut?: string;
}

export async function writeBaseline(images: string, file: BaselineFile, files: Files): Promise<void> {
  await files.replace(join(images, NAME), JSON.stringify(file));
}

/** @throws SkillError `DEBUG_STATE_DAMAGED` when there is none, or one of another version */
export async function readBaseline(images: string, files: Files): Promise<BaselineFile> {
  const text = await files.readText(join(images, NAME));
  const found = text === undefined ? undefined : parsed(text);
  if (found?.version === 1 && Array.isArray(found.parts) && Array.isArray(found.watched)) return found;
  throw new SkillError("DEBUG_STATE_DAMAGED", "What is kept of the code before the session cannot be read.", {
    file: join(images, NAME),
    hint: "Put the code back from a copy of your own, and begin a new session.",
  });
}

const NAME = "baseline.json";

function parsed(text: string): BaselineFile | undefined {
  try {
    return JSON.parse(text) as BaselineFile;
  } catch {
    // It is told as damaged.
    return undefined;
  }
}

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
