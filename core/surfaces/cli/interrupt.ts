import { writeStandard } from "../../adapters/standard-streams.ts";

/** The exit status of a run that was ended by Ctrl-C or a polite kill. */
export const INTERRUPTED = 130;

/** How long something may take to stop before the person is told how to force it, in milliseconds. */
const PATIENCE_MS = 1_000;

/** A signal that the first SIGINT or SIGTERM aborts. The second ends the process at once, after `wipe`. */
export function interruptSignal(wipe: () => void): AbortSignal {
  const controller = new AbortController();
  const interrupted = (): void => {
    if (controller.signal.aborted) {
      wipe();
      process.exit(INTERRUPTED);
    }
    controller.abort();
    setTimeout(() => {
      wipe();
      writeStandard(2, "Still stopping. Press Ctrl-C again to end at once.\n");
    }, PATIENCE_MS).unref();
  };
  process.on("SIGINT", interrupted);
  process.on("SIGTERM", interrupted);
  return controller.signal;
}
