import { Validator } from "@cfworker/json-schema";
import type { JsonSchema } from "../../schema/schemas.ts";

/** What the second validator complains of, and where. */
export interface Complaint {
  readonly keyword: string;
  /** JSON pointer to the value that the keyword was applied to. */
  readonly at: string;
}

/** Keywords that only pass on what a schema below them found. */
const PASSING_ON = new Set("$ref allOf properties items prefixItems patternProperties if false".split(" "));

/**
 * A validator that shares no code with the one of the host. Every derived value is shown to it first, so that a mistake of
 * the derivation cannot become a false test.
 */
export class SecondOpinion {
  readonly #validator: Validator;

  constructor(schema: JsonSchema) {
    // It leaves marks in what it is given, and would look for what an id leads to.
    const { $id: _, ...copy } = structuredClone(schema) as Record<string, unknown>;
    this.#validator = new Validator(copy, "2020-12", false);
  }

  /** Everything that is wrong with a value. Empty when it fits. */
  complaints(value: unknown): readonly Complaint[] {
    const all = this.#validator.validate(value).errors.map(({ keyword, instanceLocation }) => ({
      keyword,
      at: decodeURIComponent(instanceLocation.slice(1)),
    }));
    const closed = new Set(all.filter(({ keyword }) => keyword === "false").map(({ at }) => parentOf(at)));
    // A schema for further properties passes on what it found; where it is `false` it refuses by itself.
    return all.filter(({ keyword, at }) =>
      keyword === "additionalProperties" ? closed.has(at) : !PASSING_ON.has(keyword),
    );
  }

  accepts(value: unknown): boolean {
    return this.#validator.validate(value).valid;
  }
}

/** The pointer to the place that holds the place; "" stays "". */
export function parentOf(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf("/")));
}
