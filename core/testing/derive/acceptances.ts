import { isObject } from "../../schema/predicate.ts";
import { pointerOf } from "../../schema/fault.ts";
import { rightNumbers, rightStrings } from "./bounds.ts";
import { draft, lifted, perhaps, type Draft, without } from "./draft.ts";
import { alternatives, type Keywords } from "./flat.ts";
import { heldBy, type Place } from "./place.ts";
import { MOST_MEMBERS, typesOf, type Sampler } from "./sampler.ts";

/** Right values for each keyword at each place of a schema: both sides of each bound, each entry, each branch. */
export function* acceptances(place: Place, sampler: Sampler, depth = 0): Generator<Draft> {
  const { examples = [] } = sampler.flat(place.schema).plain;
  for (const [index, example] of examples.entries()) yield draft("examples", example, `example ${index + 1}`);
  const ways = alternatives(sampler.flat(place.schema), sampler.root);
  for (const [index, way] of ways.entries()) {
    if (ways.length > 1) {
      const schema = { ...way.plain, not: way.nots.length > 0 ? { anyOf: way.nots } : undefined };
      for (const value of sampler.sample(defined(schema))) yield draft("oneOf", value, `branch ${index + 1}`);
    }
    yield* ownValues(place, way.plain, sampler);
    if (depth >= 8) continue;
    for (const child of heldBy(place, way.plain, sampler)) {
      for (const inner of acceptances(child, sampler, depth + 1)) {
        for (const hold of child.holds) yield lifted(inner, child.key, hold);
      }
    }
  }
}

function* ownValues(place: Place, plain: Keywords, sampler: Sampler): Generator<Draft> {
  for (const value of plain.enum ?? []) yield draft("enum", value, JSON.stringify(value));
  if ("const" in plain) yield draft("const", plain.const, "the value");
  const types = typesOf(plain);
  if (types.length > 1) {
    for (const type of types)
      for (const value of sampler.sample({ ...plain, type })) yield draft("type", value, `a ${type}`);
  }
  if (plain.enum || "const" in plain) return;
  if (types.includes("boolean")) for (const value of [true, false]) yield draft("type", value, String(value));
  if (types.includes("integer") || types.includes("number")) yield* rightNumbers(plain);
  if (types.includes("string")) yield* rightStrings(plain, sampler);
  if (types.includes("array")) yield* arrays(place, plain, sampler);
  if (types.includes("object")) yield* objects(place, plain, sampler);
}

function* arrays({ hosts }: Place, plain: Keywords, sampler: Sampler): Generator<Draft> {
  const { minItems = 0, maxItems } = plain;
  const counts = [
    [minItems, "the fewest items"],
    [minItems + 1, "one more than the fewest"],
  ] as [number, string][];
  if (maxItems !== undefined)
    counts.push([maxItems, "the most items"], [maxItems - 1, "one less than the most"]);
  for (const [count, note] of counts) {
    if (count < 0 || count > Math.min(maxItems ?? count, MOST_MEMBERS)) continue;
    const given = hosts.flatMap((host) => (Array.isArray(host) ? host : [])).slice(0, count);
    const items = plain.uniqueItems
      ? sampler.distinct(plain.items, count)
      : sampler
          .sample(plain.items ?? {})
          .flatMap((item) => Array.from({ length: count }, (_, index) => given[index] ?? item));
    if (items.length === count) yield draft(count === maxItems ? "maxItems" : "minItems", items, note);
  }
}

function* objects({ hosts }: Place, plain: Keywords, sampler: Sampler): Generator<Draft> {
  const { required = [], properties = {} } = plain;
  for (const host of hosts.filter(isObject)) {
    for (const key of Object.keys(host)) {
      if (!required.includes(key))
        yield perhaps(draft("required", without(host, key), `without the optional ${key}`, pointerOf(key)));
    }
    if (plain.additionalProperties !== false) {
      yield draft(
        "additionalProperties",
        { ...host, ...sampler.extra(plain, 1, host) },
        "a further property",
      );
    }
  }
  const full = Object.entries(properties).flatMap(([key, part]) =>
    sampler.sample(part).map((value) => [key, value] as const),
  );
  yield perhaps(draft("properties", Object.fromEntries(full), "every property"));
  const least = full.filter(([key]) => required.includes(key));
  yield perhaps(draft("properties", Object.fromEntries(least), "only what is required"));
  for (const count of [plain.minProperties, plain.maxProperties]) {
    const [base] = hosts;
    if (count === undefined || count > MOST_MEMBERS || !isObject(base)) continue;
    const kept = Object.fromEntries(Object.entries(base).slice(0, count));
    const value = { ...kept, ...sampler.extra(plain, count - Object.keys(kept).length, kept) };
    if (Object.keys(value).length === count)
      yield draft("maxProperties", value, `exactly ${count} properties`);
  }
}

function defined(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
