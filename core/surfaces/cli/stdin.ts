import { SkillError } from "../../errors/skill-error.ts";

/** The most that is read from standard input, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * All of standard input as UTF-8.
 * @throws SkillError `USAGE` when it is longer than 64 MiB.
 */
export async function readStandardInput(input: AsyncIterable<Uint8Array> = process.stdin): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new SkillError("USAGE", `Standard input is over ${MAX_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks)
    .toString("utf8")
    .replace(/^\uFEFF/, "");
}
