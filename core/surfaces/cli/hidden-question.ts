import { SkillError } from "../../errors/skill-error.ts";
import { HiddenLine } from "./hidden-line.ts";
import { PASTES_ARE_MARKED, PASTES_ARE_NOT_MARKED, typed, type Taken } from "./keyboard.ts";
import { cancelled } from "./stdin.ts";
import { printable } from "./text.ts";
import type { Terminal } from "./verb.ts";

/**
 * Asks for a line on standard error and reads it from a keyboard key by key, showing none. Ctrl-D ends the line as
 * Enter does; Ctrl-C is handed on to the terminal. The keyboard is left as it was found, whatever happens.
 * @throws SkillError `USAGE` when the line has more than `maxBytes`, `CANCELLED`.
 */
export async function askHidden(
  question: string,
  keyboard: NodeJS.ReadStream,
  terminal: Terminal,
  maxBytes: number,
): Promise<string> {
  if (terminal.signal.aborted) throw cancelled();
  const marks = terminal.errorColumns !== undefined;
  const draw = terminal.draw ?? terminal.err;
  const line = new HiddenLine();
  const take = (text: string): Taken<string> => {
    const state = line.take(text);
    if (Buffer.byteLength(line.text) > maxBytes)
      throw new SkillError("USAGE", `What was typed is over ${maxBytes} bytes.`);
    if (state === "done") return { value: line.text };
    return state === "cancelled" ? "cancelled" : undefined;
  };
  try {
    return await typed(keyboard, terminal, take, () =>
      draw(`${printable(question)}${marks ? PASTES_ARE_MARKED : ""}`),
    );
  } finally {
    draw(`${marks ? PASTES_ARE_NOT_MARKED : ""}\n`);
  }
}
