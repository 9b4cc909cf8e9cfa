import type { Word } from "./programs/effects.ts";

/** What a name stands for. Names that a state does not hold come from the environment. */
export type Variable =
  | { readonly kind: "text"; readonly value: Word; readonly unset?: true }
  /** An array by number; `undefined` when its elements are not known. */
  | { readonly kind: "list"; readonly items: readonly Word[] | undefined };

export const NOT_KNOWN: Word = { text: undefined };

export const UNKNOWN_VARIABLE: Variable = { kind: "text", value: NOT_KNOWN };

/** A name without a value. */
export const UNSET: Variable = { kind: "text", value: { text: "" }, unset: true };

export function textVariable(text: string): Variable {
  return { kind: "text", value: { text } };
}

/** One text after another, as far as they are known. */
export function concatenated(words: readonly Word[]): Word {
  let known = "";
  for (const { text, known: start } of words) {
    known += text ?? start ?? "";
    if (text === undefined) return { text: undefined, known };
  }
  return { text: known };
}
