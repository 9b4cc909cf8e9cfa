import { join } from "node:path";
import { isLoopbackAddress, SkillError, type Files, type Http } from "skillctl";

/** A debuggee that an inspector offers. */
export interface Target {
  /** `node`, or the name that browsers use: `page`, `iframe`, `service_worker`. */
  readonly kind: string;
  /** The address for connections: `ws://127.0.0.1:9229/…`. */
  readonly url: string;
}

/** The inspector of a process. */
export interface OpenInspector {
  /** `127.0.0.1:9229` */
  readonly address: string;
  /** Whether it was opened for us, and must be closed again. */
  readonly ours: boolean;
}

const DEFAULT_PORT = 9229;
const LIST_MS = 1_000;
/** The time limit for a process to open its inspector, and the polling interval, in milliseconds. */
const OPEN_MS = 5_000;
const LOOK_MS = 50;
/** Time after which a new Node program handles the signal, even on a busy machine. */
const START_MS = 3_000;

/** Host and port of a debugger on this machine. @throws SkillError `USAGE` */
export function addressOf(address: string): readonly [host: string, port: number] {
  const [, host = "", port = ""] =
    /^(?:https?:\/\/|wss?:\/\/)?(\[[^\]]+\]|[^:/]+):(\d{1,5})(?:\/.*)?$/.exec(address) ?? [];
  if (port === "")
    throw new SkillError("USAGE", `"${address}" is not the address of a debugger.`, {
      hint: "Write it as 127.0.0.1:9229.",
    });
  const bare = host.replace(/^\[|\]$/g, "");
  if (host !== "localhost" && !isLoopbackAddress(bare))
    throw new SkillError("USAGE", `${host} is not this machine: its debugger lets anyone run code.`, {
      hint: `Forward its port through a tunnel, such as \`ssh -L ${port}:127.0.0.1:${port} ${host}\`, and name 127.0.0.1:${port}.`,
    });
  return [bare, Number(port)];
}

/** The targets of an inspector. @throws SkillError `USAGE` for another machine, `PROGRAM_FAILED` without a response */
export async function targetsAt(address: string, http: Http): Promise<readonly Target[]> {
  const [host, port] = addressOf(address);
  const list = await listed(host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`, http);
  if (list) return list;
  throw new SkillError("PROGRAM_FAILED", `No inspector answers at ${host}:${port}.`, {
    hint: "Start the program with `node --inspect`, or the browser with `--remote-debugging-port=9222`.",
  });
}

async function listed(address: string, http: Http): Promise<readonly Target[] | undefined> {
  try {
    const { body } = await http.send({
      method: "GET",
      url: `http://${address}/json/list`,
      timeoutMs: LIST_MS,
      maxBytes: 1024 * 1024,
    });
    const rows: unknown = JSON.parse(body);
    if (!Array.isArray(rows)) return undefined;
    return rows.flatMap((row: Readonly<Record<string, unknown>>) => {
      const { type, webSocketDebuggerUrl: url } = row;
      return typeof url === "string" ? [{ kind: String(type), url }] : [];
    });
  } catch {
    // There is no listener, or it uses another protocol.
    return undefined;
  }
}

/**
 * Whether a program can be observed, as a sentence. Sends only a request for its list of targets.
 * @throws SkillError `DEBUG_NO_DEBUGGEE`, `PROGRAM_FAILED`, `USAGE` with the obstacle
 */
export async function observable(target: number | string, files: Files, http: Http): Promise<string> {
  if (typeof target === "string") {
    const kinds = (await targetsAt(target, http)).map(({ kind }) => kind);
    return `${target} can be observed: it offers ${kinds.length === 0 ? "nothing yet" : kinds.join(", ")}.`;
  }
  await refuseOthers(target, files);
  return `Process ${target} can be observed: it is a Node program of yours.`;
}

/**
 * Finds the inspector of a process of this user, or makes Node open it. @throws SkillError
 * `DEBUG_NO_DEBUGGEE` if it is not a process, belongs to another user, or is not Node
 */
export async function inspectorOf(pid: number, files: Files, http: Http): Promise<OpenInspector> {
  const words = await refuseOthers(pid, files);
  const before = await listeners(pid, files);
  // The program's own servers are not queried unless its arguments or variables say that one of them is an inspector.
  const isOpen = words.includes("--inspect");
  const known = await firstOf(
    before.filter((port) => isOpen || port === DEFAULT_PORT),
    http,
  );
  if (known !== undefined) return { address: known, ours: false };
  process.kill(pid, "SIGUSR1");
  for (const late = Date.now() + OPEN_MS; Date.now() < late;) {
    const now = await listeners(pid, files);
    const address = await firstOf(
      now.filter((port) => !before.includes(port)),
      http,
    );
    if (address !== undefined) return { address, ours: true };
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  throw refused(pid, "does not open its inspector", `Is port ${DEFAULT_PORT} taken by another program?`);
}

async function firstOf(ports: readonly number[], http: Http): Promise<string | undefined> {
  for (const port of ports) {
    const list = await listed(`127.0.0.1:${port}`, http);
    if (list?.some(({ kind }) => kind === "node")) return `127.0.0.1:${port}`;
  }
  return undefined;
}

/**
 * A signal would end a program that does not handle it: only a process that is definitely Node receives one. Returns
 * its arguments and variables.
 */
async function refuseOthers(pid: number, files: Files): Promise<string> {
  const folder = `/proc/${pid}`;
  for (const late = Date.now() + START_MS; ; await new Promise((resolve) => setTimeout(resolve, LOOK_MS))) {
    const status = await files.readText(join(folder, "status"));
    const program = await files.linkTarget(join(folder, "exe")).catch(() => undefined);
    if (status === undefined) {
      if (process.platform === "linux") throw refused(pid, "does not exist", "See `ps`.");
      throw refused(pid, "cannot be looked up on this system", "Name its inspector: --inspect HOST:PORT.");
    }
    if (Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]) !== process.getuid?.())
      throw refused(pid, "belongs to another user", "Only your own programs are observed.");
    if (!/^node(?:js)?$/.test(program?.split("/").at(-1)?.replace(" (deleted)", "") ?? "")) {
      const hint = "Other languages: --adapter; a browser: --inspect.";
      throw refused(pid, `is not a Node program (${program ?? "unknown"})`, hint);
    }
    // Once started, Node handles SIGUSR1, the tenth signal, by opening its inspector.
    if (BigInt(`0x${/^SigCgt:\s+([0-9a-f]+)/m.exec(status)?.[1] ?? "0"}`) & (1n << 9n)) break;
    if (Date.now() > late)
      throw refused(
        pid,
        "does not accept the signal that opens its inspector",
        "Start it with --inspect, and name the address.",
      );
  }
  const words = await Promise.all(["cmdline", "environ"].map((name) => files.readText(join(folder, name))));
  const [, host = "localhost"] =
    /--(?:inspect|debug)-port[=\0]([^\0\s]{1,300}):\d+/.exec(words.join("\0")) ?? [];
  if (host !== "localhost" && !isLoopbackAddress(host.replace(/^\[|\]$/g, "")))
    throw refused(
      pid,
      `would open its inspector to other machines, at ${host}`,
      "Start it with --inspect-port=0, or with --run.",
    );
  return words.join("\0");
}

