import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { HYPOTHESES, debugProject, type Collecting, type DebugProject } from "./session-harness.ts";

export const ID = "sum-is-wrong";
export const RECORD = `debug-${ID}.md`;
/** The bug of the project, and its fix. */
export const BUG = "index = 1";
export const FIX = "index = 0";

/** The states in the order in which a session goes through them. */
const STATES = [
  "observing",
  "instrumenting",
  "reproducing",
  "judging",
  "fixing",
  "verifying",
  "confirming",
  "cleaning",
] as const;

/** A session that has come to a state by its own commands, from the outside. */
export interface Walk extends DebugProject {
  readonly read: (path: string) => Promise<string>;
  /** Replaces a part of `total.js`. */
  readonly replace: (from: string, to: string) => Promise<void>;
  readonly post: Collecting["post"];
  /** Of the server, without a path. */
  readonly url: string;
  /** Ends the server: a cleanup does not end the process that it runs in. */
  readonly stop: () => Promise<unknown>;
}

/** An event as a probe of the session reports it. */
export function event(hypothesisId: string, more: object = {}): object {
  return { hypothesisId, msg: "[DEBUG] loop", location: "total.js:3", data: { sum: 1 }, ...more };
}

export function verdict(hypothesis: string, said: string, lines: string): object {
  return { hypothesis, verdict: said, lines, because: "see there" };
}

/** Verdicts on hypotheses from A on, each with its own lines; the first is the cause. */
export function verdicts(...lines: readonly string[]): readonly object[] {
  return lines.map((own, index) =>
    verdict(
      "ABC"[index] ?? "",
      index === 0 ? "confirmed" : own === "none" ? "inconclusive" : "rejected",
      own,
    ),
  );
}

/** One for each hypothesis. */
export const PROBES = ["A", "B", "C"].map((hypothesis) => ({
  hypothesis,
  point: "loop",
  data: ["sum"],
  apply: "total.js:4",
}));

/** Takes a session from its start to a state, step by step. */
export async function walked(project: DebugProject, to: (typeof STATES)[number]): Promise<Walk> {
  const { root, run, write } = project;
  const read = (path: string): Promise<string> => readFile(join(root, path), "utf8");
  const replace = async (from: string, to: string): Promise<void> => {
    const text = await read("total.js");
    if (!text.includes(from)) throw new Error(`total.js does not contain ${from}.`);
    await write("total.js", text.replace(from, to));
  };
  const isListed = to !== "observing" && { hypotheses: HYPOTHESES };
  await run("start", { issue: "The sum is wrong", session: ID, ...isListed });
  const { post, info, stop } = await project.collect(ID);
  const steps: Readonly<Record<string, () => Promise<unknown>>> = {
    reproducing: () => run("probe", { from: PROBES, check: true }),
    judging: async () => {
      await post(event("A"), event("B"), event("C"));
      await run("answer", { answer: "A" });
    },
    fixing: () => run("judge", { verdicts: verdicts("#1", "#2", "#3") }),
    verifying: async () => {
      await replace(BUG, FIX);
      await run("fix", { summary: "The loop begins at 0." });
    },
    confirming: async () => {
      await post(event("A", { data: { sum: 7 } }));
      await run("verify");
    },
    cleaning: () => run("answer", { answer: "A" }),
  };
  for (const state of STATES.slice(1, STATES.indexOf(to) + 1)) await steps[state]?.();
  return { ...project, read, replace, post, url: info.base_url, stop };
}

/** A new project whose session has come to a state, on a machine without git, which the tests of the worktree cover. */
export async function walkedTo(
  t: TestContext,
  state: (typeof STATES)[number],
  more: Readonly<Record<string, string>> = {},
): Promise<Walk> {
  const project = await debugProject(t, { git: "none" });
  for (const [path, text] of Object.entries(more)) await project.write(path, text);
  return walked(project, state);
}

/** A file of the project, one character per byte. */
export function bytesOf({ root }: Walk, path = "total.js"): string {
  return readFileSync(join(root, path), "latin1");
}

/** The report to an agent after a call in the project. */
export function heard(walk: Walk, more: object = {}) {
  return walk.host.host.guard.decide({
    event: "tool.post",
    surface: "hook",
    tool: "shell",
    name: "Bash",
    command: "npm test",
    cwd: walk.root,
    session: "agent-1",
    ...more,
  });
}
