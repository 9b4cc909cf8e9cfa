import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCli, type Shown } from "../core/surfaces/cli/fixture-command-line.ts";
import { VERSION } from "../core/version.ts";
import { ROOT, SKILLS } from "./harness.ts";

/** The output of a command line. */
export type ProgramResult = Shown;

/** The settings of a command line in this process, apart from its words. */
export type InProcess = NonNullable<Parameters<typeof runCli>[2]>;

/** The command line in this process, with the built-in skills and, if no variables are given, without a home and state. */
export function sayInProcess(
  words: readonly string[],
  workingFolder: string,
  { builtin = SKILLS, variables = {}, ...options }: InProcess = {},
): Promise<ProgramResult> {
  const own = { version: VERSION, builtin, variables: { ...PATIENT, ...variables } };
  return runCli(workingFolder, words, { ...options, ...own });
}

/** The program as people start it, built by `npm run build`. */
export const BUILT = [join(ROOT, "bin", "skillctl.cjs")];

const LOADER = join(ROOT, "node_modules", "tsx", "dist", "loader.mjs");
/** The program from its source. */
export const SOURCE = [
  "--conditions=@skillctl/source",
  "--import",
  `file://${LOADER}`,
  join(ROOT, "bin", "skillctl.ts"),
];

/** The program that tests start: as built, or from its source where TEST_PROGRAM says so, which takes five times as long. */
export const PROGRAM = process.env["TEST_PROGRAM"] === "source" ? SOURCE : BUILT;

/** The settings of a process of the program, apart from its words. */
export interface ProgramOptions {
  /** Arguments of node before the words. Default: `PROGRAM`. */
  readonly start?: readonly string[];
  /** Variables in addition to those that keep it inside its folder. */
  readonly variables?: Readonly<Record<string, string>>;
  /** All of its standard input. Default: the input stays open. */
  readonly input?: string;
}

/** A process of the program, in a folder that is home, state, cache and working folder. */
export function program(words: readonly string[], folder: string, options: ProgramOptions = {}) {
  const { start = PROGRAM, variables = {} } = options;
  return spawn(process.execPath, [...start, ...words], {
    cwd: folder,
    env: { ...variablesOf(folder), ...variables },
  });
}

/** Prevents late decisions on a busy machine. */
const PATIENT = { SKILLCTL_GUARD_TIMEOUT: "60" };

/** The variables that keep a process of the program inside a folder. */
export function variablesOf(folder: string): Readonly<Record<string, string>> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    USERPROFILE: folder,
    // Processes that compete for names must have the same temporary folder.
    TMPDIR: tmpdir(),
    SKILLCTL_STATE: join(folder, "state"),
    TSX_TSCONFIG_PATH: join(ROOT, "tsconfig.json"),
    NO_COLOR: "1",
    ...PATIENT,
  };
}

/** Runs a process of the program to its end. */
export async function sayInProcessOfItsOwn(
  words: readonly string[],
  folder: string,
  options: ProgramOptions = {},
): Promise<ProgramResult> {
  const child = program(words, folder, options);
  if (options.input !== undefined) child.stdin.end(options.input);
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const status = await new Promise<number>((resolve) => child.on("close", (code) => resolve(code ?? 1)));
  return { status, out, err };
}
