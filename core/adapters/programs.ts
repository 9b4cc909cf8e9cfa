import { SkillError } from "../errors/skill-error.ts";
import type { Environment } from "../ports/environment.ts";
import type { ProgramEnd, ProgramRun, Programs } from "../ports/programs.ts";
import { followLines } from "./lines.ts";
import { inheritedVariables } from "./program-variables.ts";

/** The most that is read of a program's standard output, in bytes. */
const MAX_OUT_BYTES = 1024 * 1024;
/** A program that is told to end has this long, in milliseconds, before it is killed. */
const PATIENCE_MS = 2_000;
/** What a program that has ended started itself may hold its output open this long, in milliseconds. */
const GRACE_MS = 500;

/**
 * The programs of this machine. Their modules are loaded with the first use. `own` is how this very program is started:
 * an absolute path and the first words.
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
          // Asked first, because it is missing in most folders, and an error costs more than all else here.
          if (fs.statSync(one, { throwIfNoEntry: false })?.isFile() !== true) return false;
          fs.accessSync(one, fs.constants.X_OK);
          return true;
        } catch {
          // Not there, or not for us: the next folder.
          return false;
        }
      });
    },
    run: (wanted) => run(wanted, environment),
    background: async (wanted) => {
      const { startInBackground } = await import("./background-program.ts");
      return startInBackground(wanted, environment, own);
    },
  };
}

async function run(wanted: ProgramRun, environment: Environment): Promise<ProgramEnd> {
  const { program, args, input = "", variables = [], timeoutMs, signal } = wanted;
  const { spawn } = await import("node:child_process");
  if (signal?.aborted) throw cancelled(program);
  const timers: NodeJS.Timeout[] = [];
  let late = false;
  let end = (): void => undefined;
  try {
    const child = spawn(program, args, {
      cwd: wanted.folder ?? environment.workingFolder,
      env: inheritedVariables(environment, variables),
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
    });
    end = () => {
      child.kill("SIGTERM");
      timers.push(setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS));
    };
    const tooLate = (): void => {
      late = true;
      end();
    };
    timers.push(setTimeout(tooLate, timeoutMs));
    signal?.addEventListener("abort", end, { once: true });
    const out: Uint8Array[] = [];
    let bytes = 0;
    const { take } = wanted;
    child.stdout.on("data", (chunk: Uint8Array) => {
      if (take) return take(chunk);
      bytes += chunk.byteLength;
      if (bytes <= MAX_OUT_BYTES) out.push(chunk);
      else child.kill("SIGKILL");
    });
    followLines(child.stderr, wanted.note);
    // A program that does not read its input closes it: its status tells the rest.
    child.stdin.on("error", () => undefined).end(input);
    child.once("exit", () => {
      const letGo = (): void => void [child.stdout, child.stderr].map((stream) => stream.destroy());
      // What has arrived by then is read first.
      timers.push(setTimeout(() => setImmediate(letGo), GRACE_MS));
    });
    const status = await new Promise<number | null>((resolve, reject) => {
      child.on("error", reject).once("close", resolve);
    });
    if (signal?.aborted) throw cancelled(program);
    if (bytes > MAX_OUT_BYTES) throw failed(program, `writes more than ${MAX_OUT_BYTES} bytes`);
    return { status: late ? undefined : (status ?? undefined), out: Buffer.concat(out).toString("utf8") };
  } catch (cause) {
    if (cause instanceof SkillError) throw cause;
    const { code = "no code" } = cause as NodeJS.ErrnoException;
    throw failed(program, `cannot be run (${code})`, cause);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

function failed(program: string, what: string, cause?: unknown): SkillError {
  return new SkillError("PROGRAM_FAILED", `${program} ${what}.`, {
    cause,
    file: program,
    hint: "Try it in a terminal of your own, to see what is wrong with it.",
  });
}

function cancelled(program: string): SkillError {
  return new SkillError("CANCELLED", `The call was ended while ${program} was running.`);
}
