import type { Choice, Person } from "../../plugin.ts";
import { isTerminal } from "../../adapters/standard-streams.ts";
import type { StandardInput } from "./stdin.ts";
import type { Terminal } from "./verb.ts";

/** The most that a person answers, in bytes. */
const MAX_BYTES = 64 * 1024;

/**
 * Who sits at a terminal. `quiet` ends what is drawn meanwhile. Choices are offered where keys can be read and a list be
 * drawn again: not under CI or --no-progress, where nobody may be there.
 */
export function personAt(terminal: Terminal, input: StandardInput, quiet: () => void): Person {
  return {
    get columns() {
      return terminal.errorColumns;
    },
    get seesResult() {
      return terminal.showsOut === true;
    },
    secret: async (question) => {
      input.checkFree();
      quiet();
      return process.stdin.isTTY
        ? (await import("./asking.ts")).askHidden(question, terminal)
        : input.all(MAX_BYTES, terminal.signal);
    },
    ...(terminal.lively &&
      isTerminal(0) && {
        choose: async (question: Choice) => {
          quiet();
          return (await import("./asking.ts")).askChoice(question, terminal);
        },
      }),
  };
}
