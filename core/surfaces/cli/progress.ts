import { columnsOf, fitted, printable } from "./text.ts";
import type { Terminal } from "./verb.ts";

/** Shows what is going on to who waits. */
export interface Progress {
  /** The sentence that holds from now on. */
  readonly say: (sentence: string) => void;
  /** Ends it, until something is said again, and leaves no trace on a lively terminal. */
  readonly stop: () => void;
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;
const FRAME_MS = 100;

/**
 * A spinner with the sentence and the elapsed seconds on a lively terminal; elsewhere one line a sentence, the first
 * time it is said. `wanted` is false after --no-progress.
 */
export function startProgress(terminal: Terminal, wanted: boolean): Progress {
  if (!wanted) return { say: silent, stop: silent };
  return terminal.lively && terminal.status ? spinner(terminal, terminal.status) : lines(terminal);
}

function silent(): void {
  // --no-progress
}

function lines(terminal: Terminal): Progress {
  const said = new Set<string>();
  const say = (sentence: string): void => {
    if (said.has(sentence)) return;
    said.add(sentence);
    terminal.err(`${printable(sentence)}\n`);
  };
  return { say, stop: silent };
}

function spinner(terminal: Terminal, status: (line: string) => void): Progress {
  const started = performance.now();
  let sentence = "";
  let frame = 0;
  const draw = (): void => {
    const elapsed = ` (${Math.floor((performance.now() - started) / 1000)} s)`;
    const room = terminal.columns - 3 - columnsOf(elapsed);
    status(`${FRAMES[frame % FRAMES.length]} ${fitted(sentence, room)}${elapsed}`);
    frame += 1;
  };
  let timer: NodeJS.Timeout | undefined;
  return {
    say: (next) => {
      sentence = printable(next).replaceAll(/\s+/g, " ");
      timer ??= setInterval(draw, FRAME_MS).unref();
      draw();
    },
    stop: () => {
      clearInterval(timer);
      timer = undefined;
      status("");
    },
  };
}
