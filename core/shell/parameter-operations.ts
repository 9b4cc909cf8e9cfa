import type { ParameterExpansionPart, ParameterOperation, Word as WordNode } from "unbash";
import type { Expansion, Operand } from "./expansion.ts";
import { Pattern } from "./pattern.ts";
import type { Word } from "./programs/effects.ts";
import { reckoned } from "./reckoned.ts";
import type { Reader } from "./reader.ts";
import type { ShellState } from "./shell-state.ts";
import { NOT_KNOWN, UNKNOWN_VARIABLE } from "./variable.ts";
import { onePattern, oneText } from "./word-fields.ts";

const LONGEST = 2000;

interface Around {
  readonly reader: Reader;
  readonly state: ShellState;
  readonly operand: Operand;
}

/** `${name:-word}` and its kin (Bash manual 3.5.3), where the value is known; their words are read in any case. */
export function operated(base: Expansion, part: ParameterExpansionPart, around: Around): Expansion {
  const { operation } = part;
  if (!operation) return base;
  if (operation.type === "Default") return defaulted(base, part.parameter, operation, around);
  const changed = change(operation, around);
  if (!("items" in base)) {
    const { text } = base.value;
    return { value: { text: text === undefined || text.length > LONGEST ? undefined : changed(text) } };
  }
  if (operation.type === "Slice") return { items: sliced(base.items, operation, around) };
  return {
    items: base.items?.map(({ text }) => ({
      text: text === undefined || text.length > LONGEST ? undefined : changed(text),
    })),
  };
}

function defaulted(
  base: Expansion,
  name: string,
  { operator, operand: word }: Extract<ParameterOperation, { type: "Default" }>,
  { reader, state, operand }: Around,
): Expansion {
  const value =
    "value" in base ? base.value : { text: base.items?.map(({ text }) => text ?? "\0").join(" ") };
  const other = oneText(operand(word));
  const { text } = value;
  const assigns = operator.endsWith("=");
  if (text === undefined || text.includes("\0")) {
    if (assigns) state.variables.set(name, UNKNOWN_VARIABLE);
    return operator.endsWith("+")
      ? { value: NOT_KNOWN }
      : "value" in base
        ? { value: NOT_KNOWN }
        : { items: undefined };
  }
  // A name that is set and empty counts as unset only with the colon.
  const held = state.variables.get(name);
  const missing = held === undefined || (held.kind === "text" && held.unset);
  const unset = text === "" && (operator.startsWith(":") || missing);
  if (operator.endsWith("+")) return { value: unset ? { text: "" } : other };
  if (!unset) return base;
  if (assigns) {
    state.variables.set(name, { kind: "text", value: other });
    reader.facts.set(name, other);
  }
  return { value: other };
}

function change(operation: ParameterOperation, around: Around): (text: string) => string | undefined {
  const pattern = (word: WordNode | undefined) => {
    const source = word && onePattern(around.operand(word));
    return source === undefined ? undefined : new Pattern(source);
  };
  switch (operation.type) {
    case "Remove": {
      const cut = pattern(operation.operand);
      return (text) => cut && removed(text, cut, operation.operator);
    }
    case "Replace": {
      const wanted = pattern(operation.pattern);
      const { text: other } = oneText(around.operand(operation.replacement));
      return (text) =>
        wanted && other !== undefined && !/[&\\]/.test(other)
          ? replaced(text, wanted, other, operation.operator)
          : undefined;
    }
    case "Slice": {
      const [from, length] = bounds(operation, around);
      return (text) => {
        if (from === undefined || Number.isNaN(length)) return undefined;
        return cutOut([...text], from, length)?.join("");
      };
    }
    case "CaseModification": {
      if (operation.operand && oneText(around.operand(operation.operand)).text !== "") return () => undefined;
      const upper = operation.operator.startsWith("^");
      const turn = (text: string) => (upper ? text.toUpperCase() : text.toLowerCase());
      return (text) =>
        operation.operator.length === 2 ? turn(text) : turn(text.slice(0, 1)) + text.slice(1);
    }
    case "Transform": {
      // `@P` runs the commands in a prompt.
      around.operand(operation.operand);
      if (/[PEA]/.test(operation.operand.text)) around.reader.facts.unknown("code");
      return () => undefined;
    }
    case "Names":
      return () => undefined;
    default:
      around.reader.facts.unknown("syntax");
      return () => undefined;
  }
}

function removed(text: string, pattern: Pattern, operator: "#" | "##" | "%" | "%%"): string {
  const prefix = operator.startsWith("#");
  const longest = operator.length === 2;
  for (let step = 0; step <= text.length; step++) {
    const length = longest ? text.length - step : step;
    const part = prefix ? text.slice(0, length) : text.slice(text.length - length);
    if (pattern.fits(part)) return prefix ? text.slice(length) : text.slice(0, text.length - length);
  }
  return text;
}

function replaced(
  text: string,
  pattern: Pattern,
  other: string,
  operator: "/" | "//" | "/#" | "/%",
): string | undefined {
  if (text.length > 200) return undefined;
  let result = "";
  for (let at = 0; at <= text.length;) {
    const end = longestMatch(text, at, pattern, operator);
    if (end === undefined) {
      result += text[at] ?? "";
      at += 1;
      if (operator === "/#") return text;
      continue;
    }
    result += other;
    if (operator !== "//") return result + text.slice(end);
    at = end;
  }
  return result;
}

function longestMatch(text: string, at: number, pattern: Pattern, operator: string): number | undefined {
  for (let end = text.length; end > at; end--) {
    if (operator === "/%" && end !== text.length) return undefined;
    if (pattern.fits(text.slice(at, end))) return end;
  }
  return undefined;
}

function bounds(
  { offset, length }: Extract<ParameterOperation, { type: "Slice" }>,
  { operand, reader, state }: Around,
): readonly [number | undefined, number | undefined] {
  const number = (word: WordNode) => {
    const spoken = oneText(operand(word));
    reckoned(spoken, reader, state);
    const text = spoken.text?.trim();
    return text !== undefined && /^-?\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  };
  const from = number(offset);
  return [Number.isNaN(from) ? undefined : from, length && number(length)];
}

function sliced(
  items: readonly Word[] | undefined,
  operation: Extract<ParameterOperation, { type: "Slice" }>,
  around: Around,
): readonly Word[] | undefined {
  const [from, length] = bounds(operation, around);
  if (!items || from === undefined || from < 1 || Number.isNaN(length) || (length ?? 0) < 0) return undefined;
  // The first parameter has the number 1; of an array, what is left is not told apart and not known.
  return around.state.positional === items ? cutOut(items, from - 1, length) : undefined;
}

function cutOut<T>(items: readonly T[], from: number, length: number | undefined): readonly T[] | undefined {
  const start = from < 0 ? items.length + from : from;
  if (start < 0) return [];
  if (length === undefined) return items.slice(start);
  const end = length < 0 ? items.length + length : start + length;
  return end < start ? undefined : items.slice(start, end);
}
