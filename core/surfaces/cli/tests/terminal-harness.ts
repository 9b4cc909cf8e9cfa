/** The program at a real terminal with a person who types. */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { PROGRAM, variablesOf } from "../../../../contract-tests/command-line.ts";

/** The `script` of util-linux gives a program a real terminal. Without it, the reason to skip. */
export const noTerminal =
  !/util-linux/.test(spawnSync("script", ["--version"], { encoding: "utf8" }).stdout ?? "") &&
  "there is no `script` of util-linux";

/** A program that waits for ever is a fault, and is ended. */
const PATIENCE_MS = 60_000;

export interface TerminalSession {
  /** Home, state and working folder; its `skills` are loaded. */
  readonly folder: string;
  readonly columns: number;
  readonly variables?: Readonly<Record<string, string>>;
  /** Called with the whole text on the screen each time it grows; types the keys. */
  readonly person?: (shown: string, type: (keys: string, afterMs: number) => void) => void;
}

/** A process in that folder, with the variables of a terminal that has colours. */
export function start(
  program: string,
  words: readonly string[],
  { folder, variables = {} }: Pick<TerminalSession, "folder" | "variables">,
): ChildProcess {
  const { NO_COLOR: _, ...own } = variablesOf(folder);
  const skills = join(folder, "skills");
  return spawn(program, words, {
    cwd: folder,
    env: { ...own, SHELL: "/bin/sh", TERM: "xterm", LANG: "C.UTF-8", SKILLCTL_PLUGINS: skills, ...variables },
    timeout: PATIENCE_MS,
  });
}

/** Runs `skillctl` at a terminal; `words` are those of a shell. Returns what it showed, and whether its settings were restored. */
export async function atTerminal(words: string, session: TerminalSession) {
  const line = [process.execPath, ...PROGRAM].map((word) => `'${word}'`).join(" ");
  // The shell outlives a Ctrl-C, so that the terminal does too.
  const command = `trap : INT; stty cols ${session.columns}; ${line} ${words}; s=$?; echo; echo LEFT; stty -a; exit $s`;
  const child = start("script", ["-qfec", command, "/dev/null"], session);
  const type = (keys: string, afterMs: number): void =>
    void setTimeout(() => child.stdin?.write(keys), afterMs);
  let all = "";
  child.stdout?.setEncoding("utf8").on("data", (more: string) => {
    all += more;
    session.person?.(all, type);
  });
  const [status] = (await once(child, "close")) as [number];
  const [shown = "", settings = ""] = all.split("LEFT\r\n");
  return { status, shown, restored: / icanon /.test(settings) && / echo /.test(settings) };
}
