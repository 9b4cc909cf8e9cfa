import { Validator } from "@cfworker/json-schema";
import type { JsonSchema } from "../../schema/schemas.ts";

/** A fault that the second validator reports. */
export interface Complaint {
  readonly keyword: string;
  /** JSON pointer to the value that the keyword was applied to. */
  readonly at: string;
}

/** Keywords that only repeat the faults of inner schemas. */
const PASSING_ON = new Set("$ref allOf properties items prefixItems patternProperties if false".split(" "));

/**
 * A validator that shares no code with that of the host. It confirms every derived value first, so that a mistake in the
 * derivation cannot become a false test.
 */
export class SecondOpinion {
  readonly #validator: Validator;

  constructor(schema: JsonSchema) {
    // The library changes its input, and would resolve an id.
    const { $id: _, ...copy } = structuredClone(schema) as Record<string, unknown>;
    this.#validator = new Validator(copy, "2020-12", false);
  }

  /** All faults of a value. Empty if it fits. */
  complaints(value: unknown): readonly Complaint[] {
    const all = this.#validator.validate(value).errors.map(({ keyword, instanceLocation }) => ({
      keyword,
      at: decodeURIComponent(instanceLocation.slice(1)),
    }));
    const closed = new Set(all.filter(({ keyword }) => keyword === "false").map(({ at }) => parentOf(at)));
    // A schema for further properties repeats inner faults; `false` refuses by itself.
    return all.filter(({ keyword, at }) =>
      keyword === "additionalProperties" ? closed.has(at) : !PASSING_ON.has(keyword),
    );
  }

  accepts(value: unknown): boolean {
    return this.#validator.validate(value).valid;
  }
}

/** The pointer to the parent of a place; "" for "". */
export function parentOf(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf("/")));
}
