import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { createAjv } from "../schema/ajv.ts";
import { faultOf } from "../schema/fault.ts";
import { derive, names } from "./derive.ts";
import type { JsonSchema } from "../schema/schemas.ts";
import { effort } from "../../contract-tests/harness.ts";

// One compiler for all: making one takes longer than using it.
const ajv = createAjv({ strict: false });
const object = (properties: Record<string, unknown>, more: object = {}): JsonSchema => ({
  type: "object",
  additionalProperties: false,
  properties,
  ...more,
});
const refusedBy = (schema: JsonSchema, keyword: string): readonly unknown[] =>
  derive(schema)
    .refuses.filter((one) => one.keyword === keyword)
    .map(({ value }) => value);
const accepted = (schema: JsonSchema): readonly unknown[] => derive(schema).accepts.map(({ value }) => value);

describe("derive", () => {
  const refused: readonly (readonly [string, JsonSchema, string, unknown])[] = [
    ["a number just below its minimum", { type: "integer", minimum: 3, maximum: 9 }, "minimum", 2],
    ["a number just above its maximum", { type: "integer", minimum: 3, maximum: 9 }, "maximum", 10],
    [
      "the bound itself when it is exclusive",
      { type: "number", exclusiveMinimum: 0, maximum: 1 },
      "exclusiveMinimum",
      0,
    ],
    ["a number between two multiples", { multipleOf: 5, minimum: 0, maximum: 10 }, "multipleOf", 1],
    ["a string one character too long", { type: "string", maxLength: 4 }, "maxLength", "textt"],
    ["a string one character too short", { type: "string", minLength: 2 }, "minLength", "t"],
    ["a long string that keeps its pattern", { pattern: "^[a-b]+$", maxLength: 2 }, "maxLength", "aaa"],
    ["a value outside of an enum", { enum: ["on", "off"] }, "enum", "on-"],
    [
      "a repeated item",
      { type: "array", uniqueItems: true, maxItems: 3, items: { enum: [1, 2, 3] } },
      "uniqueItems",
      [1, 1],
    ],
    ["one item too many", { type: "array", maxItems: 1, items: { const: 1 } }, "maxItems", [1, 1]],
    ["a missing property", object({ a: { const: 1 } }, { required: ["a"] }), "required", {}],
    ["a superfluous property", object({ a: { const: 1 } }), "additionalProperties", { superfluous: true }],
    ["a lookalike of another type", { type: "integer", minimum: 0, maximum: 9 }, "type", "7"],
    ["a value that is excluded", { type: "string", not: { const: "no" } }, "not", "no"],
    [
      "a value that a condition forbids",
      object(
        { a: { type: "boolean" }, b: { const: 1 } },
        { if: { required: ["a"] }, then: { required: ["b"] }, examples: [{ a: true, b: 1 }] },
      ),
      "required",
      { a: true },
    ],
    [
      "a value that a local reference forbids",
      { $ref: "#/$defs/one", $defs: { one: { const: 1 } } },
      "const",
      2,
    ],
  ];
  for (const [what, schema, keyword, value] of refused) {
    test(`derives ${what} as a refusal by ${keyword}`, () => {
      assert.ok(refusedBy(schema, keyword).some((one) => JSON.stringify(one) === JSON.stringify(value)));
    });
  }

  test("points at the missing or extra property itself, with its name escaped", () => {
    const { refuses } = derive(object({ "a/b": object({ "c~d": { const: 1 } }, { required: ["c~d"] }) }));
    assert.ok(refuses.some(({ keyword, pointer }) => keyword === "required" && pointer === "/a~1b/c~0d"));
    assert.ok(
      refuses.some(
        ({ keyword, pointer }) => keyword === "additionalProperties" && pointer === "/a~1b/superfluous",
      ),
    );
  });

  test("derives both sides of each bound, each entry and each script as acceptances", () => {
    const values = accepted({ type: "string", minLength: 1, maxLength: 4 });
    for (const text of ["t", "te", "tex", "text", "éééé", "歌歌歌歌", "😀😀😀😀"])
      assert.ok(values.includes(text), text);
    assert.deepEqual(accepted({ enum: [1, "a", null] }), [1, "a", null]);
    const numbers = accepted({ type: "integer", minimum: -1, maximum: 5 });
    for (const number of [-1, 0, 4, 5]) assert.ok(numbers.includes(number), String(number));
  });

  test("derives null where it is allowed, and an optional property present and absent", () => {
    const values = accepted(object({ a: { type: ["string", "null"], maxLength: 3 } })).map((one) =>
      JSON.stringify(one),
    );
    assert.ok(values.includes('{"a":null}'));
    assert.ok(values.includes("{}") || values.some((one) => !one.includes('"a"')));
  });

  test("does not derive a truncated address, which only one of two validators accepts", () => {
    const address = { type: "string", format: "email" };
    for (const schema of [
      { anyOf: [address, { type: "string", minLength: 2, maxLength: 2 }] },
      { ...address, minLength: 5, examples: ["ada@example.org"] },
    ]) {
      const validate = ajv.compile(schema);
      for (const value of accepted(schema)) assert.ok(validate(value), JSON.stringify(value));
    }
  });

  test("a recursive schema is expanded once if an example goes no further", () => {
    const schema = (examples: readonly unknown[]): JsonSchema =>
      object(
        { name: { type: "string", maxLength: 3 }, left: { $ref: "#" }, right: { $ref: "#" } },
        { required: ["name"], examples },
      );
    const places = (...examples: readonly unknown[]): ReadonlySet<string> =>
      new Set(derive(schema(examples)).refuses.map(({ pointer }) => pointer));
    const once = ["/name", "/left", "/left/name", "/right", "/right/name", "/superfluous"];
    for (const place of once) assert.ok(places({ name: "a" }).has(place), place);
    assert.ok(!places({ name: "a" }).has("/left/left/name"));
    assert.ok(places({ name: "a", left: { name: "b", left: { name: "c" } } }).has("/left/left/name"));
  });
});

