import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onServerCore } from "./cores.ts";
import { SESSION } from "./event-body.ts";
import { Numbers } from "./numbers.ts";
import { PROGRAM, type Place } from "./whole-process.ts";

/** Ticks of /proc a second. */
const TICKS = 100;
const BARE = fileURLToPath(new URL("servers/bare-ingest.mjs", import.meta.url));
const BLOCK = /@@DEBUG_SERVER_INFO\n([^]*)@@END_DEBUG_SERVER_INFO\n/;

/** A server that takes events, in a process of its own on the first core. */
export interface Collector {
  readonly label: string;
  /** Where events are posted. */
  readonly url: URL;
  /** The file that its events are in. */
  readonly log: string;
  readonly numbers: Numbers;
  /** Microseconds of all its threads since it started, in steps of 10,000; NaN where there is no /proc. */
  readonly cpuMicroseconds: () => number;
  /** Megabytes of resident memory at their most; NaN where there is no /proc. */
  readonly peakMegabytes: () => number;
  /** Ends it, and holds its log against what it acknowledged. @throws Error when an event is missing. */
  readonly close: () => Promise<void>;
  /** Ends it at once, if it has not ended. */
  readonly kill: () => void;
}

/** A process to start as a collector. */
export interface CollectorProgram {
  readonly label: string;
  /** Program and words. */
  readonly words: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly place: Place;
  /** Address and log, once its standard output says them or something else does. */
  readonly ready: (child: ChildProcess) => Promise<{ readonly url: string; readonly log: string }>;
  /** Ends it. Default `SIGTERM`. */
  readonly signal?: NodeJS.Signals;
  /** What it says of errors is not shown. */
  readonly isQuiet?: boolean;
  /** Its log keeps all it takes. Default true; otherwise the caller counts. */
  readonly isChecked?: boolean;
}

/** The bare server, with a new log of the name in the place. */
export function bareCollector(place: Place, name: string): Promise<Collector> {
  const log = join(place.folder, `${name}.ndjson`);
  return startCollector({
    label: "bare node:http, as durable",
    words: [process.execPath, BARE, log],
    place,
    ready: async (child) => ({ url: `http://127.0.0.1:${(await output(child, /^\d+\n/)).trim()}/`, log }),
  });
}

export interface HostedOptions {
  /** Most MiB of its log. Default 4095, so that it keeps all it takes. */
  readonly maxMib?: number;
  /** Default `sync`. */
  readonly durability?: "sync" | "process";
}

/** The debug server of the built program. */
export function hostedCollector(place: Place, name: string, options: HostedOptions = {}): Promise<Collector> {
  const { maxMib = 4_095, durability = "sync" } = options;
  const serve = ["run", "runtime-debug", "serve", "--session", SESSION, "--port", "0"];
  const bounds = ["--max-mib", String(maxMib), "--durability", durability];
  return startCollector({
    label: durability === "sync" ? "skillctl" : `skillctl --durability ${durability}`,
    words: [process.execPath, PROGRAM, ...serve, "--outdir", join(place.folder, name), ...bounds],
    place,
    isChecked: maxMib >= 4_095,
    ready: async (child) => {
      const block = BLOCK.exec(await output(child, BLOCK))?.[1] ?? "";
      const { api_url: url, log_file: log } = JSON.parse(block) as Readonly<
        Record<"api_url" | "log_file", string>
      >;
      return { url, log };
    },
  });
}

export async function startCollector(program: CollectorProgram): Promise<Collector> {
  const { label, words, environment, place, ready, signal = "SIGTERM", isQuiet, isChecked = true } = program;
  const [command = "", ...rest] = [...onServerCore, ...words];
  const child = spawn(command, rest, {
    cwd: place.folder,
    env: {
      PATH: process.env["PATH"],
      HOME: place.home,
      SKILLCTL_STATE: place.state,
      ...environment,
    },
    stdio: ["ignore", "pipe", isQuiet ? "ignore" : "inherit"],
  });
  const ended = once(child, "exit");
  const early = ended.then(([status]) => {
    throw new Error(`${label} ended with the status ${status} before it answered.`);
  });
  early.catch(() => undefined);
  const { url, log } = await Promise.race([ready(child), early]);
  child.stdout.resume();
  const numbers = new Numbers();
  return {
    label,
    url: new URL(url),
    log,
    numbers,
    cpuMicroseconds: () => cpuMicroseconds(child.pid),
    peakMegabytes: () => peakMegabytes(child.pid),
    close: async () => {
      child.kill(signal);
      await ended;
      if (isChecked) numbers.check(log);
    },
    kill: () => child.kill("SIGKILL"),
  };
}

/** Standard output from its start on, as soon as it fits the pattern. */
async function output(child: ChildProcess, pattern: RegExp): Promise<string> {
  let text = "";
  for (;;) {
    const [chunk] = (await once(child.stdout as NonNullable<typeof child.stdout>, "data")) as [Buffer];
    text += chunk.toString();
    if (pattern.test(text)) return text;
  }
}

function cpuMicroseconds(pid: number | undefined): number {
  const text = processFile(pid, "stat");
  // The second field is a name in brackets, which may hold anything.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1_000_000) / TICKS;
}

function peakMegabytes(pid: number | undefined): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(processFile(pid, "status"))?.[1]) / 1024;
}

function processFile(pid: number | undefined, name: string): string {
  return process.platform === "linux" ? readFileSync(`/proc/${pid}/${name}`, "utf8") : "";
}
