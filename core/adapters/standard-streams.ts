// Not imported: the ES module face of node:fs, like that of node:process, costs every start 1 to 4 ms.
const { fstatSync, writeSync } = process.getBuiltinModule("node:fs");

/** How long to wait before a full pipe is tried again, in milliseconds. */
const FULL_PIPE_MS = 2;

/** A pipe without a reader, and a closed descriptor. */
const NOBODY_READS = new Set(["EPIPE", "EOF", "EBADF", "ERR_INVALID_FD"]);

/**
 * Writes to standard output (1) or standard error (2) and returns when all of it is out, so that the process may
 * end at once. Node's own streams cost 2 ms of start-up and may lose the end of a pipe. Nobody reading any more
 * is no fault: it answers false then.
 */
export function writeStandard(descriptor: 1 | 2, text: string): boolean {
  const bytes = Buffer.from(text);
  let written = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (caught) {
      const { code } = caught as NodeJS.ErrnoException;
      if (code !== undefined && NOBODY_READS.has(code)) return false;
      // What a terminal answers that has been closed; a file would have a fault of its own.
      if (code === "EIO" && fstatSync(descriptor).isCharacterDevice()) return false;
      if (code !== "EAGAIN") throw caught;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_MS);
    }
  }
  return true;
}

/**
 * Keeps the standard input and output of this process for the program itself, which may speak a protocol there. Writes to
 * descriptor 1 by other code go to descriptor 2, through node:fs and from the programs that it starts; those programs have no
 * standard input but a terminal. Not held: worker threads and native code.
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

/** The options of a program to start, with streams of its own in place of the standard input and output of this process. */
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
 * Whether standard input (0), output (1) or error (2) is a terminal. Only a device can be one; Node's own stream, which
 * knows for sure, costs 2 ms and is asked for devices only.
 */
export function isTerminal(descriptor: 0 | 1 | 2): boolean {
  try {
    if (!fstatSync(descriptor).isCharacterDevice()) return false;
  } catch {
    // A closed descriptor is no terminal.
    return false;
  }
  if (descriptor === 0) return process.stdin.isTTY;
  return descriptor === 1 ? process.stdout.isTTY : process.stderr.isTTY;
}