function refused(pid: number, what: string, hint: string): SkillError {
  return new SkillError("DEBUG_NO_DEBUGGEE", `Process ${pid} ${what}.`, { hint });
}

/** A program that started before the fix runs without it, but its events would count for the fix. */
export function beforeFix(): SkillError {
  return new SkillError("DEBUG_NO_DEBUGGEE", "The program was started before the fix was written.", {
    hint: "Restart the program or reload the page, and then observe it.",
  });
}

/** The start time of the process that listens on a port, in milliseconds since 1970; `undefined` if it is unknown. */
export async function listenerStart(port: number, files: Files): Promise<number | undefined> {
  for (const pid of (await files.list("/proc")) ?? []) {
    // Processes of other users cannot be inspected.
    const ports: readonly number[] = await listeners(Number(pid), files).catch(() => []);
    if (!ports.includes(port)) continue;
    const [stat = "", uptime = ""] = await Promise.all(
      [`/proc/${pid}/stat`, "/proc/uptime"].map((path) => files.readText(path)),
    );
    // The start time is in hundredths of a second since the machine started: proc(5).
    const ticks = stat.slice(stat.lastIndexOf(")")).split(" ")[20];
    return Date.now() - Number.parseFloat(uptime) * 1_000 + Number(ticks) * 10;
  }
  return undefined;
}

/** The loopback ports on which a process listens. */
async function listeners(pid: number, files: Files): Promise<readonly number[]> {
  const folder = `/proc/${pid}`;
  const handles = (await files.list(join(folder, "fd"))) ?? [];
  const targets = await Promise.all(
    handles.map((one) => files.linkTarget(join(folder, "fd", one)).catch(() => undefined)),
  );
  const inodes = new Set(targets.map((target) => /^socket:\[(\d+)\]$/.exec(target ?? "")?.[1]));
  const table = (await files.readText(join(folder, "net/tcp"))) ?? "";
  return table.split("\n").flatMap((line) => {
    const [, local = "", , state, , , , , , inode] = line.trim().split(/\s+/);
    const [address = "", port = ""] = local.split(":");
    return state === "0A" && address.endsWith("7F") && inodes.has(inode) ? [Number.parseInt(port, 16)] : [];
  });
}

/**
 * Closes the inspector of a debuggee from within. If the program was busy when the signal arrived, Node opens the inspector
 * again at its next event, so it is closed a second time.
 */
export const CLOSE_INSPECTOR =
  "(i=>{setTimeout(()=>i.close(),100).unref();i.close()})(process.getBuiltinModule?.('inspector')??require('inspector'))";

/**
 * A module that a Node program loads before its own code: it opens an inspector, writes its address into a folder, and
 * continues once a file states that the points are set, after two seconds at the latest, and at once without an
 * observer.
 */
export function preload(folder: string, observer: number): string {
  return `const{isMainThread:m,threadId}=require("worker_threads");if(m){const i=require("inspector"),f=require("fs"),p=${JSON.stringify(folder)}+"/"+process.pid;try{process.kill(${observer},0);i.open(0,"127.0.0.1");f.writeFileSync(p+".new",i.url());f.renameSync(p+".new",p+".url");const a=new Int32Array(new SharedArrayBuffer(4));for(let n=0;n<200&&!f.existsSync(p+".set");n++){process.kill(${observer},0);Atomics.wait(a,0,0,10)}}catch{}}`;
}

/**
 * `NODE_OPTIONS` that make a program load such a module. The inspector does not publish its address on its port, since
 * that would let other users of the machine run code in the program.
 */
export function preloadOptions(module: string, before = ""): string {
  return `${before} --inspect-publish-uid=stderr --require=${JSON.stringify(module)}`;
}

/** The addresses that programs have written with `preload`, by process id. */
export async function writtenTargets(folder: string, files: Files): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const name of (await files.list(folder)) ?? []) {
    const url = name.endsWith(".url") ? await files.readText(join(folder, name)) : undefined;
    if (url !== undefined) found.set(name.slice(0, -".url".length), url);
  }
  return found;
}
