import assert from "node:assert/strict";
import { cp, lstat, readdir, readFile, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { lastly, scratch } from "../server-harness.ts";
import { debugProject, type DebugProject } from "../session-harness.ts";
import { DyingFiles } from "./dying-files.ts";

/** A project whose commands can be killed at any change of a disk, and that can be restored. */
export interface MortalProject extends DebugProject {
  /** Remembers project and state as they are now. */
  readonly save: () => Promise<void>;
  /**
   * Runs a command that dies after its first, second, third ... change, until it survives; each time on the saved
   * state. `judge` then examines the result, with the files alive again.
   */
  readonly atEach: (
    command: "cleanup" | "probe",
    input: object,
    judge: (where: string) => Promise<void>,
  ) => Promise<void>;
}

/** @param isCareless whether files are written in place, which the harness must detect */
export async function mortalProject(t: TestContext, isCareless = false): Promise<MortalProject> {
  const dying = new DyingFiles(isCareless);
  const project = await debugProject(t, { ports: { files: dying.files } });
  const saved = await scratch(t);
  lastly(t, async () => void dying.revive());
  const { folder } = project.host;
  const places = ["work", "state"];
  const save = async (): Promise<void> => {
    for (const name of places) await copied(join(folder, name), join(saved, name));
  };
  const restore = async (): Promise<void> => {
    for (const name of places) await copied(join(saved, name), join(folder, name));
  };
  return {
    ...project,
    save,
    atEach: async (command, input, judge) => {
      let deaths = 0;
      for (let change = 1, hasDied = true; hasDied; change += 1) {
        await restore();
        dying.dieAt(change);
        await project.run(command, input).catch((error: unknown) => {
          if (!(error instanceof Error && /dead/.test(error.message))) throw error;
        });
        hasDied = dying.revive();
        if (hasDied) deaths += 1;
        await judge(`${command}, after change ${change}`);
      }
      t.diagnostic(`${deaths} deaths of ${command}`);
      // A probe makes the fewest changes of all: four.
      assert.ok(deaths >= 4, `${deaths} deaths`);
    },
  };
}

/** Makes a folder equal to another one. Existing sockets stay, and none is copied. */
export async function copied(from: string, to: string): Promise<void> {
  await emptied(to);
  const filter = async (path: string): Promise<boolean> => !(await lstat(path)).isSocket();
  await cp(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true, filter });
}

async function emptied(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      await emptied(path);
      // A folder that holds a socket stays.
      await rmdir(path).catch(() => undefined);
    } else if (!entry.isSocket()) await rm(path);
  }
}

/** The text of a file; "" when it is not there. */
export async function textAt(path: string): Promise<string> {
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
}

/** The files of a session: names in the project, and the state outside of it. */
export async function traces({ root, host }: DebugProject): Promise<readonly string[]> {
  const names = await readdir(root);
  const own = names.filter(
    (name) => name === ".dbg" || /^debug-.*\.md$/.test(name) || name.endsWith(".skillctl-new"),
  );
  const exclude = await textAt(join(root, ".git", "info", "exclude"));
  const kept = await readdir(join(host.environment.stateFolder, "runtime-debug")).catch(() => []);
  return [...own, ...(exclude.includes("/debug-") ? ["exclude"] : []), ...kept.map(() => "images")];
}
