import { createRequire } from "node:module";
import { join } from "node:path";
import type { Precompiled, Validator } from "../schema/schemas.ts";

/**
 * Validators that the build made for the schemas in the box; undefined for foreign skills and when run from source.
 * Required rather than imported: that is several milliseconds faster, and the command line starts often.
 */
export const builtValidators: Precompiled = async (skill) => {
  try {
    const path = join(import.meta.dirname, "validators", `${skill}.schemas.cjs`);
    const { default: validators } = createRequire(path)(path) as {
      default: Readonly<Record<string, Validator>>;
    };
    return validators;
  } catch (caught) {
    if ((caught as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return undefined;
    throw caught;
  }
};
