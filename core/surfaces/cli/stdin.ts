import { SkillError } from "../../errors/skill-error.ts";

/** What can be read to its end, or given up. */
export type InputStream = AsyncIterable<Uint8Array> & { readonly destroy: (error: Error) => unknown };

/** Standard input, which can be read to its end once. */
export class StandardInput {
  readonly #stream: () => InputStream;
  #taken = false;

  /** The stream is not asked for before somebody reads: the process's own costs 2 ms. */
  constructor(stream: () => InputStream = () => process.stdin) {
    this.#stream = stream;
  }

  /** @throws SkillError `USAGE` when it was read to its end. */
  checkFree(): void {
    if (!this.#taken) return;
    throw new SkillError("USAGE", "Standard input is wanted twice, and there is one.", {
      hint: "Give the input of the command in flags instead of --input -.",
    });
  }

  /**
   * All of it as UTF-8.
   * @throws SkillError `USAGE` when it is longer than `maxBytes` or was read before, `CANCELLED`.
   */
  async all(maxBytes: number, signal?: AbortSignal): Promise<string> {
    this.checkFree();
    this.#taken = true;
    const stream = this.#stream();
    const giveUp = (): unknown => stream.destroy(cancelled());
    if (signal?.aborted) throw cancelled();
    signal?.addEventListener("abort", giveUp, { once: true });
    try {
      return await read(stream, maxBytes);
    } finally {
      signal?.removeEventListener("abort", giveUp);
    }
  }
}

async function read(stream: InputStream, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new SkillError("USAGE", `Standard input is over ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks)
    .toString("utf8")
    .replace(/^\uFEFF/, "");
}

/** What is thrown when who was asked for something has left. */
export function cancelled(): SkillError {
  return new SkillError("CANCELLED", "The command was cancelled.");
}
