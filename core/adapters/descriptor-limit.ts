import { readFileSync } from "node:fs";

/** The assumed limit on systems that do not report it: the default of macOS, and less than that of Windows. */
const USUAL = 10_240;
const OPEN_FILES = /^Max open files +(\d+)/m;

/** The number of files and connections that this process may have open at once. */
export function descriptorLimit(): number {
  try {
    return Number(OPEN_FILES.exec(readFileSync("/proc/self/limits", "utf8"))?.[1] ?? USUAL);
  } catch {
    // Only Linux reports it in a file.
    return USUAL;
  }
}
