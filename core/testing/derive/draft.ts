import { isObject } from "../../schema/predicate.ts";
import { pointerOf } from "../../schema/fault.ts";

/** A JSON object that is read here, never changed. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The pointer to the place that holds the place; "" stays "". */
export function parentOf(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf("/")));
}

/** Length as JSON Schema counts it: code points. */
export function lengthOf(text: string): number {
  return [...text].length;
}

/** One text for equal JSON values. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}

export function without(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

/** A value somebody thinks is right or wrong, before it is confirmed. */
export interface Draft {
  readonly value: unknown;
  readonly keyword: string;
  /** Where the keyword is applied; "" is the whole value. */
  readonly at: string;
  /** Where the fault of the harness points: at the missing or superfluous property itself. */
  readonly pointer: string;
  /** What was done, e.g. `one character too many`. Drafts of one place, keyword and note are tried in turn. */
  readonly note: string;
  /** It is right or wrong depending on what else the schema says: when it is not confirmed, nothing is missing. */
  readonly mayFail?: boolean;
}

/** A place in a schema for which nothing could be made, and why. */
export interface Gap {
  readonly keyword: string;
  readonly at: string;
  readonly note: string;
}

/** A draft about a part as a draft about the value that holds it. */
export function lifted(draft: Draft, key: string | number, hold: (part: unknown) => unknown): Draft {
  const place = pointerOf(key);
  return { ...draft, value: hold(draft.value), at: place + draft.at, pointer: place + draft.pointer };
}

export function draft(keyword: string, value: unknown, note: string, pointer = ""): Draft {
  return { keyword, value, note, at: "", pointer };
}

/** A draft that other keywords of the schema may rightly overrule. */
export function perhaps(made: Draft): Draft {
  return { ...made, mayFail: true };
}
