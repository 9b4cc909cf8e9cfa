import { Writable } from "node:stream";
import type * as Prompts from "@clack/prompts";
import type { Choice } from "../../plugin.ts";
import { cancelled } from "./stdin.ts";
import { printable } from "./text.ts";
import type { Terminal } from "./verb.ts";

/**
 * Asks for a line on standard error and reads it from the keyboard without showing it.
 * @throws SkillError `CANCELLED`
 */
export function askHidden(question: string, terminal: Terminal): Promise<string> {
  const message = printable(question).replace(/:?\s*$/, "");
  return answered(terminal, ({ password }, streams) => password({ ...streams, message, mask: "" }));
}

/**
 * Lets one of the options of a question be chosen with the keyboard.
 * @throws SkillError `CANCELLED`
 */
export function askChoice({ text, options }: Choice, terminal: Terminal): Promise<string> {
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
