import { mkdir, realpath, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { SkillError, type SurfaceName } from "skillctl";
import type { TestHostOptions } from "skillctl/testing";
import type { Contract } from "../contract.ts";
import { Ledger } from "../session/ledger.ts";
import type { SessionEntry } from "../session/entry.ts";
import { debugHost, serving, type DebugHost, type Serving } from "./serving.ts";
import { gitIn, noGit } from "./worktree-harness.ts";

type Commands = Contract["commands"];

/** A project that a host works in. */
export interface DebugProject {
  readonly host: DebugHost;
  /** Absolute, without links. */
  readonly root: string;
  readonly run: <Name extends keyof Commands>(
    command: Name,
    input?: object,
    surface?: SurfaceName,
  ) => Promise<Commands[Name]["output"]>;
  /** The error with which a command ends. */
  readonly fails: (command: keyof Commands, input?: object) => Promise<SkillError>;
  readonly write: (path: string, text: string) => Promise<void>;
  /** Serves the session in this process, as its commands look for it, and posts events to it. */
  readonly collect: (session: string) => Promise<Collecting>;
  readonly git: (...words: readonly string[]) => string;
}

export interface Collecting extends Serving {
  readonly post: (...events: readonly object[]) => Promise<void>;
}

const BUGGY = `export function total(items) {
  let sum = 0;
  for (let index = 1; index < items.length; index += 1) sum += items[index];
  return sum;
}
`;

/**
 * A small project with a bug in `total.js`; with `git`, committed; `none` is a machine without the program, on which a
 * session starts no processes. Default: with git if it is installed.
 */
export async function debugProject(
  t: TestContext,
  { git = noGit === false, ...options }: TestHostOptions & { readonly git?: boolean | "none" } = {},
): Promise<DebugProject> {
  const path = git === "none" ? "/nonexistent" : process.env["PATH"];
  const variables = { PATH: path, HOME: "/nonexistent", ...options.variables };
  const host = await debugHost(t, { ...options, variables });
  const root = await realpath(host.environment.workingFolder);
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  const run: DebugProject["run"] = (command, input = {}, surface = "host") =>
    host.run({ skill: "runtime-debug", command, input, surface }) as Promise<never>;
  const runGit: DebugProject["git"] = (...words) => gitIn(root, host.folder, ...words);
  await write("total.js", BUGGY);
  if (git === true) {
    runGit("init", "-q");
    runGit("add", "-A");
    runGit("commit", "-qm", "first");
  }
  return {
    host,
    root,
    write,
    run,
    git: runGit,
    fails: async (command, input) => {
      try {
        await run(command, input);
      } catch (caught) {
        if (caught instanceof SkillError) return caught;
        throw caught;
      }
      throw new Error(`${command} was not refused.`);
    },
    collect: async (session) => {
      const server = await serving(host, { session, outdir: join(root, ".dbg") });
      const post = async (...events: readonly object[]): Promise<void> => {
        const body = events.map((event) => JSON.stringify(event)).join("\n");
        const { status } = await fetch(server.info.api_url, { method: "POST", body });
        if (status !== 200) throw new Error(`The events were refused: ${status}`);
      };
      return { ...server, post };
    },
  };
}

export const HYPOTHESES = ["The loop skips the first item", "An item is no number", "The sum is cut"].map(
  (text) => ({
    text,
    refutedBy: "the log shows otherwise",
    observe: "total.js:3",
    likelihood: "high",
    effort: "low",
  }),
);

/** The stored form of a session in some state. */
export function entryIn(state: SessionEntry["state"], more: Partial<SessionEntry> = {}): SessionEntry {
  const [likelihood, effort, verdict] = ["high", "low", "pending"] as const;
  const hypotheses = HYPOTHESES.map((one, index) => {
    return { ...one, likelihood, effort, verdict, id: "ABC"[index] as string, lines: [] };
  });
  const empty = { steps: [], probes: [], fixes: [], iterations: [], conclusion: "", accepted: {} };
  const said = { id: "sum-is-wrong", issue: "The sum is wrong", createdAt: 0, recordText: "" };
  const runs = { before: "pre-fix" };
  return { ...said, ...empty, state, hypotheses, runs, baseline: { images: "" }, ...more };
}

/** A session in some state, as if its steps had been taken. */
export async function placed(
  { host, root }: DebugProject,
  state: SessionEntry["state"],
  more: Partial<SessionEntry> = {},
): Promise<SessionEntry> {
  const baseline = { images: join(host.folder, "images") };
  const entry = entryIn(state, { createdAt: host.clock.now(), baseline, ...more });
  await ledgerOf(host).write(root, entry);
  return entry;
}

/** The stored form of the session. */
export async function entryOf({ host, root }: DebugProject, id: string): Promise<SessionEntry> {
  const entry = (await ledgerOf(host).sessionsAt(root))[id];
  if (!entry) throw new Error(`There is no session ${id}.`);
  return entry;
}

function ledgerOf({ host, environment }: DebugHost): Ledger {
  return new Ledger(host.ports.state, host.ports.files, environment);
}
