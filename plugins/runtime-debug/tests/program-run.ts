import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Variables that would redirect requests for this machine, and those of the test runner. */
const NOT_TAKEN_OVER = /^((https?|all|no)_proxy|NODE_.*|DEBUG_.*)$/i;
/** After this time a program is ended, since an answer did not come. The first `go run` also builds the libraries. */
const PATIENCE_MS = 240_000;

export interface Ended {
  /** `null` when it was ended by a signal. */
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** The environment of a program, with a folder for the downloads of Go. All tests of a run share the libraries that Go compiles. */
export function surroundings(made: string): Record<string, string | undefined> {
  const taken = Object.entries(process.env).filter(([name]) => !NOT_TAKEN_OVER.test(name));
  const go = { GOCACHE: join(tmpdir(), "go-cache"), GOPATH: join(made, "modules"), GO111MODULE: "off" };
  return { ...Object.fromEntries(taken), LC_ALL: "C.UTF-8", ...go };
}

/** Runs a program in a folder to its end. */
export async function ran(
  words: readonly string[],
  cwd: string,
  made: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const [command = "", ...rest] = words;
  const env = { ...surroundings(made), ...variables };
  const child = spawn(command, rest, { cwd, timeout: PATIENCE_MS, env });
  child.stdin.end();
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  return { status, out, err };
}
