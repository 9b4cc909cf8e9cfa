import { writeStandard } from "../../adapters/standard-streams.ts";

/** The exit status of a run that was ended by Ctrl-C or a polite kill. */
export const INTERRUPTED = 130;

/** How long something may take to stop before the person is told how to force it, in milliseconds. */
const PATIENCE_MS = 1_000;

/** What sends a signal to a program often sends it to its whole group too: so soon, in milliseconds, it is the same one. */
const SAME_MS = 100;

/**
 * A signal that the first SIGINT, SIGTERM or SIGHUP (a terminal that is closed) aborts. The second ends the process at
 * once, after `wipe`.
 */
export function interruptSignal(wipe: () => void): AbortSignal {
  const controller = new AbortController();
  let first = 0;
  const interrupted = (): void => {
    if (controller.signal.aborted) {
      if (performance.now() - first < SAME_MS) return;
      wipe();
      process.exit(INTERRUPTED);
    }
    first = performance.now();
    controller.abort();
    setTimeout(() => {
      wipe();
      writeStandard(2, "Still stopping. Press Ctrl-C again to end at once.\n");
    }, PATIENCE_MS).unref();
  };
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, interrupted);
  return controller.signal;
}
