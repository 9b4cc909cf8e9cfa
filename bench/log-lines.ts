import { closeSync, openSync, readSync } from "node:fs";

const CHUNK_BYTES = 4 * 1024 * 1024;
const LINE_FEED = 10;

/**
 * Calls with the bounds of every line of a file, its line feed left out; no line may be over 4 MiB.
 * @throws Error when the file ends within a line.
 */
export function eachLine(path: string, call: (chunk: Buffer, start: number, end: number) => void): void {
  const file = openSync(path, "r");
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let kept = 0;
    for (;;) {
      const filled = kept + readSync(file, chunk, kept, CHUNK_BYTES - kept, null);
      const read = chunk.subarray(0, filled);
      let start = 0;
      for (let end = read.indexOf(LINE_FEED); end !== -1; end = read.indexOf(LINE_FEED, start)) {
        call(read, start, end);
        start = end + 1;
      }
      if (filled === kept && kept > 0) throw new Error(`${path} ends within a line.`);
      if (filled === kept) return;
      chunk.copyWithin(0, start, filled);
      kept = filled - start;
    }
  } finally {
    closeSync(file);
  }
}
