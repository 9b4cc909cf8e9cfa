import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { nodeFiles } from "../../../core/adapters/files.ts";
import { nodeJournals } from "../../../core/adapters/journals.ts";
import { nodePrograms } from "../../../core/adapters/programs.ts";
import { testEnvironment } from "../../../core/testing/test-environment.ts";
import type { Baseline } from "../worktree/worktree.ts";
import { Worktree } from "../worktree/worktree.ts";

/** The reason why tests with git cannot run; false if they can. */
export const noGit = spawnSync("git", ["--version"]).status === 0 ? false : "git is not installed";

const WHO = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgSign=false"];

/** Git as if it had just been installed: it knows no variable, configuration or hook of the user who runs the tests. */
export function gitIn(folder: string, home: string, ...words: readonly string[]): string {
  return execFileSync("git", [...WHO, ...words], {
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: home, GIT_CONFIG_NOSYSTEM: "1" },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** The text of `info/exclude` in a clone; "" if the templates of git have no such file. */
export async function excludedIn(root: string): Promise<string> {
  return readFile(join(root, ".git", "info", "exclude"), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
}

/** A project in a separate folder, and its code as a session sees it. */
export interface Project {
  readonly root: string;
  readonly worktree: Worktree;
  readonly git: (...args: readonly string[]) => string;
  /** Writes files; folders are made. */
  readonly write: (files: Readonly<Record<string, string | Uint8Array>>) => Promise<void>;
  readonly read: (path: string) => Promise<string>;
  readonly begin: () => Promise<Baseline>;
  /** `changed a.js`, sorted by path. */
  readonly changes: (baseline: Baseline) => Promise<readonly string[]>;
  /** The bytes before, as latin1. */
  readonly before: (baseline: Baseline, path: string) => Promise<string | undefined>;
}

/** `git: false` is a folder without a repository, `program: false` a machine without the program. */
export async function project(
  t: TestContext,
  given: { readonly git?: boolean; readonly program?: boolean; readonly name?: string } = {},
): Promise<Project> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "skillctl-worktree-")));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const root = join(folder, given.name ?? "project");
  await mkdir(root);
  const home = join(folder, "home");
  await mkdir(home);
  const variables = given.program === false ? {} : { PATH: process.env["PATH"], HOME: home };
  const environment = testEnvironment(folder, variables);
  const worktree = new Worktree(nodeFiles, nodePrograms(environment), environment, nodeJournals);
  const git: Project["git"] = (...args) => gitIn(root, home, ...args);
  if (given.git !== false) git("init", "--quiet");
  return {
    root,
    worktree,
    git,
    write: async (files) => {
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(root, path)), { recursive: true });
        await writeFile(join(root, path), text);
      }
    },
    read: (path) => readFile(join(root, path), "latin1"),
    begin: () => worktree.begin(root, "login-timeout", new AbortController().signal),
    changes: async (baseline) =>
      (await (await worktree.tree(root, baseline)).changes()).map(({ kind, path }) => `${kind} ${path}`),
    before: async (baseline, path) => {
      const former = await (await worktree.tree(root, baseline)).before(path);
      return former && Buffer.from(former.bytes).toString("latin1");
    },
  };
}

/** A project with a first commit of these files. */
export async function committed(t: TestContext, files: Readonly<Record<string, string>>): Promise<Project> {
  const made = await project(t);
  await made.write(files);
  made.git("add", "--all");
  made.git("commit", "--quiet", "--message", "first");
  return made;
}
