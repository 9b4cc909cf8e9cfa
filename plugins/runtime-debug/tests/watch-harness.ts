import { createHash } from "node:crypto";
import { lstatSync, readFileSync, readdirSync, readlinkSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import type { Clock, Environment, Files } from "skillctl";
import { nodeClaims } from "../../../core/adapters/claims.ts";
import { systemClock } from "../../../core/adapters/clock.ts";
import { nodeFiles } from "../../../core/adapters/files.ts";
import { nodePrograms } from "../../../core/adapters/programs.ts";
import { stateFiles } from "../../../core/adapters/state-files.ts";
import { testEnvironment } from "../../../core/testing/test-environment.ts";
import type { SessionEntry } from "../session/entry.ts";
import { Watch } from "../watch/watch.ts";
import { Worktree } from "../worktree/worktree.ts";
import { gitIn } from "./worktree-harness.ts";

/** A project whose code is looked after, in a folder of its own. */
export interface WatchedProject {
  readonly folder: string;
  /** Absolute, without links. */
  readonly root: string;
  readonly environment: Environment;
  readonly watch: Watch;
  /** Its entry, once `begin` was called. */
  readonly entry: () => SessionEntry;
  readonly begin: () => Promise<SessionEntry>;
  /** The images of a session alone. */
  readonly keep: () => Promise<SessionEntry["baseline"]>;
  readonly look: () => ReturnType<Watch["look"]>;
  readonly git: (...words: readonly string[]) => string;
  readonly write: (files: Readonly<Record<string, string | Uint8Array>>) => Promise<void>;
  /** Every file and link but those of git: path to kind, rights and a hash of what it holds. */
  readonly tree: () => Readonly<Record<string, string>>;
}

interface WatchedOptions {
  readonly git?: boolean;
  readonly program?: boolean;
  readonly files?: Files;
  readonly clock?: Clock;
}

/** Looks end when they have time enough, however slow a machine is. */
const STANDING: Clock = { ...systemClock, monotonicMs: () => 0 };

/** `git` false: no repository; `program` false: no git on this machine. `files` and `clock` take the place of the machine's. */
export async function watchedProject(
  t: Pick<TestContext, "after">,
  { git = true, program = true, files = nodeFiles, clock = STANDING }: WatchedOptions = {},
): Promise<WatchedProject> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "skillctl-watch-")));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const root = join(folder, "project");
  await mkdir(root);
  const environment = testEnvironment(folder, program ? { PATH: process.env["PATH"] } : {});
  const programs = nodePrograms(environment);
  const worktree = new Worktree(files, programs, environment);
  const state = stateFiles({ files: nodeFiles, clock: systemClock, environment });
  const watch = new Watch(files, programs, worktree, nodeClaims(environment.stateFolder), clock, state);
  const keep: WatchedProject["keep"] = () =>
    worktree.begin(root, "sum-is-wrong", new AbortController().signal);
  const runGit: WatchedProject["git"] = (...words) => gitIn(root, join(folder, "home"), ...words);
  if (git) runGit("init", "--quiet");
  let entry: SessionEntry | undefined;
  const known = (): SessionEntry => {
    if (!entry) throw new Error("No session has begun.");
    return entry;
  };
  return {
    folder,
    root,
    environment,
    watch,
    entry: known,
    git: runGit,
    keep,
    begin: async () => {
      entry = entryOf(await keep());
      await watch.begin(root, entry);
      return entry;
    },
    look: () => watch.look(root, known()),
    write: async (texts) => {
      for (const [path, text] of Object.entries(texts)) {
        await mkdir(dirname(join(root, path)), { recursive: true });
        await writeFile(join(root, path), text);
      }
    },
    tree: () => Object.fromEntries(shown(root)),
  };
}

function entryOf(baseline: SessionEntry["baseline"]): SessionEntry {
  return {
    id: "sum-is-wrong",
    revision: 0,
    state: "instrumenting",
    issue: "The sum is wrong",
    steps: [],
    createdAt: 0,
    baseline,
    hypotheses: [],
    probes: [],
    runs: { before: "pre-fix" },
    fixes: [],
    iterations: [],
    conclusion: "",
    accepted: {},
    recordText: "",
  };
}

function* shown(root: string, folder = ""): Generator<readonly [string, string]> {
  const names = readdirSync(Buffer.from(join(root, folder), "latin1"), { encoding: "latin1" });
  for (const name of names.sort()) {
    if (name === ".git") continue;
    const path = folder === "" ? name : `${folder}/${name}`;
    const place = Buffer.from(join(root, path), "latin1");
    const stats = lstatSync(place);
    if (stats.isDirectory()) yield* shown(root, path);
    else if (stats.isSymbolicLink()) yield [path, `link to ${readlinkSync(place)}`];
    else if (!stats.isFile()) yield [path, "no regular file"];
    else
      yield [
        path,
        `${(stats.mode & 0o777).toString(8)} ${createHash("sha256").update(readFileSync(place)).digest("hex")}`,
      ];
  }
}

/** A project of some files, with a session. */
export async function begunProject(
  t: TestContext,
  texts: Readonly<Record<string, string | Uint8Array>>,
  options: Parameters<typeof watchedProject>[1] = {},
): Promise<WatchedProject> {
  const project = await watchedProject(t, options);
  await project.write(texts);
  await project.begin();
  return project;
}
