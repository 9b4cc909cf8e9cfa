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
 * What code of others writes to descriptor 1 through node:fs goes to descriptor 2: standard output is one document. Programs
 * that it starts with this one's own output are not held.
 */
export function divertDescriptor(): void {
  const fs = process.getBuiltinModule("node:fs");
  const writers = ["appendFileSync", "write", "writeFileSync", "writeSync", "writev", "writevSync"] as const;
  for (const name of writers) {
    const write = fs[name] as (file: unknown, ...more: readonly unknown[]) => unknown;
    Object.assign(fs, {
      [name]: (file: unknown, ...more: readonly unknown[]) => write(file === 1 ? 2 : file, ...more),
    });
  }
  process.getBuiltinModule("node:module").syncBuiltinESMExports();
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