const bounded = (least: number, most: number) =>
  fc
    .tuple(fc.integer({ min: least, max: most }), fc.integer({ min: 0, max: 4 }))
    .map(([low, more]) => [low, low + more] as const);
const leaf: fc.Arbitrary<JsonSchema> = fc.oneof(
  bounded(-5, 5).map(([minimum, maximum]) => ({ type: "integer", minimum, maximum })),
  bounded(0, 3).map(([minLength, maxLength]) => ({ type: "string", minLength, maxLength })),
  fc
    .constantFrom("^[a-z]+(-[a-z0-9]+)*$", "^\\d{4}-\\d\\d$", "^(a|bc)?$", "\\S", "^[^,]{2,}$")
    .map((pattern) => ({ type: "string", pattern, maxLength: 12 })),
  fc.constantFrom("date", "email", "uuid", "ipv4").map((format) => ({ type: "string", format })),
  fc.uniqueArray(fc.constantFrom("a", "b", "C", "d"), { minLength: 1 }).map((list) => ({ enum: list })),
  fc.constant({ type: "boolean" }),
  fc.constant({ type: ["integer", "null"], minimum: 0, maximum: 3 }),
  fc.constant({ type: "number", exclusiveMinimum: 0, maximum: 10, multipleOf: 0.5 }),
);
const { schema: schemas } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    fc
      .record({ items: tie("schema"), bounds: bounded(0, 2), uniqueItems: fc.boolean() })
      .map(({ items, bounds: [minItems, maxItems], uniqueItems }) => ({
        type: "array",
        items,
        minItems,
        maxItems,
        uniqueItems,
      })),
    fc
      .dictionary(fc.constantFrom("a", "b", "c/d", "e~f"), tie("schema"), {
        minKeys: 1,
        noNullPrototype: true,
      })
      .chain((properties) =>
        fc.subarray(Object.keys(properties)).map((required) => object(properties, { required })),
      ),
    fc.tuple(leaf, leaf).map((arms) => ({ anyOf: arms })),
  ),
}));

/** Every derived value of any schema, as both validators see it. */
test("values derived from any schema are accepted or refused as expected, with the place named", () => {
  const property = fc.property(schemas, (schema) => {
    const { accepts, refuses } = derive(schema);
    const validate = ajv.compile(schema);
    for (const { value, title } of accepts) assert.ok(validate(value), `${title}: ${JSON.stringify(value)}`);
    for (const refusal of refuses) {
      assert.ok(!validate(refusal.value), `${refusal.title}: ${JSON.stringify(refusal.value)}`);
      const fault = faultOf(validate.errors ?? []);
      assert.ok(names(refusal, fault), `${refusal.title}: ${JSON.stringify(fault)}`);
    }
  });
  fc.assert(property, { numRuns: effort(25, 150) });
});
