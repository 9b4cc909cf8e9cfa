import { Writable } from "node:stream";
import type * as Prompts from "@clack/prompts";
import type { Choice, Person } from "../../plugin.ts";
import { isTerminal } from "../../adapters/standard-streams.ts";
import { cancelled, type StandardInput } from "./stdin.ts";
import { printable } from "./text.ts";
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
      return process.stdin.isTTY ? askHidden(question, terminal) : input.all(MAX_BYTES, terminal.signal);
    },
    ...(terminal.lively &&
      isTerminal(0) && {
        choose: async (question: Choice) => {
          quiet();
          return askChoice(question, terminal);
        },
      }),
  };
}

/**
 * Asks for a line on standard error and reads it from the keyboard without showing it.
 * @throws SkillError `CANCELLED`
 */
function askHidden(question: string, terminal: Terminal): Promise<string> {
  const message = printable(question).replace(/:?\s*$/, "");
  return answered(terminal, ({ password }, streams) => password({ ...streams, message, mask: "" }));
}

/**
 * Lets one of the options of a question be chosen with the keyboard.
 * @throws SkillError `CANCELLED`
 */
function askChoice({ text, options }: Choice, terminal: Terminal): Promise<string> {
  const shown = options.map(({ value, label }) => ({
    value,
    label: printable(`${value}) ${label}`).replaceAll(/\s+/g, " "),
  }));
  return answered(terminal, ({ select }, streams) =>
    select({ ...streams, message: printable(text), options: shown }),
  );
}

/** The keyboard is left as it was found, whatever happens; Ctrl-C and Escape are handed on to the terminal. */
async function answered(
  terminal: Terminal,
  ask: (
    prompts: Pick<typeof Prompts, "password" | "select">,
    streams: { readonly input: NodeJS.ReadStream; readonly output: Writable; readonly signal: AbortSignal },
  ) => Promise<string | symbol>,
): Promise<string> {
  const { signal, draw = terminal.err, errorColumns: columns = 80 } = terminal;
  if (signal.aborted) throw cancelled();
  const screen = new Writable({
    write: (chunk: Uint8Array, _, done) => {
      draw(Buffer.from(chunk).toString("utf8"));
      done();
    },
  });
  const output = Object.assign(screen, { columns, rows: process.stderr.rows || 24, isTTY: true });
  const answer = await ask(await import("@clack/prompts"), { input: process.stdin, output, signal });
  if (typeof answer === "string") return answer;
  if (!signal.aborted) terminal.interrupt?.();
  throw cancelled();
}
