import { readFileSync } from "node:fs";

/** What systems give a process that do not say how many: macOS since long, and less than Windows has. */
const USUAL = 10_240;
const OPEN_FILES = /^Max open files +(\d+)/m;

/** How many files and connections this process may have open at once. */
export function descriptorLimit(): number {
  try {
    return Number(OPEN_FILES.exec(readFileSync("/proc/self/limits", "utf8"))?.[1] ?? USUAL);
  } catch {
    // Only Linux tells it in a file.
    return USUAL;
  }
}
