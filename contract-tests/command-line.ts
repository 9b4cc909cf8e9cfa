import { spawn } from "node:child_process";
import { join } from "node:path";
import { main } from "../core/surfaces/cli/main.ts";
import { VERSION } from "../core/version.ts";
import { ROOT, SKILLS } from "./house.ts";

/** What a command line said. */
export interface Said {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** The command line in this process, for verbs that touch neither home nor state. */
export async function sayInProcess(
  words: readonly string[],
  workingFolder: string,
  builtin = SKILLS,
): Promise<Said> {
  let out = "";
  let err = "";
  const status = await main(words, {
    version: VERSION,
    builtin,
    precompiled: undefined,
    variables: {},
    workingFolder,
    terminal: () => ({
      out: (text) => void (out += text),
      err: (text) => void (err += text),
      lively: false,
      colour: false,
      columns: 80,
      signal: new AbortController().signal,
    }),
  });
  return { status, out, err };
}

/** A process of the program from its source, in a folder that is home, state and working folder. */
export function program(words: readonly string[], folder: string) {
  const loader = join(ROOT, "node_modules", "tsx", "dist", "loader.mjs");
  const given = [
    "--conditions=@skillctl/source",
    "--import",
    `file://${loader}`,
    join(ROOT, "bin", "skillctl.ts"),
    ...words,
  ];
  return spawn(process.execPath, given, {
    cwd: folder,
    env: {
      PATH: process.env["PATH"],
      HOME: folder,
      USERPROFILE: folder,
      SKILLCTL_STATE: join(folder, "state"),
      TSX_TSCONFIG_PATH: join(ROOT, "tsconfig.json"),
      NO_COLOR: "1",
    },
  });
}

/** Runs a process of the program to its end. */
export async function sayInProcessOfItsOwn(words: readonly string[], folder: string): Promise<Said> {
  const child = program(words, folder);
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const status = await new Promise<number>((resolve) => child.on("close", (code) => resolve(code ?? 1)));
  return { status, out, err };
}
