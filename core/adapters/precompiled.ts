import { createRequire } from "node:module";
import { join } from "node:path";
import type { BuiltPredicate } from "../guard/predicate.ts";
import type { Screen } from "../guard/screen.ts";
import type { Precompiled, Validator } from "../schema/schemas.ts";

/** Validators that the build made for the schemas in the box; undefined for foreign skills and when run from source. */
export const builtValidators: Precompiled = (skill) =>
  built<Readonly<Record<string, Validator>>>(`${skill}.schemas`);

/** What the build made of the `when` of a rule in the box, `<owner>/<rule>`; undefined when run from source. */
export async function builtPredicate(id: string): Promise<BuiltPredicate | undefined> {
  const [owner = "", name = ""] = id.split("/");
  return (await built<Readonly<Record<string, BuiltPredicate>>>(`${owner}.rules`))?.[name];
}

/** The words that the rules in the box need to speak; undefined when run from source. */
export function builtScreen(): Promise<Screen | undefined> {
  return built<Screen>("screen");
}

/** Required rather than imported: that is several milliseconds faster, and the command line starts often. */
async function built<T>(name: string): Promise<T | undefined> {
  try {
    const path = join(import.meta.dirname, "validators", `${name}.cjs`);
    return (createRequire(path)(path) as { default: T }).default;
  } catch (caught) {
    if ((caught as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return undefined;
    throw caught;
  }
}
