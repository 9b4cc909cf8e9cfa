import { SkillError } from "../../errors/skill-error.ts";
import { PASTES_ARE_MARKED, PASTES_ARE_NOT_MARKED, typed, type Taken } from "./keyboard.ts";
import { cancelled } from "./stdin.ts";
import { printable } from "./text.ts";
import type { Terminal } from "./verb.ts";

/** What a key did to a line: `more` is waited for, the line is `done`, or who types wants to leave. */
type Typed = "more" | "done" | "cancelled";

const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const CTRL_U = "\u0015";
const ESCAPE = "\u001B";
const PASTE_BEGINS = `${ESCAPE}[200~`;
const PASTE_ENDS = `${ESCAPE}[201~`;
/** Escape and one character; a control sequence, ECMA-48 section 5.4; or SS3 and one character. */
const SEQUENCE = /^\u001B(?:[^[O]|\[[\u0020-\u003F]*[\u0040-\u007E]|O.)$/su;
/** No key sends a longer sequence. */
const MAX_SEQUENCE = 32;

/** A line as keys make it on a terminal in raw mode, where nothing is shown. */
export class HiddenLine {
  #text = "";
  #sequence = "";
  #pasting = false;

  get text(): string {
    return this.#text;
  }

  /** Takes keys as they come; after `done` or `cancelled` no more. */
  take(keys: string): Typed {
    for (const key of keys) {
      const typed = this.#sequence === "" ? this.#key(key) : this.#more(key);
      if (typed !== "more") return typed;
    }
    return "more";
  }

  #key(key: string): Typed {
    if (key === ESCAPE) this.#sequence = key;
    else if (this.#pasting) this.#paste(key);
    else if (key === "\r" || key === "\n" || key === CTRL_D) return "done";
    else if (key === CTRL_C) return "cancelled";
    else if (key === "\u007F" || key === "\b") this.#text = this.#text.replace(/.$/su, "");
    else if (key === CTRL_U) this.#text = "";
    else if (key >= " ") this.#text += key;
    return "more";
  }

  /** What is pasted ends no line: the rest of it would be read by the shell afterwards. */
  #paste(key: string): void {
    if (key === "\r" || key === "\n") this.#text += "\n";
    else if ((key >= " " && key !== "\u007F") || key === "\t") this.#text += key;
  }

  #more(key: string): Typed {
    if (key < " ") {
      // The escape key itself, and then another one.
      this.#sequence = "";
      return this.#key(key);
    }
    this.#sequence += key;
    if (this.#sequence === PASTE_BEGINS) this.#pasting = true;
    if (this.#sequence === PASTE_ENDS) this.#pasting = false;
    if (SEQUENCE.test(this.#sequence) || this.#sequence.length > MAX_SEQUENCE) this.#sequence = "";
    return "more";
  }
}

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
