import { SkillError } from "../errors/skill-error.ts";

// Not imported: see standard-streams.ts.
const { readSync } = process.getBuiltinModule("node:fs");

/** Bytes that come over a while. */
export type ByteStream = AsyncIterable<Uint8Array> & { readonly destroy: (error?: Error) => unknown };

/** Bounds of what is read. */
export interface HookInputBounds {
  readonly maxBytes: number;
  /** How long to wait for its end, in milliseconds. */
  readonly withinMs: number;
}

/**
 * All of standard input as UTF-8: to its end, or until what came is a JSON document, since some hosts keep it open. The
 * process's own is read without Node's stream, which takes a quarter of a start to get ready.
 * @throws SkillError `REQUEST_UNREADABLE` when it is longer than `maxBytes`, is no UTF-8, or has no end within `withinMs`.
 */
export async function hookInput(bounds: HookInputBounds, stream?: ByteStream): Promise<string> {
  const { maxBytes } = bounds;
  const bytes = stream ? await all(stream, maxBytes, bounds.withinMs) : allOf(0, bounds);
  if (bytes.length > maxBytes) throw unreadable(`it is over ${maxBytes} bytes`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw unreadable("it is no UTF-8");
  }
}

/** Whether somebody would have to type the event. */
export function isTyped(stream?: ByteStream): boolean {
  return stream ? "isTTY" in stream && stream.isTTY === true : process.getBuiltinModule("node:tty").isatty(0);
}

const CHUNK_BYTES = 65_536;
/** How long to wait before an empty input that does not block is looked at again, in milliseconds. */
const EMPTY_MS = 2;

/** Reads a descriptor. One that blocks is waited for as long as it takes: whoever started this process ends it. */
function allOf(descriptor: number, { maxBytes, withinMs }: HookInputBounds): Uint8Array {
  const chunks: Buffer[] = [];
  let waits = 0;
  for (let bytes = 0; bytes <= maxBytes;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const read = readSome(descriptor, chunk);
    if (read === 0) break;
    if (read === undefined) {
      waits += 1;
      if (waits * EMPTY_MS > withinMs) throw unreadable(`it has no end within ${withinMs} ms`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, EMPTY_MS);
      continue;
    }
    bytes += read;
    chunks.push(chunk.subarray(0, read));
    if (read < CHUNK_BYTES && isWhole(chunks)) break;
  }
  return Buffer.concat(chunks);
}

/** How many bytes came; undefined when there are none yet. */
function readSome(descriptor: number, chunk: Buffer): number | undefined {
  try {
    return readSync(descriptor, chunk);
  } catch (caught) {
    const { code } = caught as NodeJS.ErrnoException;
    if (code === "EAGAIN") return undefined;
    // Windows says so at the end of a pipe.
    if (code === "EOF") return 0;
    throw unreadable(`it cannot be read (${code})`);
  }
}

function isWhole(chunks: readonly Buffer[]): boolean {
  if (!/\}\s*$/.test(chunks.at(-1)?.subarray(-8).toString("latin1") ?? "")) return false;
  try {
    JSON.parse(Buffer.concat(chunks).toString("utf8"));
    return true;
  } catch {
    return false;
  }
}

async function all(stream: ByteStream, maxBytes: number, withinMs: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const late = unreadable(`it has no end within ${withinMs} ms`);
  const timer = setTimeout(() => stream.destroy(late), withinMs);
  try {
    for await (const chunk of stream) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw unreadable(`it is over ${maxBytes} bytes`);
      chunks.push(chunk);
    }
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks);
}

function unreadable(reason: string): SkillError {
  return new SkillError("REQUEST_UNREADABLE", `${reason}.`);
}
