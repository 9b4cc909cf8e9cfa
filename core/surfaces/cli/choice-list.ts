import type { ChoiceOption, Choice } from "../../plugin.ts";
import { PASTES_ARE_MARKED, PASTES_ARE_NOT_MARKED, typed, type Taken } from "./keyboard.ts";
import { cancelled } from "./stdin.ts";
import { fitted, printable, wrapped } from "./text.ts";
import type { Terminal } from "./verb.ts";

const ESCAPE = "\u001B";
const PASTE_BEGINS = `${ESCAPE}[200~`;
const PASTE_ENDS = `${ESCAPE}[201~`;
/** Escape and one character; a control sequence, ECMA-48 section 5.4; or SS3 and one character; or a single key. */
const KEY = /\u001B(?:\[[\u0020-\u003F]*[\u0040-\u007E]|O[^\u001B]|[^[O\u001B])|[^\u001B]/gu;
/** No key sends a longer sequence. */
const MAX_SEQUENCE = 32;

/** The options of a question, and which is marked, as keys change it. */
export class ChoiceList {
  readonly #options: readonly ChoiceOption[];
  #marked = 0;
  #rest = "";
  #isPasting = false;

  constructor(options: readonly ChoiceOption[]) {
    this.#options = options;
  }

  /** Its place in the list, from 0. */
  get marked(): number {
    return this.#marked;
  }

  /** The value of the marked option. */
  get value(): string {
    return this.#options[this.#marked]?.value ?? "";
  }

  /**
   * Takes keys as they come: arrows and Tab move the mark, the value or number of an option marks it, Enter takes what is
   * marked. What is pasted does nothing.
   */
  take(text: string): "more" | "done" | "cancelled" {
    const keys = this.#rest + text;
    let end = 0;
    for (const { 0: key, index } of keys.matchAll(KEY)) {
      end = index + key.length;
      if (key === PASTE_BEGINS) this.#isPasting = true;
      else if (key === PASTE_ENDS) this.#isPasting = false;
      else if (this.#isPasting) continue;
      else if (key === "\r" || key === "\n") return "done";
      else if (key === "\u0003" || key === "\u0004") return "cancelled";
      else this.#move(key);
    }
    const rest = keys.slice(end);
    this.#rest = rest.length > MAX_SEQUENCE ? "" : rest;
    return "more";
  }

  #move(key: string): void {
    const count = this.#options.length;
    if (/^\u001B(?:\[|O)A$/.test(key) || key === `${ESCAPE}[Z`)
      this.#marked = (this.#marked + count - 1) % count;
    else if (/^\u001B(?:\[|O)B$/.test(key) || key === "\t") this.#marked = (this.#marked + 1) % count;
    else {
      const named = this.#options.findIndex(({ value }) => value.toLowerCase() === key.toLowerCase());
      const numbered = /^[1-9]$/.test(key) && Number(key) <= count ? Number(key) - 1 : -1;
      if (named >= 0) this.#marked = named;
      else if (numbered >= 0) this.#marked = numbered;
    }
  }
}

const HOW = "Arrow keys or a letter choose, Enter takes it.";

/**
 * Shows a question with its options on standard error, each in one row, and lets one be chosen with the keyboard. The
 * keyboard is left as it was found, whatever happens.
 * @throws SkillError `CANCELLED`
 */
export async function askChoice(
  { text, options }: Choice,
  keyboard: NodeJS.ReadStream,
  terminal: Terminal,
): Promise<string> {
  if (terminal.signal.aborted || options.length === 0) throw cancelled();
  const columns = terminal.errorColumns ?? 80;
  const list = new ChoiceList(options);
  const how = fitted(HOW, columns - 1);
  const draw = terminal.draw ?? terminal.err;
  const rows = (): string =>
    options.map((option, index) => `${rowOf(option, index === list.marked, columns)}\n`).join("");
  const begin = (): void => draw(`${wrapped(printable(text), columns)}\n${rows()}${how}${PASTES_ARE_MARKED}`);
  const take = (keys: string): Taken<string> => {
    const state = list.take(keys);
    // From the line that says how, back to the first option, and all of it anew.
    draw(`\r\u001B[${options.length}A\u001B[J${rows()}${how}`);
    if (state === "done") return { value: list.value };
    return state === "cancelled" ? "cancelled" : undefined;
  };
  try {
    return await typed(keyboard, terminal, take, begin);
  } finally {
    draw(`\r\u001B[2K${PASTES_ARE_NOT_MARKED}`);
  }
}

/** Exactly one row, whatever the label holds. */
function rowOf({ value, label }: ChoiceOption, isMarked: boolean, columns: number): string {
  const text = printable(`${value}) ${label}`).replaceAll(/\s+/g, " ");
  return fitted(`${isMarked ? ">" : " "} ${text}`, columns - 1);
}
