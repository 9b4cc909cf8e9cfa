import type { Fault } from "../schema/fault.ts";
import type { JsonSchema } from "../schema/schemas.ts";
import { allFaults, type FullError } from "./shape.ts";

/** What is wrong with a value; empty when nothing is. */
export type FullCheck = (value: unknown, whole: string) => readonly Fault[];

/** A compiled schema, or why it cannot be compiled. */
export type Compiled = { readonly check: FullCheck } | { readonly faults: readonly Fault[] };

/** Compiles schemas as the host does, and reports every error instead of the first. */
export type Compiler = (schema: JsonSchema) => Compiled;

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Loads Ajv. Each schema is compiled by itself: one that needs another is refused, as it is in a host. */
export async function createCompiler(): Promise<Compiler> {
  const { createAjv } = await import("../schema/ajv.ts");
  const ajv = createAjv({ allErrors: true, verbose: true, logger: false });
  return (schema) => {
    const document = { $schema: DIALECT, ...schema, $id: "schema" };
    if (document.$schema !== DIALECT) {
      return {
        faults: [{ pointer: "/$schema", keyword: "const", sentence: `/$schema must be "${DIALECT}".` }],
      };
    }
    try {
      if (ajv.validateSchema(document) !== true) return { faults: allFaults(errorsOf(ajv), "The schema") };
      const validator = ajv.compile(document);
      const check: FullCheck = (value, whole) =>
        validator(value) ? [] : allFaults(errorsOf(validator), whole);
      return { check };
    } catch (caught) {
      const reason = caught instanceof Error ? caught.message : String(caught);
      const place = /(?:at|from id) "?schema#?([^"\s]*)"?/.exec(reason)?.[1] ?? "";
      const pointer = place.startsWith("/") ? place : "";
      return {
        faults: [{ pointer, keyword: "", sentence: `The schema cannot be used: ${plainReason(reason)}.` }],
      };
    } finally {
      ajv.removeSchema("schema");
    }
  };
}

/** Ajv types the schema around an error too widely for what `verbose` puts there. */
function errorsOf({ errors }: { readonly errors?: readonly unknown[] | null }): readonly FullError[] {
  return (errors ?? []) as readonly FullError[];
}

function plainReason(reason: string): string {
  return reason
    .replace(/^strict mode: /, "")
    .replace(/ at "schema#([^"]*)"( \(strictTypes\))?$/, "$2")
    .replaceAll(" (strictTypes)", "");
}
