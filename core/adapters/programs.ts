import type { ChildProcess } from "node:child_process";
import type * as NodeFs from "node:fs";
import type { Readable } from "node:stream";
import { SkillError } from "../errors/skill-error.ts";
import type { Environment } from "../ports/environment.ts";
import type {
  ProgramEnd,
  ProgramRun,
  Programs,
  BackgroundProgram,
  BackgroundRun,
} from "../ports/programs.ts";

/** Maximum size of a program's standard output, in bytes. */
const MAX_OUT_BYTES = 1024 * 1024;
/** Time between the termination signal and killing, in milliseconds. */
const PATIENCE_MS = 2_000;
/** Time that children of a finished program may keep its output open, in milliseconds. */
const GRACE_MS = 500;

/**
 * The programs of this machine. Modules are loaded on first use. `own` is the command that starts this program: an absolute
 * path and its first arguments.
 */
export function nodePrograms(environment: Environment, own?: readonly string[]): Programs {
  return {
    find: async (name) => {
      const [fs, path] = await Promise.all([import("node:fs"), import("node:path")]);
      if (/[/\\]/.test(name)) return undefined;
      const file = process.platform === "win32" ? `${name}.exe` : name;
      const folders = (environment.variable("PATH") ?? "").split(path.delimiter);
      // A relative folder on PATH would let the working folder choose the program.
      const paths = folders
        .filter((folder) => path.isAbsolute(folder))
        .map((folder) => path.join(folder, file));
      return paths.find((one) => {
        try {
          // Checked first: most folders lack the file, and an exception costs more than everything else here.
          if (fs.statSync(one, { throwIfNoEntry: false })?.isFile() !== true) return false;
          fs.accessSync(one, fs.constants.X_OK);
          return true;
        } catch {
          // Missing or not executable: try the next folder.
          return false;
        }
      });
    },
    run: (wanted) => run(wanted, environment),
    background: (wanted) => startInBackground(wanted, environment, own),
  };
}

async function run(wanted: ProgramRun, environment: Environment): Promise<ProgramEnd> {
  const { program, args, input = "", variables = [], timeoutMs, signal, isGroup } = wanted;
  const { spawn } = await import("node:child_process");
  if (signal?.aborted) throw cancelled(program);
  const timers: NodeJS.Timeout[] = [];
  let late = false;
  let isEnded = false;
  let end = (): void => undefined;
  let forget = end;
  try {
    const child = spawn(program, args, {
      cwd: wanted.folder ?? environment.workingFolder,
      env: { ...inheritedVariables(environment, variables), ...wanted.environment },
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
      detached: isGroup === true,
    });
    const kill = (name: NodeJS.Signals): void => killProgram(child, isGroup === true, name);
    end = () => {
      isEnded = true;
      kill("SIGTERM");
      timers.push(setTimeout(() => kill("SIGKILL"), PATIENCE_MS));
    };
    forget = killedAtExit(() => kill("SIGKILL"));
    const tooLate = (): void => {
      late = true;
      end();
    };
    if (timeoutMs !== undefined) timers.push(setTimeout(tooLate, timeoutMs));
    signal?.addEventListener("abort", end, { once: true });
    const out: Uint8Array[] = [];
    let bytes = 0;
    const { take } = wanted;
    child.stdout.on("data", (chunk: Uint8Array) => {
      if (take) return take(chunk);
      bytes += chunk.byteLength;
      if (bytes <= MAX_OUT_BYTES) out.push(chunk);
      else kill("SIGKILL");
    });
    followLines(child.stderr, wanted.note);
    // A program that does not read its input closes it; its status reports any failure.
    child.stdin.on("error", () => undefined).end(input);
    child.once("exit", () => {
      const letGo = (): void => void [child.stdout, child.stderr].map((stream) => stream.destroy());
      // Data that has arrived is read first.
      timers.push(setTimeout(() => setImmediate(letGo), GRACE_MS));
    });
    const status = await new Promise<number | null>((resolve, reject) => {
      child.on("error", reject).once("close", resolve);
    });
    // The program has ended; its children may not have received the signal.
    if (isEnded && isGroup === true) kill("SIGKILL");
    if (signal?.aborted) throw cancelled(program);
    if (bytes > MAX_OUT_BYTES) throw failed(program, `writes more than ${MAX_OUT_BYTES} bytes`);
    return { status: late ? undefined : (status ?? undefined), out: Buffer.concat(out).toString("utf8") };
  } catch (cause) {
    if (cause instanceof SkillError) throw cause;
    const { code = "no code", syscall } = cause as NodeJS.ErrnoException;
    throw failed(program, `cannot be ${syscall === "kill" ? "ended" : "run"} (${code})`, cause);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    forget();
    signal?.removeEventListener("abort", end);
  }
}

/**
 * Sends a signal to a program, or to all of its process group. A refused signal is an error of the program, as it is for
 * Node.
 */
function killProgram(child: ChildProcess, isGroup: boolean, name: NodeJS.Signals): void {
  if (!isGroup || child.pid === undefined) return void child.kill(name);
  try {
    process.kill(-child.pid, name);
  } catch (caught) {
    // Without ESRCH the group is not empty.
    if ((caught as NodeJS.ErrnoException).code !== "ESRCH") child.emit("error", caught);
  }
}

