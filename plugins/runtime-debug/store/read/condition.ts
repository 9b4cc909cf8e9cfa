import type { LogEvent } from "../log/log-lines.ts";

/** A condition on a value of an event, such as `total>100`. */
export interface Condition {
  readonly name: string;
  readonly operator: string;
  readonly wanted: string;
}

const CONDITION = /^([^=!<>]+)(!=|[<>]=?|=)([^]*)$/;
/** Of an order, negative, 0 or positive. */
const HOLDS: Readonly<Record<string, (order: number) => boolean>> = {
  "=": (order) => order === 0,
  "!=": (order) => order !== 0,
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};

/** @param text in the form of the schema `log-query` */
export function conditionIn(text: string): Condition {
  const [, name = "", operator = "", wanted = ""] = CONDITION.exec(text) ?? [];
  return { name: name.trim(), operator, wanted: wanted.trim() };
}

/** For an event without that value every condition is false, including `!=`. */
export function holds({ name, operator, wanted }: Condition, event: LogEvent): boolean {
  const reported = valueAt(event["data"], name);
  const value = reported === undefined ? valueAt(event, name) : reported;
  if (value === undefined) return false;
  const order = orderOf(value, wanted);
  return order === undefined ? operator === "!=" : (HOLDS[operator]?.(order) ?? false);
}

/** The value of a name; dots lead into nested values where no name has them. */
function valueAt(within: unknown, name: string): unknown {
  if (typeof within !== "object" || within === null) return undefined;
  if (Object.hasOwn(within, name)) return (within as Record<string, unknown>)[name];
  for (let dot = name.lastIndexOf("."); dot > 0; dot = name.lastIndexOf(".", dot - 1)) {
    const found = valueAt(valueAt(within, name.slice(0, dot)), name.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Compares a value with the expected one: numbers as numbers, texts as texts; `undefined` if they have no order. */
function orderOf(value: unknown, wanted: string): number | undefined {
  if (value === wanted || JSON.stringify(value) === wanted) return 0;
  const [is, than] = [numberIn(value), numberIn(wanted)];
  if (is !== undefined && than !== undefined) return is - than;
  return typeof value === "string" && than === undefined ? (value < wanted ? -1 : 1) : undefined;
}

/** A number, also in the form of a text. */
function numberIn(value: unknown): number | undefined {
  const isNumber = typeof value === "number" || (typeof value === "string" && value.trim() !== "");
  return isNumber && !Number.isNaN(Number(value)) ? Number(value) : undefined;
}
