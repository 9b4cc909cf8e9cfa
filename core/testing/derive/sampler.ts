import { isObject } from "../../schema/predicate.ts";
import { alternatives, flat, type Flat, type Keywords } from "./flat.ts";
import { FORMATS } from "./formats.ts";
import { canonical, lengthOf, type JsonObject } from "./draft.ts";
import { patternWords } from "./pattern-words.ts";
import type { SecondOpinion } from "./second-opinion.ts";

/** No value longer than this is made, in code points. */
export const MOST_CHARACTERS = 100_000;
/** No array or object with more members than this is made. */
export const MOST_MEMBERS = 2_000;

/** Makes values that fit parts of one schema document. What comes out has been seen by the second validator. */
export class Sampler {
  readonly root: JsonObject;
  readonly opinion: SecondOpinion;

  constructor(root: JsonObject, opinion: SecondOpinion) {
    this.root = root;
    this.opinion = opinion;
  }

  flat(schema: unknown): Flat {
    return flat(schema, this.root);
  }

  /** A value that fits, in a list of one; an empty list when none was found. */
  sample(schema: unknown, depth = 0): readonly unknown[] {
    if (depth > 12) return [];
    for (const way of alternatives(this.flat(schema), this.root)) {
      for (const value of this.#candidates(way.plain, depth)) {
        if (this.opinion.fits(schema, value)) return [value];
      }
    }
    return [];
  }

  /** Up to `count` values that fit and differ from each other and from those given. */
  distinct(schema: unknown, count: number, given: readonly unknown[] = []): readonly unknown[] {
    const seen = new Set(given.map(canonical));
    const found: unknown[] = [];
    for (const value of this.#varied(schema, count + given.length)) {
      if (found.length >= count) break;
      const text = canonical(value);
      if (seen.has(text) || !this.opinion.fits(schema, value)) continue;
      seen.add(text);
      found.push(value);
    }
    return found;
  }

  /** Strings of exactly so many code points that obey pattern and format. */
  *strings(plain: Keywords, length: number): Generator<string> {
    if (length < 0 || length > MOST_CHARACTERS) return;
    if (plain.pattern !== undefined) {
      const filler = "x".repeat(length);
      if (new RegExp(plain.pattern, "u").test(filler)) yield filler;
      yield* patternWords(plain.pattern, length);
    } else if (plain.format !== undefined)
      yield* (FORMATS[plain.format]?.fit ?? []).filter((one) => lengthOf(one) === length);
    else yield "x".repeat(length);
  }

