import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { testEnvironment } from "../testing/test-environment.ts";
import type { State } from "../ports/state.ts";
import { systemClock } from "./clock.ts";
import { nodeFiles } from "./files.ts";
import { stateFiles } from "./state-files.ts";

/** For tests: the document that the processes write, a list of marks. */
export const MARKS = { collection: "test-marks", id: "marks" };

/** For tests: the documents below a folder. */
export function stateBelow(folder: string): State {
  return stateFiles({ files: nodeFiles, clock: systemClock, environment: testEnvironment(folder) });
}

/** For tests: a process that writes. */
export interface Marker {
  readonly process: ChildProcess;
  /** Once it could begin. */
  readonly ready: Promise<unknown>;
  readonly begin: () => void;
  /** The marks that it told to be in, when it has ended. */
  readonly told: Promise<readonly string[]>;
}

/** For tests: a process that appends `<name>.0`, `<name>.1`, ... to the list and tells each once it is in. */
export function marker(folder: string, name: string, count: number): Marker {
  const module = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);
  const script = `
    import { writeSync } from "node:fs";
    import { MARKS, stateBelow } from ${module("./fixture-state-process.ts")};
    const [folder, name, count] = process.argv.slice(1);
    const { update } = stateBelow(folder);
    writeSync(1, "ready\\n");
    await new Promise((resolve) => process.stdin.once("end", resolve).resume());
    for (let index = 0; index < Number(count); index += 1) {
      await update(MARKS, 1e9, (list) => [...(list ?? []), name + "." + index]);
      writeSync(1, name + "." + index + "\\n");
    }`;
  const words = ["--conditions=@skillctl/source", "--import", import.meta.resolve("tsx")];
  const program = ["--input-type=module", "-e", script, folder, name, String(count)];
  const child = spawn(process.execPath, [...words, ...program], { stdio: ["pipe", "pipe", "inherit"] });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (more: string) => (text += more));
  return {
    process: child,
    ready: once(child.stdout, "data"),
    begin: () => void child.stdin.end(),
    told: once(child, "close").then(() => text.split("\n").slice(1, -1)),
  };
}
