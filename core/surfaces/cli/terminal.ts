import { isTerminal, writeStandard } from "../../adapters/standard-streams.ts";
import { interruptSignal } from "./interrupt.ts";
import { once } from "./once.ts";
import type { Terminal } from "./verb.ts";

/** What decides how lively a terminal may be. */
export interface TerminalOptions {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** False after --no-progress. */
  readonly progress: boolean;
}

const WIPE = "\r\u001B[2K";

/** The terminal of this process. Nothing is asked of the system before somebody reads the property. */
export function processTerminal({ variables, progress }: TerminalOptions): Terminal {
  const redraws = once(() => isTerminal(2) && variables["TERM"] !== "dumb");
  let status = "";
  const wipe = (): void => {
    if (status !== "") writeStandard(2, WIPE);
    status = "";
  };
  const signal = once(() => interruptSignal(wipe));
  return {
    out: (text) => {
      wipe();
      writeStandard(1, text);
    },
    err: (text) => {
      wipe();
      writeStandard(2, text);
    },
    status: (line) => {
      if (line === "") return wipe();
      writeStandard(2, `${WIPE}${line}`);
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
      const end = (reason: string): void => {
        process.off("exit", ended);
        process.exitCode = say(reason);
      };
      const ended = (): void => end("the process was ended by what it ran");
      const thrown = (): void => {
        end("something was thrown that nobody caught");
        process.exit();
      };
      process.once("exit", ended).once("uncaughtException", thrown).once("unhandledRejection", thrown);
      return () =>
        void process.off("exit", ended).off("uncaughtException", thrown).off("unhandledRejection", thrown);
    },
    interrupt: () => void process.emit("SIGINT"),
  };
}