  *#varied(schema: unknown, count: number): Generator {
    const { plain } = this.flat(schema);
    yield* (plain.enum ?? []) as unknown[];
    const [first] = this.sample(schema);
    if (first === undefined) return;
    if (typeof first === "number") {
      const unit = plain.multipleOf ?? 1;
      for (let index = 1; index <= count * 2; index += 1) yield* [first + index * unit, first - index * unit];
    } else if (typeof first === "string") {
      if (plain.pattern !== undefined) yield* patternWords(plain.pattern, undefined, count * 4);
      for (let length = lengthOf(first); length < lengthOf(first) + 12; length += 1)
        yield* this.strings(plain, length);
      const width = Math.max(plain.minLength ?? 0, String(count).length);
      for (let index = 0; index <= count; index += 1) yield String(index).padStart(width, "0");
    } else if (typeof first === "boolean") {
      yield* [true, false];
    } else if (isObject(first)) {
      for (const [key, part] of Object.entries(this.flat(schema).plain.properties ?? {})) {
        for (const value of this.distinct(part, count)) yield { ...first, [key]: value };
      }
    }
    yield first;
  }

  *#candidates(plain: Keywords, depth: number): Generator {
    if ("const" in plain) yield plain.const;
    yield* plain.enum ?? [];
    yield* plain.examples ?? [];
    if ("default" in plain) yield plain.default;
    for (const type of typesOf(plain)) yield* this.#ofType(type, plain, depth);
  }

  *#ofType(type: string, plain: Keywords, depth: number): Generator {
    if (type === "null") yield null;
    if (type === "boolean") yield* [true, false];
    if (type === "integer" || type === "number") yield* numbers(plain);
    if (type === "string") yield* this.#words(plain);
    if (type === "array") yield this.#array(plain, depth);
    if (type === "object") yield* this.#objects(plain, depth);
  }

  *#words(plain: Keywords): Generator<string> {
    if (plain.format !== undefined) yield* FORMATS[plain.format]?.fit ?? [];
    if (plain.pattern !== undefined) {
      for (const word of patternWords(plain.pattern)) {
        if (lengthOf(word) >= (plain.minLength ?? 0)) yield word;
      }
      yield* this.strings(plain, plain.minLength ?? 1);
    }
    yield "text".slice(0, plain.maxLength).padEnd(Math.min(plain.minLength ?? 0, MOST_CHARACTERS), "x");
  }

  #array(plain: Keywords, depth: number): unknown {
    const count = Math.min(plain.minItems ?? 0, MOST_MEMBERS);
    if (count === 0) return [];
    if (plain.uniqueItems) return this.distinct(plain.items, count);
    return this.sample(plain.items, depth + 1).flatMap((item) => Array.from({ length: count }, () => item));
  }

  *#objects(plain: Keywords, depth: number): Generator {
    const value: Record<string, unknown> = {};
    for (const key of plain.required ?? []) {
      for (const part of this.sample(plain.properties?.[key] ?? plain.additionalProperties, depth + 1))
        value[key] = part;
    }
    yield value;
    for (const [key, schema] of Object.entries(plain.properties ?? {})) {
      if (Object.keys(value).length >= (plain.minProperties ?? 0)) break;
      if (!(key in value)) for (const part of this.sample(schema, depth + 1)) value[key] = part;
    }
    const missing = Math.min((plain.minProperties ?? 0) - Object.keys(value).length, MOST_MEMBERS);
    if (missing > 0) Object.assign(value, this.extra(plain, missing, value, depth));
    yield value;
  }

  /** Properties beyond the named ones; fewer than asked for when the schema allows no more. */
  extra(plain: Keywords, count: number, beside: JsonObject = {}, depth = 0): JsonObject {
    if (plain.additionalProperties === false || count <= 0) return {};
    const taken = [...Object.keys(beside), ...Object.keys(plain.properties ?? {})];
    const names = this.distinct(
      { type: "string", ...this.flat(plain.propertyNames ?? {}).plain },
      count,
      taken,
    );
    const [value] = this.sample(plain.additionalProperties ?? {}, depth + 1);
    return value === undefined ? {} : Object.fromEntries(names.map((name) => [name as string, value]));
  }
}

const IMPLIED: readonly (readonly [string, readonly string[]])[] = [
  [
    "object",
    ["properties", "required", "additionalProperties", "propertyNames", "minProperties", "maxProperties"],
  ],
  ["array", ["items", "minItems", "maxItems", "uniqueItems"]],
  ["string", ["pattern", "format", "minLength", "maxLength"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
];

/** The types that a schema names, or those that its keywords speak of; a string when nothing is said. */
export function typesOf({ type, ...plain }: Keywords): readonly string[] {
  if (type !== undefined) return typeof type === "string" ? [type] : type;
  const implied = IMPLIED.filter(([, keywords]) => keywords.some((keyword) => keyword in plain)).map(
    ([name]) => name,
  );
  return implied.length > 0 ? implied : ["string"];
}

/** The step from a number to the next: the divisor, one for integers, else a thousandth or what the number can show. */
export function unitOf(plain: Keywords, from = 0): number {
  return (
    plain.multipleOf ?? (typesOf(plain).includes("integer") ? 1 : Math.max(0.001, Math.abs(from) * 2 ** -51))
  );
}

function* numbers(plain: Keywords): Generator<number> {
  const unit = unitOf(plain);
  const least = plain.minimum ?? (plain.exclusiveMinimum === undefined ? 0 : plain.exclusiveMinimum + unit);
  const most =
    plain.maximum ?? (plain.exclusiveMaximum === undefined ? least : plain.exclusiveMaximum - unit);
  yield Math.ceil(least / unit) * unit;
  yield Math.floor(most / unit) * unit;
  yield* [least, most, 0, 1];
}
