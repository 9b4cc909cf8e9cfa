import { isObject } from "../../schema/predicate.ts";
import { Validator } from "@cfworker/json-schema";
import { parentOf, type JsonObject } from "./draft.ts";

/** What the second validator complains of, and where. */
export interface Complaint {
  readonly keyword: string;
  /** JSON pointer to the value that the keyword was applied to. */
  readonly at: string;
}

/** Keywords that only pass on what a schema below them found. */
const PASSING_ON = new Set([
  "$ref",
  "allOf",
  "properties",
  "items",
  "prefixItems",
  "patternProperties",
  "if",
  "false",
]);

/**
 * A validator that shares no code with the one of the harness. Every derived value is shown to it first, so that a
 * mistake of the generator cannot become a false test.
 */
export class SecondOpinion {
  readonly #root: JsonObject;
  readonly #whole: Validator;
  readonly #parts = new Map<unknown, Validator>();

  constructor(root: JsonObject) {
    this.#root = root;
    this.#whole = validatorOf(root, root, false);
  }

  /** Whether a value fits the whole schema. */
  accepts(value: unknown): boolean {
    return this.#whole.validate(value).valid;
  }

  /** Whether a value fits a part of the schema. */
  fits(part: unknown, value: unknown): boolean {
    if (!isObject(part)) return part !== false;
    let validator = this.#parts.get(part);
    if (!validator) {
      validator = validatorOf(part, this.#root, true);
      this.#parts.set(part, validator);
    }
    return validator.validate(value).valid;
  }

  /** Everything that is wrong with a value, each once. Empty when it fits. */
  complaints(value: unknown): readonly Complaint[] {
    const { errors } = this.#whole.validate(value);
    const all = errors.map((error) => ({
      keyword: error.keyword,
      at: decodeURIComponent(error.instanceLocation.slice(1)),
    }));
    const closed = new Set(all.filter(({ keyword }) => keyword === "false").map(({ at }) => parentOf(at)));
    const own = all.filter(({ keyword, at }) =>
      keyword === "additionalProperties" ? closed.has(at) : !PASSING_ON.has(keyword),
    );
    return [...new Map(own.map((complaint) => [`${complaint.keyword} ${complaint.at}`, complaint])).values()];
  }
}

/** Works on a copy: the validator leaves marks in what it is given. A part brings the document it may refer to. */
function validatorOf(part: JsonObject, root: JsonObject, stopAtFirst: boolean): Validator {
  const schema = part === root ? { ...part } : { ...moved(part), $defs: { whole: moved(root) } };
  const copy: Record<string, unknown> = structuredClone(schema);
  delete copy["$id"];
  return new Validator(copy, "2020-12", stopAtFirst);
}

const DATA = new Set(["const", "enum", "examples", "default", "$id", "$schema"]);

/** A schema whose local references lead into `#/$defs/whole`. */
function moved(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema).filter(([key]) => key !== "$id" && key !== "$schema");
  return Object.fromEntries(
    entries.map(([key, value]) => [key, DATA.has(key) ? value : movedValue(key, value)]),
  );
}

function movedValue(key: string, value: unknown): unknown {
  if (key === "$ref" && typeof value === "string") return value.replace(/^#/, "#/$defs/whole");
  if (Array.isArray(value)) return value.map((item) => movedValue("", item));
  return isObject(value) ? moved(value) : value;
}
