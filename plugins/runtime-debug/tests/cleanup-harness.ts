import { readFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { TestHostOptions } from "skillctl/testing";
import { hashOf } from "../check/instrumented.ts";
import type { CleanupInput, CleanupOutput } from "../contract.ts";
import type { SessionEntry } from "../session/entry.ts";
import { debugProject, entryOf, placed, type DebugProject } from "./session-harness.ts";
import { ID } from "./doors-walk.ts";

/** A report as people write it, in its region. */
export function region(label: string, comment = "//", inside = REPORT): string {
  return `${comment} #region debug-point ${label}\n${inside}\n${comment} #endregion\n`;
}

export const REPORT = 'fetch("http://127.0.0.1:7777/event", { method: "POST", body: "{}" }).catch(() => {});';

/** The fix of a session as texts of files; `undefined` for a removed file. */
export function fixedAs(texts: Readonly<Record<string, string | undefined>>): Partial<SessionEntry> {
  const hashes = Object.entries(texts).map(([path, text]) => [path, hashOf(text)] as const);
  return {
    fixes: [{ summary: "Begin at 1", files: Object.keys(texts) }],
    accepted: Object.fromEntries(hashes),
  };
}

/** A project with a session that has begun, whose code is to be changed and cleaned. */
export interface CleanupHarness extends DebugProject {
  readonly read: (path: string) => Promise<string | undefined>;
  /** Takes the session to the cleanup, as if the user had answered. */
  readonly answered: (outcome: "fixed" | "aborted", more?: Partial<SessionEntry>) => Promise<SessionEntry>;
  readonly cleanup: (input?: CleanupInput) => Promise<CleanupOutput>;
  /** The findings of a cleanup that is refused, as CODE FILE:LINE. */
  readonly refused: (input?: CleanupInput) => Promise<readonly string[]>;
  /** All files below the project, without those of git. */
  readonly all: () => Promise<readonly string[]>;
}

export async function cleanupHarness(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  options: TestHostOptions & { readonly git?: boolean } = {},
): Promise<CleanupHarness> {
  const project = await debugProject(t, options);
  for (const [path, text] of Object.entries(files)) await project.write(path, text);
  await project.run("start", { issue: "The sum is wrong", session: ID });
  return { ...project, ...tools(project) };
}

function tools(project: DebugProject): Omit<CleanupHarness, keyof DebugProject> {
  const { root } = project;
  return {
    read: (path) =>
      readFile(join(root, path), "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return undefined;
        throw error;
      }),
    answered: async (outcome, more = {}) => {
      const entry = await entryOf(project, ID);
      return placed(project, "cleaning", { ...entry, state: "cleaning", outcome, ...more });
    },
    cleanup: (input = {}) => project.run("cleanup", input),
    refused: async (input = {}) => {
      const error = await project.fails("cleanup", input);
      if (error.code !== "DEBUG_CLEANUP_UNSAFE") throw error;
      const { findings } = error.result as CleanupOutput;
      return findings.map(({ code, file = "", line = 0 }) => `${code} ${file}:${line}`);
    },
    all: async () => {
      const names = await readdir(root, { recursive: true });
      const files: string[] = [];
      for (const name of names)
        if (!name.startsWith(".git") && !(await stat(join(root, name))).isDirectory()) files.push(name);
      return files.sort();
    },
  };
}
