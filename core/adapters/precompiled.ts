import type { Precompiled, Validator } from "../schema/schemas.ts";

/** Validators that the build made for the schemas in the box; undefined for foreign skills and when run from source. */
export const builtValidators: Precompiled = async (skill) => {
  try {
    const module = new URL(`./validators/${skill}.js`, import.meta.url).href;
    const { default: validators } = (await import(module)) as {
      default: Readonly<Record<string, Validator>>;
    };
    return validators;
  } catch (caught) {
    if ((caught as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND") return undefined;
    throw caught;
  }
};
