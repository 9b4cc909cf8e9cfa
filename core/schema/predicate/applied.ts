import { PredicateFault, step } from "./fault.ts";
import { ALWAYS, NEVER, all, isObject, type Check, type Compile, type Test } from "./test.ts";

type Schema = Readonly<Record<string, unknown>>;
type Make = (given: unknown, at: string, compile: Compile, schema: Schema) => Check;

interface Member {
  readonly key: string;
  /** Every object inherits something of this name. */
  readonly inherited: boolean;
  readonly required: boolean;
  readonly test: Test;
}

/** The keywords that apply schemas to parts of a value or to all of it (JSON Schema 2020-12 Core, section 10). */
export const APPLIED: Readonly<Record<string, Make>> = {
  properties: (given, at, compile, schema) => {
    if (!isObject(given)) throw new PredicateFault(at, "it must be an object");
    const required = new Set(Array.isArray(schema["required"]) ? (schema["required"] as unknown[]) : []);
    const members = Object.entries(given)
      .map(([key, part]) => ({
        key,
        inherited: key in Object.prototype,
        required: required.has(key),
        ...compile(part, at + step(key)),
      }))
      .sort((a, b) => a.cost - b.cost);
    return {
      cost: Math.max(1, ...members.map(({ cost }) => cost)) as Check["cost"],
      test: ofMembers(members, schema["type"] === "object"),
    };
  },
  required: (given, at, _compile, { properties }) => {
    if (!Array.isArray(given) || given.some((key) => typeof key !== "string"))
      throw new PredicateFault(at, "it must list names");
    // Those that `properties` names too are looked for there.
    const keys = (given as readonly string[]).filter(
      (key) => !isObject(properties) || !Object.hasOwn(properties, key),
    );
    if (keys.length === 0) return ALWAYS;
    return { cost: 0, test: (value) => !isObject(value) || keys.every((key) => has(value, key)) };
  },
  additionalProperties: (given, at, compile, { properties }) => {
    const known = new Set(isObject(properties) ? Object.keys(properties) : []);
    const { test } = compile(given, at);
    const fits = (value: Schema): boolean =>
      Object.keys(value).every((key) => known.has(key) || value[key] === undefined || test(value[key]));
    return { cost: 2, test: (value) => !isObject(value) || fits(value) };
  },
  items: (given, at, compile) => {
    const { test } = compile(given, at);
    return { cost: 2, test: (value) => !Array.isArray(value) || value.every(test) };
  },
  contains: (given, at, compile) => {
    const { test } = compile(given, at);
    return { cost: 2, test: (value) => !Array.isArray(value) || value.some(test) };
  },
  not: (given, at, compile) => {
    const { test, cost } = compile(given, at);
    return { cost, test: (value) => !test(value) };
  },
  allOf: (given, at, compile) => all(parts(given, at, compile)),
  anyOf: (given, at, compile) => {
    const checks = [...parts(given, at, compile)].sort((a, b) => a.cost - b.cost);
    const tests = checks.map(({ test }) => test);
    return { cost: checks.at(-1)?.cost ?? 0, test: (value) => tests.some((test) => test(value)) };
  },
};

/** A schema that is `true` or `false`. */
export function ofBoolean(given: boolean): Check {
  return given ? ALWAYS : NEVER;
}

function parts(given: unknown, at: string, compile: Compile): readonly Check[] {
  if (!Array.isArray(given) || given.length === 0) throw new PredicateFault(at, "it must list schemas");
  return given.map((part, index) => compile(part, at + step(index)));
}

/**
 * `undefined` counts as missing: JSON has none, and subjects that are made in code have. `only`: what is no object is
 * refused, since the schema says so beside.
 */
function ofMembers(members: readonly Member[], only: boolean): Test {
  const [first, second, ...more] = members;
  if (!first) return (value) => !only || isObject(value);
  if (!second) return (value) => (isObject(value) ? fits(value, first) : !only);
  if (more.length === 0)
    return (value) => (isObject(value) ? fits(value, first) && fits(value, second) : !only);
  return (value) => (isObject(value) ? members.every((member) => fits(value, member)) : !only);
}

function fits(value: Schema, { key, inherited, required, test }: Member): boolean {
  const member = inherited && !Object.hasOwn(value, key) ? undefined : value[key];
  return member === undefined ? !required : test(member);
}

/** What every object inherits is no property of it. */
function has(value: Schema, key: string): boolean {
  return value[key] !== undefined && (!(key in Object.prototype) || Object.hasOwn(value, key));
}
