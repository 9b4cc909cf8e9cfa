import { SkillError } from "../errors/skill-error.ts";
import { isTerminal } from "./standard-streams.ts";

// Not imported: see standard-streams.ts.
const { read } = process.getBuiltinModule("node:fs");

/** Bytes that arrive in pieces. */
export type ByteStream = AsyncIterable<Uint8Array> & { readonly destroy: (error?: Error) => unknown };

/**
 * Reads standard input as UTF-8 up to its end or, since some hosts keep it open, the end of a JSON document. Waits without
 * a time limit and does not keep the process alive.
 * @throws SkillError `REQUEST_UNREADABLE` if it is longer than `maxBytes`, not UTF-8, or unreadable
 */
export async function hookInput(maxBytes: number, stream?: ByteStream): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream ?? ownInput()) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw unreadable(`it is over ${maxBytes} bytes`);
    chunks.push(chunk);
    if (chunk.byteLength < CHUNK_BYTES && isWhole(chunks)) break;
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw unreadable("it is not UTF-8");
  }
}

/** Whether standard input is a terminal. */
export function isTyped(stream?: ByteStream): boolean {
  return stream ? "isTTY" in stream && stream.isTTY === true : isTerminal(0);
}

const CHUNK_BYTES = 65_536;
/** Delay before an empty non-blocking input is read again, in milliseconds. */
const EMPTY_MS = 2;

/** The input of this process, without Node's stream, whose set-up takes a quarter of the start-up time. */
async function* ownInput(): AsyncGenerator<Uint8Array> {
  // A thread that is reading input cannot be cancelled, and Node would wait for it on exit.
  const end = (): unknown => process.kill(process.pid, "SIGKILL");
  for (;;) {
    process.once("exit", end);
    const chunk = await nextChunk();
    process.off("exit", end);
    if (chunk?.byteLength === 0) return;
    if (chunk) yield chunk;
    else await new Promise((resolve) => setTimeout(resolve, EMPTY_MS));
  }
}

/** Empty at the end; undefined if no data has arrived yet. */
function nextChunk(): Promise<Uint8Array | undefined> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  return new Promise((resolve, reject) => {
    read(0, chunk, 0, CHUNK_BYTES, null, (error, bytes) => {
      if (!error) return resolve(chunk.subarray(0, bytes));
      if (error.code === "EAGAIN") return resolve(undefined);
      // The end of a pipe on Windows.
      if (error.code === "EOF") return resolve(chunk.subarray(0, 0));
      reject(unreadable(`it cannot be read (${error.code})`));
    });
  });
}

function isWhole(chunks: readonly Uint8Array[]): boolean {
  if (!/\}\s*$/.test(Buffer.from(chunks.at(-1)?.subarray(-8) ?? []).toString("latin1"))) return false;
  try {
    JSON.parse(Buffer.concat(chunks).toString("utf8"));
    return true;
  } catch {
    return false;
  }
}

function unreadable(reason: string): SkillError {
  return new SkillError("REQUEST_UNREADABLE", `${reason}.`);
}
