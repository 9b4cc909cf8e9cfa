import type { Choice, ChoiceOption } from "../../plugin.ts";
import { ChoiceList } from "./choice-list.ts";
import { PASTES_ARE_MARKED, PASTES_ARE_NOT_MARKED, typed, type Taken } from "./keyboard.ts";
import { cancelled } from "./stdin.ts";
import { fitted, printable, wrapped } from "./text.ts";
import type { Terminal } from "./verb.ts";

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
