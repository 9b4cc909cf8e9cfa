import { openRegularFile } from "./regular-file.ts";
import { unreadable } from "./storage-errors.ts";

// Not imported: see standard-streams.ts.
const { closeSync, readSync } = process.getBuiltinModule("node:fs");

const CHUNK_BYTES = 262_144;
const LINE_FEED = 10;

/**
 * Reads a regular file of any size line by line as UTF-8, without line feeds; undefined for each line of more than
 * `maxBytes`, which is not held in memory. @throws SkillError `FILE_UNREADABLE`
 */
export function* textLines(path: string, maxBytes: number): Generator<string | undefined> {
  let file: number | undefined;
  try {
    file = openRegularFile(path);
    let [pieces, bytes]: [Buffer[], number] = [[], 0];
    const add = (piece: Buffer): void => {
      bytes += piece.length;
      pieces = bytes > maxBytes ? [] : [...pieces, piece];
    };
    const line = (): string | undefined => {
      const text = bytes > maxBytes ? undefined : Buffer.concat(pieces).toString("utf8");
      [pieces, bytes] = [[], 0];
      return text;
    };
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const read = chunk.subarray(0, readSync(file, chunk, 0, CHUNK_BYTES, null));
      if (read.length === 0) break;
      let start = 0;
      for (let end = read.indexOf(LINE_FEED); end !== -1; end = read.indexOf(LINE_FEED, start)) {
        add(read.subarray(start, end));
        yield line();
        start = end + 1;
      }
      add(read.subarray(start));
    }
    if (bytes > 0) yield line();
  } catch (caught) {
    throw unreadable(path, caught);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
