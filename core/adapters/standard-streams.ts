// Not imported: as ES modules, node:fs and node:process cost every start 1 to 4 ms.
const { fstatSync, writeSync } = process.getBuiltinModule("node:fs");

/** Pause before writing to a full pipe again, in milliseconds. */
const FULL_PIPE_MS = 2;

/** Error codes of a pipe without a reader and of a closed descriptor. */
const NO_READER = new Set(["EPIPE", "EOF", "EBADF", "ERR_INVALID_FD"]);

/**
 * Writes to standard output (1) or standard error (2) and returns when all of the text is written, so that the process can
 * exit at once. Node's streams cost 2 ms of start-up and may lose the end of a pipe. Returns false if the reader has gone.
 */
export function writeStandard(descriptor: 1 | 2, text: string): boolean {
  const bytes = Buffer.from(text);
  let written = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (caught) {
      const { code } = caught as NodeJS.ErrnoException;
      if (code !== undefined && NO_READER.has(code)) return false;
      // A closed terminal reports EIO; for anything else, EIO is a real error.
      if (code === "EIO" && fstatSync(descriptor).isCharacterDevice()) return false;
      if (code !== "EAGAIN") throw caught;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_MS);
    }
  }
  return true;
}

/**
 * Reserves this process's standard input and output for a protocol. Other code that writes to descriptor 1, through node:fs
 * or in child processes, writes to descriptor 2 instead; child processes get a terminal or nothing as standard input. Does
 * not cover worker threads and native code.
 */
export function divertDescriptors(): void {
  const fs = process.getBuiltinModule("node:fs");
  const writers = ["appendFileSync", "write", "writeFileSync", "writeSync", "writev", "writevSync"] as const;
  for (const name of writers) {
    const write = fs[name] as (file: unknown, ...more: readonly unknown[]) => unknown;
    Object.assign(fs, {
      [name]: (file: unknown, ...more: readonly unknown[]) => write(file === 1 ? 2 : file, ...more),
    });
  }
  divertChildren();
  process.getBuiltinModule("node:module").syncBuiltinESMExports();
}

type Launch = (...words: unknown[]) => unknown;

function divertChildren(): void {
  const children = process.getBuiltinModule("node:child_process");
  const { ChildProcess } = children as unknown as {
    readonly ChildProcess: { readonly prototype: { spawn: Launch } };
  };
  const { spawn } = ChildProcess.prototype;
  ChildProcess.prototype.spawn = function (this: unknown, options) {
    return spawn.call(this, withOwnStreams(options));
  };
  for (const name of ["execFileSync", "execSync", "spawnSync"] as const) {
    const launch = children[name] as Launch;
    Object.assign(children, { [name]: (...words: unknown[]) => launch(...words.map(withOwnStreams)) });
  }
}

/** Options for a child process with separate streams in place of this process's standard input and output. */
function withOwnStreams(options: unknown): unknown {
  if (typeof options !== "object" || options === null || !("stdio" in options)) return options;
  const { stdio } = options;
  const list: readonly unknown[] = Array.isArray(stdio) ? stdio : [stdio, stdio, stdio];
  return { ...options, stdio: list.map((one, index) => ownStream(one === "inherit" ? index : one)) };
}

function ownStream(stream: unknown): unknown {
  const descriptor = typeof stream === "object" && stream !== null && "fd" in stream ? stream.fd : stream;
  if (descriptor === 0) return isTerminal(0) ? 0 : "ignore";
  return descriptor === 1 ? 2 : stream;
}

/**
 * Whether standard input (0), output (1) or error (2) is a terminal. Node's stream, which knows reliably, costs 2 ms;
 * therefore it is asked for devices only.
 */
export function isTerminal(descriptor: 0 | 1 | 2): boolean {
  try {
    if (!fstatSync(descriptor).isCharacterDevice()) return false;
  } catch {
    // A closed descriptor is not a terminal.
    return false;
  }
  if (descriptor === 0) return process.stdin.isTTY;
  return descriptor === 1 ? process.stdout.isTTY : process.stderr.isTTY;
}
