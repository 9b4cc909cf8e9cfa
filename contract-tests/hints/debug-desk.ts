/** A debug session in a state that its own commands have led to, and the command line in its project. */
import type { TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { debugProject } from "../../plugins/runtime-debug/tests/session-harness.ts";
import { BUG, FIX, event, walked, type Walk } from "../../plugins/runtime-debug/tests/doors-walk.ts";
import { isThere } from "../../plugins/runtime-debug/tests/observe-harness.ts";
import { blockIn } from "../../plugins/runtime-debug/tests/serving.ts";
import { noGit } from "../../plugins/runtime-debug/tests/worktree-harness.ts";
import { runCli } from "../../core/surfaces/cli/fixture-command-line.ts";
import { BUILT } from "../command-line.ts";
import { SKILLS } from "../harness.ts";
import type { HintRow, Say } from "./table.ts";

const PLUGIN = "plugins/runtime-debug";
const RUN = "skillctl run runtime-debug";

/** A session and the command line in its project. */
export interface Desk extends Walk {
  readonly say: Say;
  /** The output and errors of a command of the skill. */
  readonly told: (words: string, ...more: readonly string[]) => Promise<string>;
}

async function desk(t: TestContext, state: Parameters<typeof walked>[1], git: boolean): Promise<Desk> {
  const project = await debugProject(t, { git: git && noGit === false ? true : "none", now: Date.now() });
  const walk = await walked(project, state);
  const { home, stateFolder } = walk.host.environment;
  const PATH = git ? process.env["PATH"] : "/nonexistent";
  const variables = { HOME: home, SKILLCTL_STATE: stateFolder, PATH };
  const ownProgram = [process.execPath, ...BUILT];
  const say: Say = async (words, settings) => {
    const shown = await runCli(walk.root, words, { builtin: SKILLS, variables, ownProgram, ...settings });
    // Ended before the host closes: it writes into the host's folder.
    if (words.includes("--detach") && shown.status === 0)
      walk.host.servers.push(() => ended(blockIn(shown.out).pid));
    return shown;
  };
  const told: Desk["told"] = async (words, ...more) => {
    const { out, err } = await say(["run", "runtime-debug", ...words.split(" "), ...more]);
    return out + err;
  };
  return { ...walk, say, told };
}

/** Ends a process and waits for its end, at most 10 seconds: if no process reaps it, its number stays in use. */
async function ended(pid: number): Promise<void> {
  process.kill(pid, "SIGKILL");
  for (let left = 500; left > 0 && isThere(pid); left -= 1) await pause(20);
}

export type DebugRow = Omit<HintRow, "shown" | "places" | "command"> & {
  readonly state: Parameters<typeof walked>[1];
  /** A path below the plugin's folder and the words of the command; none for a command that the code composes. */
  readonly places?: readonly string[];
  /** Whether the project is used with git. */
  readonly git?: true;
  readonly asked: (desk: Desk) => Promise<string>;
  /** The step that the hint asks for before its command. */
  readonly act?: (desk: Desk) => Promise<unknown>;
  /** The words after the name of the skill. */
  readonly command: string;
  /** Default: that of the skill. */
  readonly program?: string;
};

export function debugHint({
  state,
  git,
  asked,
  act,
  places = [],
  command,
  program = RUN,
  ...row
}: DebugRow): HintRow {
  return {
    ...row,
    command: command === "" ? program : `${program} ${command}`,
    places: places.map((place) => {
      const [file, words = ""] = place.split(":");
      return `${file?.startsWith("skills/") ? "" : `${PLUGIN}/`}${file}: ${program}${words}`;
    }),
    shown: async (t) => {
      const one = await desk(t, state, git === true);
      const text = await asked(one);
      await act?.(one);
      return [text, one.say];
    },
  };
}

export const status = (desk: Desk): Promise<string> => desk.told("status");
export const fix = ({ replace }: Desk): Promise<void> => replace(BUG, FIX);
export const again = (desk: Desk): Promise<void> => desk.post(event("A", { data: { sum: 7 } }));
export const FILL = {
  LETTER: "A",
  NAME: "end",
  EXPRESSION: "sum",
  "FILE:LINE": "total.js:4",
  FILE: "total.js",
  COMMAND: "true",
  "TEXT | refuted by: WHAT LINES WOULD SHOW | at total.js:4":
    "The loop skips one | refuted by: the sum | at total.js:3\nAn item is text | refuted by: its type | at total.js:3\nThe sum is cut | refuted by: the end | at total.js:3",
  "#12, #15-18: WHY": "#1: see there",
};
