import { spawn } from "node:child_process";
import * as fs from "node:fs";
import { SkillError } from "../errors/skill-error.ts";
import type { Environment } from "../ports/environment.ts";
import type { BackgroundProgram, BackgroundRun } from "../ports/programs.ts";
import { inheritedVariables } from "./program-variables.ts";

/** What this program itself reads beside the usual variables, and what Node needs to start it the same way. */
const OWN_VARIABLES = ["SKILLCTL_STATE", "SKILLCTL_PLUGINS", "NODE_OPTIONS", "TSX_TSCONFIG_PATH"];
const { O_APPEND, O_CREAT, O_WRONLY } = fs.constants;
/** Windows has neither. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants as Partial<typeof fs.constants>;

/** See `Programs.background`. */
export async function startInBackground(
  { args, log }: BackgroundRun,
  environment: Environment,
  own: readonly string[] | undefined,
): Promise<BackgroundProgram> {
  const [program, ...first] = own ?? [];
  if (program === undefined) {
    throw new SkillError(
      "PROGRAM_FAILED",
      "Who runs this skill has not said how to start it in the background.",
      {
        hint: "Start it with the program skillctl, or without going to the background.",
      },
    );
  }
  const descriptor = opened(log);
  try {
    const child = spawn(program, [...first, ...args], {
      cwd: environment.workingFolder,
      env: inheritedVariables(environment, OWN_VARIABLES),
      stdio: ["ignore", descriptor, descriptor],
      detached: true,
      windowsHide: true,
    });
    const ended = new Promise<number | undefined>((resolve) => {
      child.once("exit", (status) => resolve(status ?? undefined));
    });
    await new Promise((resolve, reject) => child.once("spawn", resolve).once("error", reject));
    child.unref();
    return { pid: child.pid as number, ended };
  } catch (cause) {
    const { code = "no code" } = cause as NodeJS.ErrnoException;
    throw new SkillError("PROGRAM_FAILED", `${program} cannot be run (${code}).`, { cause, file: program });
  } finally {
    fs.closeSync(descriptor);
  }
}

function opened(log: string): number {
  try {
    const descriptor = fs.openSync(log, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
    if (fs.fstatSync(descriptor).isFile()) return descriptor;
    fs.closeSync(descriptor);
  } catch (cause) {
    const { code = "no code" } = cause as NodeJS.ErrnoException;
    throw unwritable(log, `cannot be written (${code})`, cause);
  }
  throw unwritable(log, "is no regular file");
}

function unwritable(log: string, why: string, cause?: unknown): SkillError {
  const hint = "Check the rights of its folder, and that no link or folder lies in its place.";
  return new SkillError("FILE_UNWRITABLE", `${log} ${why}.`, { cause, file: log, hint });
}