const running = new Set<() => void>();

/** Kills a program when this process exits first, as a guard does at its time limit; returns a function that cancels this. */
function killedAtExit(kill: () => void): () => void {
  if (running.size === 0) process.on("exit", killAll);
  running.add(kill);
  return () => {
    running.delete(kill);
    if (running.size === 0) process.removeListener("exit", killAll);
  };
}

function killAll(): void {
  for (const kill of running) kill();
}

function failed(program: string, what: string, cause?: unknown): SkillError {
  return new SkillError("PROGRAM_FAILED", `${program} ${what}.`, {
    cause,
    file: program,
    hint: "Run it in a terminal to see its error.",
  });
}

function cancelled(program: string): SkillError {
  return new SkillError("CANCELLED", `The call was cancelled while ${program} ran.`);
}

/** The environment variables that every program inherits: see `ProgramRun.variables`. */
const USUAL = (
  "PATH HOME USER LOGNAME SHELL LANG LANGUAGE LC_ALL LC_CTYPE LC_MESSAGES TZ TMPDIR TERM COLORTERM NO_COLOR CI " +
  "DISPLAY WAYLAND_DISPLAY XAUTHORITY XDG_RUNTIME_DIR XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_CACHE_HOME " +
  "XDG_SESSION_TYPE DBUS_SESSION_BUS_ADDRESS SSH_CONNECTION SSH_TTY BROWSER " +
  "HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy " +
  "SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE " +
  "SystemRoot SystemDrive ComSpec PATHEXT WINDIR USERPROFILE USERNAME HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA " +
  "ProgramData ProgramFiles TEMP TMP"
).split(" ");

/** The environment of another program: the usual variables and the additional ones, if they are set. */
function inheritedVariables(
  environment: Environment,
  further: readonly string[],
): Readonly<Record<string, string>> {
  const pairs = [...USUAL, ...further].flatMap((name) => {
    const value = environment.variable(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(pairs);
}

/** Longer lines are dropped, in characters: a secret in them must be masked as a whole. */
const LONGEST_LINE = 16_384;
const LEFT_OUT = "…";

/** Passes on each line of a stream as UTF-8, without its end. */
function followLines(stream: Readable, tell: ((line: string) => void) | undefined): void {
  let rest = "";
  const handOn = (line: string): void => tell?.(line.length > LONGEST_LINE ? LEFT_OUT : line);
  stream.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split(/\r?\n/);
    rest = (lines.pop() ?? "").slice(0, LONGEST_LINE + 1);
    lines.forEach(handOn);
  });
  stream.once("close", () => {
    if (rest !== "") handOn(rest);
  });
}

/** The variables that this program reads besides the usual ones, and those that Node needs to start it the same way. */
const OWN_VARIABLES = ["SKILLCTL_STATE", "SKILLCTL_PLUGINS", "NODE_OPTIONS", "TSX_TSCONFIG_PATH"];

/** See `Programs.background`. */
async function startInBackground(
  { args, log, variables = [] }: BackgroundRun,
  environment: Environment,
  own: readonly string[] | undefined,
): Promise<BackgroundProgram> {
  const [program, ...first] = own ?? [];
  if (program === undefined) {
    throw new SkillError("PROGRAM_FAILED", "The host of this skill cannot start it in the background.", {
      hint: "Run it with skillctl, or in the foreground.",
    });
  }
  const [fs, { spawn }] = await Promise.all([import("node:fs"), import("node:child_process")]);
  const descriptor = opened(log, fs);
  try {
    const child = spawn(program, [...first, ...args], {
      cwd: environment.workingFolder,
      env: inheritedVariables(environment, [...OWN_VARIABLES, ...variables]),
      stdio: ["ignore", descriptor, descriptor],
      detached: true,
      windowsHide: true,
    });
    const ended = new Promise<number | undefined>((resolve) => {
      child.once("exit", (status) => resolve(status ?? undefined));
    });
    await new Promise((resolve, reject) => child.once("spawn", resolve).once("error", reject));
    child.unref();
    return { pid: child.pid as number, ended };
  } catch (cause) {
    const { code = "no code" } = cause as NodeJS.ErrnoException;
    throw new SkillError("PROGRAM_FAILED", `${program} cannot be run (${code}).`, { cause, file: program });
  } finally {
    fs.closeSync(descriptor);
  }
}

function opened(log: string, fs: typeof NodeFs): number {
  const { O_APPEND, O_CREAT, O_WRONLY } = fs.constants;
  // Windows has neither flag.
  const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants as Partial<typeof fs.constants>;
  try {
    const descriptor = fs.openSync(log, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
    if (fs.fstatSync(descriptor).isFile()) return descriptor;
    fs.closeSync(descriptor);
  } catch (cause) {
    const { code = "no code" } = cause as NodeJS.ErrnoException;
    throw unwritable(log, `cannot be written (${code})`, cause);
  }
  throw unwritable(log, "is not a regular file");
}

function unwritable(log: string, why: string, cause?: unknown): SkillError {
  const hint = "Check the permissions of its folder, and that its path is not a link or folder.";
  return new SkillError("FILE_UNWRITABLE", `${log} ${why}.`, { cause, file: log, hint });
}
