import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cp, lstat, mkdir, mkdtemp, readFile, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { BUILT, sayInProcessOfItsOwn, type Said } from "../../../../contract-tests/command-line.ts";
import { lastly } from "../server-harness.ts";
import { excludedIn } from "../worktree-harness.ts";
import type { TestContext } from "node:test";

const PROGRAMS = fileURLToPath(new URL(".", import.meta.url));
const GIT =
  "-c user.name=Test -c user.email=test@example.com -c commit.gpgsign=false -c init.defaultBranch=main";

/** What a command answers with `--json`. */
export type Answer = Readonly<Record<string, unknown>>;

/** A project of somebody, with a bug in it, and skillctl as they have installed it. */
export class Project {
  readonly folder: string;
  /** Home, state and caches: outside of the project. */
  readonly home: string;
  readonly #isGit: boolean;

  private constructor(place: string, isGit: boolean) {
    this.folder = join(place, "project");
    this.home = join(place, "home");
    this.#isGit = isGit;
  }

  /** A copy of a program, gone after the test. */
  static async of(t: TestContext, program: string, isGit: boolean): Promise<Project> {
    const place = await realpath(await mkdtemp(join(tmpdir(), "skillctl-session-")));
    lastly(t, () => rm(place, { recursive: true, force: true, maxRetries: 5 }));
    const project = new Project(place, isGit);
    await mkdir(project.home);
    await cp(join(PROGRAMS, program), project.folder, { recursive: true });
    if (isGit) {
      project.git("init", "--quiet");
      project.git("add", "--all");
      project.git("commit", "--quiet", "--message", "As it was");
    }
    lastly(t, () => endServersIn(project.folder));
    return project;
  }

  get isGit(): boolean {
    return this.#isGit;
  }

  git(...words: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync("git", [...GIT.split(" "), ...words], {
      cwd: this.folder,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: this.home, GIT_CONFIG_NOSYSTEM: "1" },
    });
    assert.equal(status, 0, stderr);
    return stdout;
  }

  /** Runs a command of the skill. */
  say(...words: readonly string[]): Promise<Said> {
    const variables = {
      HOME: this.home,
      USERPROFILE: this.home,
      SKILLCTL_STATE: join(this.home, "state"),
    };
    return sayInProcessOfItsOwn(["run", "runtime-debug", ...words], this.folder, { start: BUILT, variables });
  }

  /** Runs one that must succeed; standard error stays empty. */
  async ask(...words: readonly string[]): Promise<Answer> {
    const { status, out, err } = await this.say(...words, "--json");
    assert.equal(status, 0, `${words.join(" ")}: ${err}${out}`);
    return (JSON.parse(out) as { readonly output: Answer }).output;
  }

  /** Runs one that must be refused, and answers what it says. */
  async refused(...words: readonly string[]): Promise<string> {
    const { status, out, err } = await this.say(...words);
    assert.notEqual(status, 0, `${words.join(" ")} was let through: ${out}`);
    assert.doesNotMatch(err, /\n {4}at |INTERNAL/, err);
    assert.match(err, /^error: .+\nhint: .+/s, err);
    return err;
  }

  read(file: string): Promise<string> {
    return readFile(join(this.folder, file), "utf8");
  }

  /** Every file but those of git itself, with its mode and bytes. */
  async files(): Promise<ReadonlyMap<string, string>> {
    const files = new Map<string, string>();
    for (const name of (await readdir(this.folder, { recursive: true })).toSorted()) {
      if (name === ".git" || name.startsWith(".git/")) continue;
      const path = join(this.folder, name);
      const { mode } = await lstat(path);
      const bytes = (await lstat(path)).isFile() ? await readFile(path, "latin1") : "";
      files.set(name, `${mode.toString(8)} ${bytes}`);
    }
    return files;
  }

  /** What of git a session could leave behind. */
  async gitState(): Promise<unknown> {
    if (!this.#isGit) return undefined;
    const exclude = await excludedIn(this.folder);
    const refs = this.git("for-each-ref") + this.git("rev-parse", "HEAD") + this.git("stash", "list");
    return { exclude, refs, staged: this.git("diff", "--cached") };
  }

  /** The session's server; `undefined` when none was started. */
  async server(): Promise<ServerNote | undefined> {
    const [note] = await serversIn(this.folder);
    return note;
  }
}

/** What a server writes down about itself. */
export interface ServerNote {
  /** Without `/event`. */
  readonly url: string;
  readonly pid: number;
  readonly instance: string;
}

/** Who serves, or has served, a session in the folder of a project. */
export async function serversIn(project: string): Promise<readonly ServerNote[]> {
  const place = join(project, ".dbg");
  const names = await readdir(place).catch(() => [] as string[]);
  const own = names.filter((name) => name.endsWith(".server.json"));
  return Promise.all(
    own.map(async (name) => JSON.parse(await readFile(join(place, name), "utf8")) as ServerNote),
  );
}

/** Ends what a test that fails has left running, when it is the server that it says it is. */
export async function endServersIn(project: string): Promise<void> {
  for (const { url, pid, instance } of await serversIn(project)) {
    const alive = await fetch(`${url}/health`).then(
      (answer) => answer.json() as Promise<Partial<ServerNote>>,
      () => undefined,
    );
    if (alive?.instance === instance) process.kill(pid, "SIGKILL");
  }
}
