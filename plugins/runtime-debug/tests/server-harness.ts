import { spawn, type ChildProcess } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { BUILT } from "../../../contract-tests/command-line.ts";
import { blockIn, type Announced } from "./serving.ts";

/** How a debug server is started as a separate process. */
export interface DebugStart {
  /** Folder of log and environment file. Default: a new one below a new working folder. */
  readonly folder?: string;
  /** Default `fault-test`. */
  readonly session?: string;
  /** Flags of `serve` in addition to session, folder and port. */
  readonly words?: readonly string[];
  /** Default 0: any free one. */
  readonly port?: number;
  /** Script and first words, in place of the built program and `run runtime-debug serve --session`. */
  readonly script?: readonly string[];
  /** Programs that the server is started through, such as `prlimit` with its words. */
  readonly through?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  /** Number of the user and group that it runs as. Default: that of the test. */
  readonly user?: number;
}

export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process that was asked to serve, whether it does or not. */
export interface Launched {
  readonly process: ChildProcess;
  readonly folder: string;
  readonly out: () => string;
  readonly err: () => string;
  /** The block, once it is there; `undefined` when the process ended without one. */
  readonly block: Promise<Announced | undefined>;
  readonly ended: Promise<Ending>;
}

/** A process that serves. */
export interface DebugServer extends Launched {
  /** Address without `/event`. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly log: string;
  readonly environmentFile: string;
  /** Sends the server itself a signal. */
  readonly signal: (name: NodeJS.Signals) => void;
  /** Ends it in the hardest way, and waits until it has ended. */
  readonly kill: () => Promise<Ending>;
}

const ENDINGS = new WeakMap<TestContext, (() => Promise<unknown>)[]>();

/** Runs an action when the test has ended: the last registered one first, unlike `t.after`. */
export function lastly(t: TestContext, work: () => Promise<unknown>): void {
  const known = ENDINGS.get(t);
  known?.push(work);
  if (known !== undefined) return;
  const works = [work];
  ENDINGS.set(t, works);
  t.after(async () => {
    for (let next = works.pop(); next !== undefined; next = works.pop()) await next();
  });
}

/** A folder that is removed after the test; servers of the test may write below it. */
export async function scratch(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "skillctl-debug-"));
  lastly(t, () => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Starts a process that is to serve, and kills it after the test. */
export async function launched(t: TestContext, start: DebugStart = {}): Promise<Launched> {
  const folder = start.folder ?? join(await scratch(t), ".dbg");
  const home = dirname(folder);
  await mkdir(home, { recursive: true });
  const script = start.script ?? [...BUILT, "run", "runtime-debug", "serve", "--session"];
  const place = ["--port", String(start.port ?? 0), "--outdir", folder];
  const given = [...script, start.session ?? "fault-test", ...place, ...(start.words ?? [])];
  const [command = process.execPath, ...words] = [...(start.through ?? []), process.execPath, ...given];
  const child = spawn(command, words, {
    cwd: home,
    stdio: ["ignore", "pipe", "pipe"],
    ...(start.user === undefined ? {} : { uid: start.user, gid: start.user }),
    env: {
      PATH: process.env["PATH"],
      HOME: home,
      SKILLCTL_STATE: join(home, "state"),
      NO_COLOR: "1",
      ...start.variables,
    },
  });
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  // Not "close": processes that it leaves running may hold its streams open.
  const ended = new Promise<Ending>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  const block = new Promise<Announced | undefined>((resolve) => {
    const look = (): void => {
      if (out.includes("@@END_DEBUG_SERVER_INFO")) resolve(blockIn(out));
    };
    child.stdout.on("data", look);
    child.once("close", () => {
      look();
      resolve(undefined);
    });
  });
  lastly(t, async () => {
    const served = await Promise.race([block, ended]);
    if (served !== undefined && "pid" in served) killed(served.pid);
    child.kill("SIGKILL");
    await ended;
    child.stdout.destroy();
    child.stderr.destroy();
  });
  return { process: child, folder, out: () => out, err: () => err, block, ended };
}

/** Starts a process and waits until it serves. @throws Error with its output if it does not */
export async function debugServer(t: TestContext, start: DebugStart = {}): Promise<DebugServer> {
  const one = await launched(t, start);
  const block = await one.block;
  if (block === undefined) {
    const { code, signal } = await one.ended;
    throw new Error(`It did not start (${code ?? signal}): ${one.err()}${one.out()}`);
  }
  const url = block.api_url.replace(/\/event(\?.*)?$/, "");
  return {
    ...one,
    url,
    port: Number(new URL(url).port),
    pid: block.pid,
    log: block.log_file,
    environmentFile: block.env_file,
    signal: (name) => void process.kill(block.pid, name),
    kill: async () => {
      killed(block.pid);
      return one.ended;
    },
  };
}

/** Whether a server has ended by itself within this many seconds. */
export async function ends({ ended }: DebugServer, seconds: number): Promise<boolean> {
  const halt = new AbortController();
  const late = pause(seconds * 1_000, false, { signal: halt.signal }).catch(() => false);
  const result = await Promise.race([ended.then(() => true), late]);
  halt.abort();
  return result;
}

/** Kills a process that may already have ended. */
function killed(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
