/** Whether a value fits. */
export type Test = (value: unknown) => boolean;

/** A test, and what it costs beside others: 0 is a comparison, 1 a look at the text, 2 anything that looks at all of it. */
export interface Check {
  readonly test: Test;
  readonly cost: 0 | 1 | 2;
}

/** Schemas below this one, by their pointer from it. */
export type Compile = (schema: unknown, pointer: string) => Check;

export const ALWAYS: Check = { test: () => true, cost: 0 };
export const NEVER: Check = { test: () => false, cost: 0 };

/** All of them, the cheap ones first. */
export function all(checks: readonly Check[]): Check {
  const [first = ALWAYS, second, third, ...more] = checks
    .filter((check) => check !== ALWAYS)
    .sort((a, b) => a.cost - b.cost);
  const cost = Math.max(0, ...checks.map((check) => check.cost)) as Check["cost"];
  const [a, b, c] = [first.test, second?.test, third?.test];
  if (!b) return first;
  if (!c) return { cost, test: (value) => a(value) && b(value) };
  if (more.length === 0) return { cost, test: (value) => a(value) && b(value) && c(value) };
  const rest = all(more).test;
  return { cost, test: (value) => a(value) && b(value) && c(value) && rest(value) };
}

/** Whether a value is an object of JSON. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
