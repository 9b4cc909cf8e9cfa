import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { runCli, ownFolder } from "../../cli/fixture-command-line.ts";

/** A separate project, home and state folder, and a program that hooks can start. */
export async function hooksPlace(t: TestContext) {
  const path = await ownFolder(t);
  const project = join(path, "project");
  const program = join(path, "skillctl.cjs");
  await mkdir(project);
  await writeFile(program, "");
  const state = join(path, "state");
  const variables = { HOME: join(path, "home"), SKILLCTL_STATE: state };
  /** `skillctl hooks` in a folder. */
  const hooksIn = (folder: string, ...words: readonly string[]) =>
    runCli(folder, ["hooks", ...words], { variables, ownProgram: [process.execPath, program] });
  /** Writes a settings file, and returns its path. */
  const settings = async (file: string, text: string | Uint8Array, folder = project): Promise<string> => {
    const path = join(folder, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return path;
  };
  return {
    settings,
    project,
    program,
    state,
    variables,
    hooksIn,
    hooks: (...words: readonly string[]) => hooksIn(project, ...words),
  };
}
