import { isObject } from "../../schema/predicate.ts";
import { pointerOf } from "../../schema/fault.ts";
import { WRONG } from "./bounds.ts";
import { draft, lifted, type Draft, type Gap, without, type JsonObject } from "./draft.ts";
import { alternatives, type Flat, type Keywords } from "./flat.ts";
import { heldBy, type Place } from "./place.ts";
import { MOST_MEMBERS, typesOf, type Sampler } from "./sampler.ts";

/** Keywords that refuse nothing by themselves. */
const SILENT = new Set(
  "$schema $id $comment title description examples default deprecated readOnly writeOnly properties items".split(
    " ",
  ),
);

type Breaker = (place: Place, plain: Keywords, sampler: Sampler) => Iterable<Draft>;

const BREAKERS: Readonly<Record<string, Breaker>> = {
  *type(_, plain) {
    for (const [name, value] of Object.entries(LOOKALIKES)) {
      const allowed = typesOf(plain);
      if (allowed.includes(name) || (name === "number" && allowed.includes("integer") && value === 7))
        continue;
      yield draft("type", value, `${JSON.stringify(value)} instead of ${allowed.join(" or ")}`);
    }
    if (plain.type === "integer") yield draft("type", 0.5, "0.5 instead of integer");
  },
  *enum(_, plain) {
    for (const value of plain.enum ?? [])
      for (const odd of beside(value)) yield draft("enum", odd, "off the list");
  },
  *const(_, plain) {
    for (const odd of beside(plain.const)) yield draft("const", odd, "another value");
  },
  *minItems({ base }, { minItems = 0 }) {
    if (minItems > 0 && Array.isArray(base))
      yield draft("minItems", base.slice(0, minItems - 1), "one item too few");
  },
  *maxItems(place, plain, sampler) {
    yield* draftOf("maxItems", filled(place, plain, (plain.maxItems ?? 0) + 1, sampler), "one item too many");
  },
  *uniqueItems(_, plain, sampler) {
    for (const item of sampler.sample(plain.items))
      yield draft("uniqueItems", [item, item], "one item twice");
  },
  *required({ hosts }, { required = [] }) {
    for (const key of required) {
      for (const host of hosts) {
        if (isObject(host) && key in host)
          yield draft("required", without(host, key), `without ${key}`, pointerOf(key));
      }
    }
  },
  *additionalProperties({ hosts }, { additionalProperties, properties = {} }) {
    if (additionalProperties !== false) return;
    for (const host of hosts) {
      for (const key of ["superfluous", "x", "__extra__"].filter((name) => !(name in properties))) {
        if (isObject(host))
          yield draft(
            "additionalProperties",
            { ...host, [key]: true },
            "a superfluous property",
            pointerOf(key),
          );
      }
    }
  },
  *minProperties({ base }, { minProperties = 0 }) {
    if (minProperties === 0 || !isObject(base)) return;
    yield draft(
      "minProperties",
      Object.fromEntries(Object.entries(base).slice(0, minProperties - 1)),
      "one too few",
    );
  },
  *maxProperties({ base }, plain, sampler) {
    const more = isObject(base) ? (plain.maxProperties ?? 0) + 1 - Object.keys(base).length : 0;
    if (more <= 0 || more > MOST_MEMBERS || !isObject(base)) return;
    yield draft("maxProperties", { ...base, ...sampler.extra(plain, more, base) }, "one property too many");
  },
  *propertyNames({ hosts }, plain, sampler) {
    const [value] = sampler.sample(plain.additionalProperties ?? {});
    const names = { type: "string", ...sampler.flat(plain.propertyNames).plain };
    for (const { keyword, note, value: key } of refusals(
      { schema: names, hosts: sampler.sample(names) },
      sampler,
      () => {},
    )) {
      if (typeof key !== "string") continue;
      for (const host of hosts) {
        if (!isObject(host)) continue;
        yield draft(
          "propertyNames",
          { ...host, [key]: value },
          `a name: ${keyword}, ${note}`,
          pointerOf(key),
        );
      }
    }
  },
};

/** Keywords on which every place is asked once for its branches. */
function* branchRefusals(
  { schema, hosts }: Place,
  { plain, choices, nots }: Flat,
  sampler: Sampler,
): Generator<Draft> {
  for (const { keyword, arms } of choices) {
    const bare = { ...(plain as JsonObject), examples: undefined };
    for (const host of hosts) {
      for (const odd of isObject(host)
        ? [{}, ...Object.keys(host).map((key) => without(host, key))]
        : beside(host)) {
        yield draft(keyword, odd, "fits no branch");
      }
    }
    if (keyword === "anyOf") continue;
    for (const [index, arm] of arms.entries()) {
      for (const other of arms.slice(index + 1)) {
        for (const value of sampler.sample({ allOf: [defined(bare), arm, other] }))
          yield draft(keyword, value, "fits two branches");
      }
    }
  }
  for (const not of nots) {
    const { not: _, ...rest } = isObject(schema) ? schema : {};
    for (const value of sampler.sample({ allOf: [rest, not] })) yield draft("not", value, "what is excluded");
  }
}

/** One wrong value for each keyword at each place of a schema, several drafts where the first may not do. */
export function* refusals(
  place: Place,
  sampler: Sampler,
  gap: (gap: Gap) => void,
  depth = 0,
): Generator<Draft> {
  const whole = sampler.flat(place.schema);
  for (const way of alternatives(whole, sampler.root)) {
    for (const keyword of Object.keys(way.plain)) {
      if (SILENT.has(keyword)) continue;
      const make =
        BREAKERS[keyword] ??
        (WRONG[keyword] && ((_: Place, plain: Keywords) => WRONG[keyword]?.(plain, sampler) ?? []));
      if (make) yield* make({ ...place, base: place.hosts[0] }, way.plain, sampler);
      else gap({ keyword, at: "", note: "a keyword that is not derived from" });
    }
    for (const child of heldBy(place, way.plain, sampler)) {
      if (depth >= 8)
        gap({ keyword: "properties", at: pointerOf(child.key), note: "deeper than eight levels" });
      else {
        const below = (inner: Gap): void => gap({ ...inner, at: pointerOf(child.key) + inner.at });
        for (const inner of refusals(child, sampler, below, depth + 1)) {
          for (const hold of child.holds) yield lifted(inner, child.key, hold);
        }
      }
    }
  }
  yield* branchRefusals(place, whole, sampler);
}

const LOOKALIKES = { null: null, string: "7", number: 7, boolean: true, array: [], object: {} } as const;

/** Values of the same type close to a value. */
function beside(value: unknown): readonly unknown[] {
  if (typeof value === "string") return [`${value}-`, value.toUpperCase(), value.toLowerCase(), ""];
  if (typeof value === "number") return [value + 1, value - 1];
  return typeof value === "boolean" ? [!value] : [null];
}

function filled(
  place: Place,
  plain: Keywords,
  count: number,
  sampler: Sampler,
): readonly unknown[] | undefined {
  if (count > MOST_MEMBERS) return undefined;
  const given = Array.isArray(place.base) ? place.base : [];
  if (plain.uniqueItems) return [...given, ...sampler.distinct(plain.items, count - given.length, given)];
  const [item] = given.length > 0 ? given : sampler.sample(plain.items ?? {});
  if (item === undefined) return undefined;
  return Array.from({ length: count }, (_, index) => given[index] ?? item);
}

function draftOf(keyword: string, value: unknown, note: string): readonly Draft[] {
  return value === undefined ? [] : [draft(keyword, value, note)];
}

function defined(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
