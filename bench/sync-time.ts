import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

/** Milliseconds of single appends of so many bytes, each with its fdatasync, to a new file of a folder. */
export function syncTimes(folder: string, bytes: number, count: number): readonly number[] {
  const path = join(folder, "sync-time");
  const file = openSync(path, "a");
  const line = Buffer.alloc(bytes, "\n");
  try {
    return Array.from({ length: count }, () => {
      const start = performance.now();
      writeSync(file, line);
      fdatasyncSync(file);
      return performance.now() - start;
    });
  } finally {
    closeSync(file);
    rmSync(path);
  }
}
