import type { Assignment } from "unbash";
import type { Word } from "./programs/effects.ts";
import { parameter } from "./parameters.ts";
import { holdsIndexedCode, reckoned, reckonedIndex } from "./reckoned.ts";
import type { Reader } from "./reader.ts";
import type { ShellState } from "./shell-state.ts";
import { toldBy } from "./telling-variables.ts";
import { concatenated, NOT_KNOWN, type Variable } from "./variable.ts";
import { textOf, wordsOf } from "./words.ts";

/** The shell reckons with what they are given. */
const RECKONED = /^(?:RANDOM|SECONDS|LINENO|HISTCMD|OPTIND|BASHPID|E?UID|PPID|SRANDOM)$/;

/** What `name=value` gives to the name. */
export function valueOf(node: Assignment, reader: Reader, state: ShellState): Variable {
  const { name, value, append, index } = node;
  if (index) reckoned(textOf(index, reader, state), reader, state);
  if (value.type === "ArrayValue") {
    const items = value.elements.flatMap((element) => wordsOf(element, reader, state));
    for (const element of value.elements) {
      const text = textOf(element, reader, state);
      state.indexedCode ||= holdsIndexedCode(text);
      if (element.text.startsWith("[")) reckonedIndex(text, reader, state);
    }
    const numbered = value.elements.some(({ text }) => text.startsWith("["));
    const plain: readonly Word[] = items.map(({ text, known = "" }) =>
      text === undefined ? { text, known } : { text },
    );
    const before = state.variables.get(name);
    if (numbered || items.some(({ text }) => text === undefined)) return { kind: "list", items: undefined };
    if (!append) return { kind: "list", items: plain };
    return {
      kind: "list",
      items: before?.kind === "list" && before.items ? [...before.items, ...plain] : undefined,
    };
  }
  const text = textOf(value, reader, state);
  state.indexedCode ||= holdsIndexedCode(text);
  if (index) return { kind: "list", items: undefined };
  if (!append) return { kind: "text", value: text };
  if (state.variables.get(name)?.kind === "list") return { kind: "list", items: undefined };
  const before = parameter(name, reader, state);
  return { kind: "text", value: concatenated(["value" in before ? before.value : NOT_KNOWN, text]) };
}

/** Gives the value, and tells what comes of it. `lasting`: also for the commands that follow. */
export function assign(
  name: string,
  variable: Variable,
  reader: Reader,
  state: ShellState,
  lasting: boolean,
): void {
  state.variables.set(name, variable);
  if (variable.kind === "text") {
    state.indexedCode ||= holdsIndexedCode(variable.value);
    if (RECKONED.test(name)) reckoned(variable.value, reader, state);
  }
  const value = variable.kind === "text" ? variable.value : NOT_KNOWN;
  reader.facts.set(name, value);
  toldBy(name, value, reader, state);
  if (name === "IFS" && lasting && value.text !== " \t\n") state.oddWords = true;
}
