import { createRequire } from "node:module";
import { join } from "node:path";
import type { BuiltPredicate } from "../guard/predicate.ts";
import type { Screen } from "../guard/screen.ts";
import type { Precompiled, Validator } from "../schema/schemas.ts";

/** Prebuilt validators for the schemas of this package; undefined for third-party skills and if run from source. */
export const builtValidators: Precompiled = (skill) =>
  built<Readonly<Record<string, Validator>>>(`${skill}.schemas`);

/** The prebuilt `when` of a built-in rule, `<owner>/<rule>`; undefined if run from source. */
export function builtPredicate(id: string): Promise<BuiltPredicate | undefined> {
  return built(`${id.replace("/", ".")}.rule`);
}

/** The words that requests must contain for built-in rules to match; undefined if run from source. */
export function builtScreen(): Promise<Screen | undefined> {
  return built<Screen>("screen");
}

/** Required, not imported: that saves several milliseconds at each start. */
async function built<T>(name: string): Promise<T | undefined> {
  try {
    const path = join(import.meta.dirname, "validators", `${name}.cjs`);
    return (createRequire(path)(path) as { default: T }).default;
  } catch (caught) {
    if ((caught as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return undefined;
    throw caught;
  }
}
