import type { Log } from "../ports/log.ts";

/** The lines that were logged, in order. */
export interface MemoryLog extends Log {
  readonly notices: readonly string[];
  readonly details: readonly string[];
}

/** Creates a log that keeps its lines in memory. */
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
