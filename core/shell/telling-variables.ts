import { address } from "./programs/address.ts";
import type { Word } from "./programs/effects.ts";
import { meaningOf } from "./programs/variables.ts";
import type { Reader } from "./reader.ts";
import type { ShellState } from "./shell-state.ts";

/** What it means for the programs that follow when a variable gets a value. */
export function toldBy(name: string, value: Word, reader: Reader, state: ShellState): void {
  const { facts } = reader;
  const { text } = value;
  // Names that stand for other programs from here on.
  if (name === "BASH_ALIASES" || name === "BASH_CMDS") facts.unknown("code");
  const meaning = meaningOf(name, value);
  if (meaning === "program" || meaning === "code") facts.unknown(meaning);
  else if (meaning === "shell" && text === undefined) facts.unknown("code");
  else if (meaning === "shell") reader.deeper(() => reader.text(text ?? "", state.clone()));
  else if (meaning === "address") {
    const url = address(text ?? "");
    if (url === undefined) facts.unknown("address");
    else facts.url(url);
  }
}
