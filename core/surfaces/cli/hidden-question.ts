import { SkillError } from "../../errors/skill-error.ts";
import { HiddenLine } from "./hidden-line.ts";
import { cancelled } from "./stdin.ts";
import { printable } from "./text.ts";
import type { Terminal } from "./verb.ts";

const PASTES_ARE_MARKED = "\u001B[?2004h";
const PASTES_ARE_NOT_MARKED = "\u001B[?2004l";

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
  keyboard.setRawMode(true);
  try {
    terminal.err(`${printable(question)}${marks ? PASTES_ARE_MARKED : ""}`);
    return await lineFrom(keyboard, terminal, maxBytes);
  } finally {
    keyboard.setRawMode(false);
    terminal.err(`${marks ? PASTES_ARE_NOT_MARKED : ""}\n`);
  }
}

async function lineFrom(keyboard: NodeJS.ReadStream, terminal: Terminal, maxBytes: number): Promise<string> {
  const line = new HiddenLine();
  const decoder = new TextDecoder();
  let release = (): void => undefined;
  const typed = new Promise<string>((resolve, reject) => {
    const leave = (): void => reject(cancelled());
    const keys = (chunk: Uint8Array): void => {
      const state = line.take(decoder.decode(chunk, { stream: true }));
      if (Buffer.byteLength(line.text) > maxBytes)
        reject(new SkillError("USAGE", `What was typed is over ${maxBytes} bytes.`));
      else if (state === "done") resolve(line.text);
      else if (state === "cancelled") {
        leave();
        terminal.interrupt?.();
      }
    };
    keyboard.on("data", keys).on("end", leave).on("error", leave).resume();
    terminal.signal.addEventListener("abort", leave);
    release = () => {
      keyboard.off("data", keys).off("end", leave).off("error", leave).pause();
      terminal.signal.removeEventListener("abort", leave);
    };
  });
  try {
    return await typed;
  } finally {
    release();
  }
}
