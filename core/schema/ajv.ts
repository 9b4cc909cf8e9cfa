import addFormats from "ajv-formats";
import { Ajv2020, type Options } from "ajv/dist/2020.js";

/** Strict, JSON Schema 2020-12, nothing coerced, no defaults filled in. */
export const AJV_OPTIONS = {
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
  allErrors: false,
  validateFormats: true,
  coerceTypes: false,
  useDefaults: false,
} as const satisfies Options;

/** The one kind of Ajv that every surface, the build and the tests use. */
export function createAjv(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ ...AJV_OPTIONS, ...options });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  // Ajv finds what a name leads to, and does not count it among its keywords.
  ajv.addKeyword({ keyword: "$anchor", schemaType: "string" });
  return ajv;
}
