import { SkillError } from "../errors/skill-error.ts";
import { isTerminal } from "./standard-streams.ts";

// Not imported: see standard-streams.ts.
const { read } = process.getBuiltinModule("node:fs");

/** Bytes that come over a while. */
export type ByteStream = AsyncIterable<Uint8Array> & { readonly destroy: (error?: Error) => unknown };

/**
 * All of standard input as UTF-8: to its end, or until what came is a JSON document, since some hosts keep it open.
 * Waits for as long as it takes, and keeps no process from ending meanwhile.
 * @throws SkillError `REQUEST_UNREADABLE` when it is longer than `maxBytes`, is no UTF-8, or cannot be read
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
    throw unreadable("it is no UTF-8");
  }
}

/** Whether somebody would have to type the event. */
export function isTyped(stream?: ByteStream): boolean {
  return stream ? "isTTY" in stream && stream.isTTY === true : isTerminal(0);
}

const CHUNK_BYTES = 65_536;
/** How long to wait before an empty input that does not block is looked at again, in milliseconds. */
const EMPTY_MS = 2;

/** The process's own, without Node's stream, which takes a quarter of a start to get ready. */
async function* ownInput(): AsyncGenerator<Uint8Array> {
  // A thread that waits for input cannot be called back, and Node would wait at its end for the thread.
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

/** Empty at the end; undefined when there is nothing yet. */
function nextChunk(): Promise<Uint8Array | undefined> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  return new Promise((resolve, reject) => {
    read(0, chunk, 0, CHUNK_BYTES, null, (error, bytes) => {
      if (!error) return resolve(chunk.subarray(0, bytes));
      if (error.code === "EAGAIN") return resolve(undefined);
      // Windows says so at the end of a pipe.
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
