import type { Log } from "../ports/log.ts";

/** Lines on standard error; details only if enabled. */
export function stderrLog(
  verbose: boolean,
  write = (text: string): unknown => process.stderr.write(text),
): Log {
  return {
    notice: (line) => void write(`${line}\n`),
    detail: (line) => void (verbose && write(`${line}\n`)),
  };
}
