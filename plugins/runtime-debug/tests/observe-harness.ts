import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { program, sayInProcessOfItsOwn, type ProgramResult } from "../../../contract-tests/command-line.ts";

/** An event as in the log of a session. */
export interface LoggedEvent {
  readonly sessionId: string;
  readonly hypothesisId: string;
  readonly location: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly skipped?: number;
  readonly _run: string;
  readonly _seq: number;
}

/** A project and the command line in it, in a separate process. */
export interface ObservedProject {
  /** Absolute, without links. */
  readonly folder: string;
  /** A folder next to it, for files outside the project. */
  readonly place: string;
  /** Begins a command that may be killed. */
  readonly begin: (...words: readonly string[]) => ChildProcess;
  readonly say: (...words: readonly string[]) => Promise<ProgramResult>;
  /** The output of a command that must succeed. */
  readonly ask: (...words: readonly string[]) => Promise<Readonly<Record<string, unknown>>>;
  /** Begins a session with three hypotheses about one place, and returns its id. */
  readonly start: (at: string) => Promise<string>;
  /** The log of a session; empty before its first event. */
  readonly log: (session: string) => Promise<string>;
  readonly events: (session: string) => Promise<readonly LoggedEvent[]>;
  /** The processes that observe, and whose words contain a text. */
  readonly observers: (words?: string) => Promise<readonly number[]>;
  readonly remove: () => Promise<void>;
}

export async function observedProject(files: Readonly<Record<string, string>>): Promise<ObservedProject> {
  const place = await realpath(await mkdtemp(join(tmpdir(), "skillctl-observed-")));
  const folder = join(place, "project");
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const variables = { HOME: place, SKILLCTL_STATE: join(place, "state") };
  const say = (...words: readonly string[]): Promise<ProgramResult> =>
    sayInProcessOfItsOwn(["run", "runtime-debug", ...words], folder, { variables });
  const ask = async (...words: readonly string[]): Promise<Readonly<Record<string, unknown>>> => {
    const { status, out, err } = await say(...words, "--json");
    assert.equal(status, 0, `${words.join(" ")}: ${err}${out}`);
    return (JSON.parse(out) as { readonly output: Readonly<Record<string, unknown>> }).output;
  };
  const log = (session: string): Promise<string> =>
    readFile(join(folder, ".dbg", `svc-debug-log-${session}.ndjson`), "utf8").catch(() => "");
  return {
    folder,
    place,
    begin: (...words) => program(["run", "runtime-debug", ...words], folder, { variables }),
    say,
    ask,
    start: async (at) => {
      const texts = ["It is wrong", "It comes twice", "It is a text"];
      const lines = texts.map((text) => `${text} | refuted by: the log | at ${at}`);
      const { session } = await ask("start", "The value is wrong", "--hypotheses", lines.join("\n"));
      return String(session);
    },
    log,
    events: async (session) =>
      (await log(session))
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as LoggedEvent),
    observers: (words = "") => observersIn(folder, words),
    remove: () => rm(place, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** The processes with that folder that observe, and whose words contain a text. */
async function observersIn(folder: string, words: string): Promise<readonly number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = pids.map(async (pid) => {
    // A process that has ended meanwhile does not count.
    const at = await readlink(`/proc/${pid}/cwd`).catch(() => "");
    const told = at === folder ? await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "") : "";
    return told.includes('"observer":') && told.includes(words) ? [Number(pid)] : [];
  });
  return (await Promise.all(found)).flat();
}

export function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A Node program in that folder that has printed something, as each does once it is ready; it reads lines. */
export async function nodeProgram(
  folder: string,
  file: string,
  port = "--inspect-port=0",
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [port, file], { cwd: folder, stdio: ["pipe", "pipe", "ignore"] });
  await said(child);
  return child;
}

/** The next output of a program, after a line if one is given. */
export async function said({ stdin, stdout }: ChildProcess, line?: string): Promise<string> {
  assert.ok(stdout);
  const over = new AbortController();
  const heard = Promise.race(["data", "close"].map((name) => once(stdout, name, { signal: over.signal })));
  if (line !== undefined) stdin?.write(`${line}\n`);
  const [bytes] = (await heard) as [Buffer | boolean];
  over.abort();
  if (typeof bytes === "boolean") throw new Error("The program has ended.");
  return bytes.toString().trim();
}

/** The words that name a point for hypothesis A. */
export function pointWords(point: string, at: string, ...data: readonly string[]): readonly string[] {
  const words = ["--hypothesis", "A", "--point", point, "--at", at];
  return [...words, ...data.flatMap((one) => ["--data", one])];
}
