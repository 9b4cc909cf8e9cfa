import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Language } from "./table.ts";

const SOURCES = fileURLToPath(new URL(".", import.meta.url));
/** What would send requests for this machine elsewhere, and what is the test runner's own. */
const NOT_TAKEN_OVER = /^((https?|all|no)_proxy|NODE_.*)$/i;
/** After that a program is ended: an answer did not come. The first `go run` makes the libraries as well. */
const PATIENCE_MS = 240_000;

export interface Ended {
  /** `null` when it was ended by a signal. */
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** Makes the program, when there is something to make. @throws Error with what the compiler said */
export async function built({ name, build }: Language, out: string): Promise<void> {
  if (build === undefined) return;
  const { status, err } = await ran(filled(build, out), SOURCES, out);
  if (status !== 0) throw new Error(`${name} was not made: ${err}`);
}

/** Runs the program in a folder to its end. */
export function reported({ run }: Language, folder: string, out: string): Promise<Ended> {
  return ran(filled(run, out), folder, out);
}

function filled(words: readonly string[], out: string): readonly string[] {
  const source = /^\w+\.(cjs|py|pl|sh|java|c|rs|php|rb|go|lua|tcl)$/;
  return words.map((word) => (source.test(word) ? join(SOURCES, word) : word.replace("{out}", out)));
}

/** What a program finds around it, with a folder for what Go makes. */
export function surroundings(out: string): Record<string, string | undefined> {
  const taken = Object.entries(process.env).filter(([name]) => !NOT_TAKEN_OVER.test(name));
  const go = { GOCACHE: join(out, "cache"), GOPATH: join(out, "modules"), GO111MODULE: "off" };
  return { ...Object.fromEntries(taken), LC_ALL: "C.UTF-8", ...go };
}

/** Runs a program in a folder to its end. */
export async function ran(words: readonly string[], cwd: string, out: string): Promise<Ended> {
  const [command = "", ...rest] = words;
  const child = spawn(command, rest, { cwd, timeout: PATIENCE_MS, env: surroundings(out) });
  child.stdin.end();
  let [said, failed] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (failed += text));
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  return { status, out: said, err: failed };
}
