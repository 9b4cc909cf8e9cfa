import { equal } from "./equal.ts";
import { PredicateFault } from "./fault.ts";
import { isObject, type Check, type Test } from "./test.ts";

const TYPES: Readonly<Record<string, Test>> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: isObject,
};

type Make = (given: unknown, at: string) => Check;

/** The keywords of JSON Schema 2020-12 Validation, section 6, that say something of one value alone. */
export const SCALARS: Readonly<Record<string, Make>> = {
  type: (given, at) => {
    const tests = [given].flat().map((name) => {
      const test = typeof name === "string" && Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
      if (!test) throw new PredicateFault(at, `${JSON.stringify(name)} is no type`);
      return test;
    });
    const [only] = tests;
    if (tests.length === 1 && only) return { cost: 0, test: only };
    return { cost: 0, test: (value) => tests.some((test) => test(value)) };
  },
  const: (given) => ({
    cost: 0,
    test: typeof given === "object" ? (value) => equal(value, given) : (value) => value === given,
  }),
  enum: (given, at) => {
    if (!Array.isArray(given) || given.length === 0) throw new PredicateFault(at, "it must list values");
    const values = given as readonly unknown[];
    if (values.every((value) => typeof value !== "object")) {
      const plain = new Set(values);
      return { cost: 0, test: (value) => plain.has(value) };
    }
    return { cost: 2, test: (value) => values.some((one) => equal(value, one)) };
  },
  pattern: (given, at) => {
    if (typeof given !== "string") throw new PredicateFault(at, "it must be a text");
    let pattern: RegExp;
    try {
      pattern = new RegExp(given, "u");
    } catch (cause) {
      throw new PredicateFault(at, `it is no regular expression: ${(cause as Error).message}`);
    }
    return { cost: 2, test: (value) => typeof value !== "string" || pattern.test(value) };
  },
  minLength: bound((value, limit) => typeof value !== "string" || characters(value) >= limit, 1),
  maxLength: bound((value, limit) => typeof value !== "string" || characters(value) <= limit, 1),
  minItems: bound((value, limit) => !Array.isArray(value) || value.length >= limit),
  maxItems: bound((value, limit) => !Array.isArray(value) || value.length <= limit),
  minProperties: bound((value, limit) => !isObject(value) || Object.keys(value).length >= limit, 1),
  maxProperties: bound((value, limit) => !isObject(value) || Object.keys(value).length <= limit, 1),
  minimum: bound((value, limit) => typeof value !== "number" || value >= limit),
  maximum: bound((value, limit) => typeof value !== "number" || value <= limit),
  exclusiveMinimum: bound((value, limit) => typeof value !== "number" || value > limit),
  exclusiveMaximum: bound((value, limit) => typeof value !== "number" || value < limit),
};

function bound(holds: (value: unknown, limit: number) => boolean, cost: Check["cost"] = 0): Make {
  return (limit, at) => {
    if (typeof limit !== "number") throw new PredicateFault(at, "it must be a number");
    return { cost, test: (value) => holds(value, limit) };
  };
}

/** Length is counted in code points (section 6.3). */
function characters(text: string): number {
  let count = text.length;
  for (let index = 0; index + 1 < text.length; index += 1) {
    const [high, low] = [text.charCodeAt(index), text.charCodeAt(index + 1)];
    if (high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000) {
      count -= 1;
      index += 1;
    }
  }
  return count;
}
