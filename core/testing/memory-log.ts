import type { Log } from "../ports/log.ts";

/** A log that keeps its lines in memory. */
export interface MemoryLog extends Log {
  readonly notices: readonly string[];
  readonly details: readonly string[];
}

export function memoryLog(): MemoryLog {
  const notices: string[] = [];
  const details: string[] = [];
  return {
    notices,
    details,
    notice: (line) => void notices.push(line),
    detail: (line) => void details.push(line),
  };
}
