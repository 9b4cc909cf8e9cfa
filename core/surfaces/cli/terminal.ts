import { divertDescriptors, isTerminal, writeStandard } from "../../adapters/standard-streams.ts";
import { onTerminal } from "./text.ts";
import type { Terminal } from "./verb.ts";

/** Settings for progress and colours. */
interface TerminalOptions {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** False after --no-progress. */
  readonly progress: boolean;
}

const WIPE = "\r\u001B[2K";

/**
 * The terminal of this process. Text for a terminal passes one filter that removes all control sequences except colours; text for
 * a pipe is not changed. The system is asked about a stream only when a property is read.
 */
export function processTerminal({ variables, progress }: TerminalOptions): Terminal {
  const redraws = once(() => isTerminal(2) && variables["TERM"] !== "dumb");
  let status = "";
  const wipe = (): void => {
    if (status !== "") writeStandard(2, WIPE);
    status = "";
  };
  const say = (text: string): void => {
    wipe();
    writeStandard(2, onTerminal(text, isTerminal(2), true));
  };
  const signal = once(() => interruptSignal(wipe));
  return {
    out: (text) => {
      wipe();
      writeStandard(1, onTerminal(text, isTerminal(1), true));
    },
    err: say,
    draw: (text) => {
      wipe();
      writeStandard(2, text);
    },
    divertPrints: () => {
      for (const stream of [process.stdout, process.stderr])
        stream.write = (chunk: Uint8Array | string, ...more: readonly unknown[]) => {
          say(typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8"));
          const done = more.find((one) => typeof one === "function");
          if (done) queueMicrotask(() => void done());
          return true;
        };
      divertDescriptors();
    },
    status: (line) => {
      if (line === "") return wipe();
      writeStandard(2, `${WIPE}${onTerminal(line, true, true)}`);
      status = line;
    },
    get lively() {
      return progress && !variables["CI"] && redraws();
    },
    get colour() {
      return !variables["NO_COLOR"] && redraws();
    },
    get columns() {
      return (isTerminal(1) && process.stdout.columns) || 80;
    },
    get errorColumns() {
      return isTerminal(2) ? process.stderr.columns || 80 : undefined;
    },
    get showsOut() {
      return isTerminal(1);
    },
    get signal() {
      return signal();
    },
    lastWord: (say) => {
      let isDrained = false;
      const drained = (): void => void (isDrained = true);
      const ended = (): void => {
        process.exitCode =
          say(isDrained ? DRAINED : "the process was ended by the code that it ran") ?? process.exitCode;
      };
      const thrown = (cause: unknown): void => {
        const status = say("no code handled a failure", cause);
        if (status === undefined) return;
        process.off("exit", ended);
        process.exit(status);
      };
      process
        .once("beforeExit", drained)
        .once("exit", ended)
        .on("uncaughtException", thrown)
        .on("unhandledRejection", thrown);
      return () =>
        void process
          .off("beforeExit", drained)
          .off("exit", ended)
          .off("uncaughtException", thrown)
          .off("unhandledRejection", thrown);
    },
    interrupt: () => void process.emit("SIGINT"),
  };
}

/** The reason if the process ends because no event can settle the pending promise. */
export const DRAINED = "the code that it ran waits for something that can no longer happen";

/** A function that computes its value at the first call and keeps it. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** The exit status after SIGINT, SIGTERM or SIGHUP. */
export const INTERRUPTED = 130;

/** Time after which a person is told how to force a stop, in milliseconds. */
const PATIENCE_MS = 1_000;

/** Time after which a process that has not stopped is ended, in milliseconds. */
const LONGEST_STOP_MS = 10_000;

/** A signal within this time after the first, in milliseconds, is the same one, also sent to the process group. */
const SAME_MS = 100;

/**
 * A signal that the first SIGINT, SIGTERM or SIGHUP (a closed terminal) aborts. The second one, or a time limit, ends the process
 * after `wipe`.
 */
function interruptSignal(wipe: () => void): AbortSignal {
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
    setTimeout(() => {
      wipe();
      writeStandard(2, `It did not stop within ${LONGEST_STOP_MS / 1000} s and is ended.\n`);
      process.exit(INTERRUPTED);
    }, LONGEST_STOP_MS).unref();
  };
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, interrupted);
  return controller.signal;
}
