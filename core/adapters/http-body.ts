import { SkillError } from "../errors/skill-error.ts";

/** Codings of a body that fetch undoes. It hands out what it does not know as it is, and several one after another. */
const KNOWN_CODINGS = new Set(["", "identity", "gzip", "x-gzip", "deflate", "br"]);

/**
 * The decoded body of an answer as UTF-8. The reader is told itself when the call is over: once the garbage of a
 * request is collected, which ky drops when the headers have come, fetch no longer hears of it.
 * @throws SkillError `NETWORK_TOO_LARGE`, `NETWORK_BROKEN` for a coding that is not understood or a text that is no UTF-8; what the network
 * throws, and the reason of the signal.
 */
export async function readBody(response: Response, maxBytes: number, signal: AbortSignal): Promise<string> {
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
  if (!reader) return "";
  // Ends the connection and the reading; a connection that is broken already tells the reader so.
  const stop = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener("abort", stop);
  try {
    const coding = response.headers.get("content-encoding")?.trim().toLowerCase() ?? "";
    if (!KNOWN_CODINGS.has(coding))
      throw new SkillError("NETWORK_BROKEN", "The answer is packed in a way that is not understood here.");
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return textOf(Buffer.concat(chunks));
      bytes += value.byteLength;
      if (bytes > maxBytes)
        throw new SkillError("NETWORK_TOO_LARGE", `The answer is over ${maxBytes} bytes.`);
      chunks.push(value);
    }
  } catch (caught) {
    stop();
    throw caught;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Bytes that are no UTF-8 are never shown as something else. A byte-order mark stays. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new SkillError("NETWORK_BROKEN", "The answer is not written in UTF-8.");
  }
}
