/** Packages of the registry, installed for a test of the long suite. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { TestContext } from "node:test";
import type { ProgramResult } from "./command-line.ts";

const IS_WINDOWS = process.platform === "win32";
const NODE_PACKAGE = `node-${IS_WINDOWS ? "win" : process.platform}-${process.arch}`;
/** Two more tries within seconds, also after a stalled connection: npm waits for minutes otherwise. */
const IMPATIENT = [
  "--fetch-timeout=30000",
  "--fetch-retries=2",
  "--fetch-retry-mintimeout=500",
  "--fetch-retry-maxtimeout=1000",
  "--prefer-offline",
];
const UNREACHABLE = /\b(?:EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ENOTFOUND|ETIMEDOUT)\b/;

/** A folder with installed packages. */
export interface Installation {
  readonly folder: string;
  /** The Node that runs the programs: that of the packages if they include one, else that of the test. */
  readonly node: string;
  /** Runs an installed program, or `node`. */
  readonly run: (
    program: string,
    words: readonly string[],
    variables?: Readonly<Record<string, string>>,
  ) => Promise<ProgramResult>;
}

/** The package of a release line of Node. */
export function nodeOf(line: number): string {
  return `${NODE_PACKAGE}@${line}`;
}

/** Installs packages without their scripts, for the duration of the test. If the registry cannot be reached, the test is skipped. */
export async function install(
  t: TestContext,
  packages: readonly string[],
): Promise<Installation | undefined> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "skillctl-packages-")));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const own = join(folder, "node_modules", NODE_PACKAGE, "bin", IS_WINDOWS ? "node.exe" : "node");
  const path = [join(folder, "node_modules", ".bin"), process.env["PATH"]].join(delimiter);
  const run: Installation["run"] = (program, words, variables = {}) =>
    new Promise((resolve) => {
      const env = { ...process.env, PATH: path, ...variables };
      const options = { cwd: folder, env, shell: IS_WINDOWS, maxBuffer: 64 * 1024 * 1024 };
      execFile(program, words, options, (error, out, err) =>
        resolve({ status: error ? Number(error.code) || 1 : 0, out, err: err || (error?.message ?? "") }),
      );
    });
  const words = ["install", ...IMPATIENT, "--ignore-scripts", "--no-audit", "--no-fund", ...packages];
  // All tests of a run share the fetched packages.
  const { status, err } = await run("npm", words, { npm_config_cache: join(tmpdir(), "npm-cache") });
  if (status === 0) return { folder, node: existsSync(own) ? own : process.execPath, run };
  if (!UNREACHABLE.test(err)) throw new Error(err);
  t.skip(`the registry cannot be reached: ${packages.join(", ")}`);
  return undefined;
}
