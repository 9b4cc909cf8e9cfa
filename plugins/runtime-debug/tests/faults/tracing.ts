import { spawn } from "node:child_process";
import { once } from "node:events";
import type { TestContext } from "node:test";
import { lastly } from "../server-harness.ts";

/**
 * Calls that open files or write to them. Node also pokes its own threads with them: they are counted only with
 * `paths`. Each is counted separately, as strace does.
 */
export const WRITES = ["openat", "write", "pwrite64", "writev,pwritev"];
/** All other calls that can change what is on a disk. */
export const CHANGES = [
  "fdatasync",
  "fsync",
  "rename,renameat,renameat2",
  "link,linkat",
  "unlink,unlinkat",
  "ftruncate",
  "mkdir",
];

/** The time in which strace must release the traced process, in milliseconds. */
const PATIENCE_MS = 10_000;

/** Faults that are injected into a running process. */
export interface Tracer {
  /** Removes the faults; the process continues as if it had never been traced. */
  readonly stop: () => Promise<void>;
}

export interface Faults {
  /** The faults and the calls that they affect: `fdatasync:error=EIO:when=1`. */
  readonly inject: string;
  /** Only calls on these files. Default: all. */
  readonly paths?: readonly string[];
}

/** The arguments of strace that inject a fault. */
export function straceWords({ inject, paths = [] }: Faults): string[] {
  const [calls = ""] = inject.split(":");
  const only = paths.flatMap((path) => ["-P", path]);
  return ["strace", "-f", "-o", "/dev/null", ...only, "-e", `trace=${calls}`, "-e", `inject=${inject}`];
}

/** Injects faults into a running process until `stop` is called or the process ends. */
export async function traced(t: TestContext, pid: number, faults: Faults): Promise<Tracer> {
  const [program = "strace", ...words] = straceWords(faults);
  const strace = spawn(program, [...words, "-p", String(pid)], { stdio: ["ignore", "ignore", "pipe"] });
  const gone = once(strace, "exit");
  // If strace must release a process that is just dying, it can wait for ever; the kernel then releases the process.
  const stop = async (): Promise<void> => {
    strace.kill("SIGINT");
    const late = setTimeout(() => strace.kill("SIGKILL"), PATIENCE_MS);
    await gone;
    clearTimeout(late);
  };
  lastly(t, stop);
  let said = "";
  strace.stderr.setEncoding("utf8");
  for await (const text of strace.stderr.iterator({ destroyOnReturn: false }) as AsyncIterable<string>) {
    said += text;
    if (said.includes("attached")) break;
  }
  if (!said.includes("attached")) throw new Error(`strace: ${said}`);
  strace.stderr.resume();
  return { stop };
}
