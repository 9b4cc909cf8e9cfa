import assert from "node:assert/strict";
import { test } from "node:test";
import { Validator } from "@cfworker/json-schema";
import fc from "fast-check";
import { createAjv } from "./ajv.ts";
import { KEYWORDS, PredicateFault, compilePredicate, propertiesOf } from "./predicate.ts";
import { effort } from "../../contract-tests/harness.ts";

type Row = readonly [schema: unknown, accepted: readonly unknown[], refused: readonly unknown[]];

const ROWS: readonly Row[] = [
  [true, [1, null], []],
  [{}, [undefined, {}], []],
  [false, [], [1, {}]],
  [{ type: "integer" }, [1, 2.0, -3], [1.5, "1", null]],
  [{ type: ["string", "null"] }, ["", null], [0, {}, []]],
  [{ type: "object" }, [{}], [[], null, "a"]],
  [{ const: { a: [1, { b: null }] } }, [{ a: [1, { b: null }] }], [{ a: [1, {}] }, { a: [1] }, null]],
  [{ const: null }, [null], [undefined, 0, {}]],
  [{ enum: ["a", 1, null] }, ["a", 1, null], ["b", "1", undefined]],
  [{ enum: [[1], "b"] }, [[1], "b"], [[1, 1], [], 1]],
  [{ pattern: "^\\p{L}+$" }, ["Ää", 5], ["a1", ""]],
  [{ minLength: 2, maxLength: 2 }, ["ab", "🎵🎵", 7], ["🎵", "abc"]],
  [{ minimum: 1, exclusiveMaximum: 3 }, [1, 2.9, "x"], [0.9, 3]],
  [{ maximum: 1, exclusiveMinimum: 0 }, [1], [0, 1.1]],
  [{ minItems: 1, maxItems: 2 }, [[1], [1, 2], {}], [[], [1, 2, 3]]],
  [{ minProperties: 1, maxProperties: 1 }, [{ a: 1 }, []], [{}, { a: 1, b: 2 }]],
  [{ items: { type: "string" } }, [[], ["a"], "a"], [["a", 1]]],
  [{ contains: { const: 3 } }, [[1, 3], {}], [[], [1]]],
  [{ required: ["a"] }, [{ a: null }, []], [{}, { b: 1 }]],
  [{ required: ["toString"] }, [{ toString: 1 }], [{}]],
  [{ properties: { constructor: { const: 1 } } }, [{}, { constructor: 1 }], [{ constructor: 2 }]],
  [{ properties: { a: { type: "string" } }, required: ["a"] }, [{ a: "x" }, 4], [{}, { a: 1 }]],
  [{ properties: { a: {} }, additionalProperties: false }, [{ a: 1 }, {}], [{ b: 1 }]],
  [{ additionalProperties: { type: "number" } }, [{ a: 1 }], [{ a: "1" }]],
  [{ not: { type: "string" } }, [1], ["a"]],
  [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1, 2], [0, 3]],
  [{ anyOf: [{ const: 1 }, { type: "string" }] }, [1, "a"], [2]],
  [
    { $defs: { tree: { items: { $ref: "#/$defs/tree" }, not: { const: "bad" } } }, $ref: "#/$defs/tree" },
    [[[["good"]]], "good"],
    [[[["bad"]]], "bad"],
  ],
  [
    { not: { properties: { a: { $ref: "#" } }, required: ["a"] } },
    [{}, { a: 1 }],
    [{ a: {} }, { a: { a: 1 } }],
  ],
];

test("every keyword accepts and refuses what JSON Schema says", () => {
  for (const [schema, accepted, refused] of ROWS) {
    const predicate = compilePredicate(schema);
    for (const value of accepted) assert.equal(predicate(value), true, JSON.stringify([schema, value]));
    for (const value of refused) assert.equal(predicate(value), false, JSON.stringify([schema, value]));
  }
  const used = new Set(JSON.stringify(ROWS).match(/[$\w]+(?=":)/g));
  const silent = ["title", "description", "$comment", "$schema"];
  for (const keyword of KEYWORDS) assert.ok(used.has(keyword) || silent.includes(keyword), keyword);
});

test("a keyword outside the subset, or one that is misused, is refused with its place", () => {
  const faults: readonly (readonly [unknown, string, RegExp])[] = [
    [{ requird: ["a"] }, "/requird", /requird is no keyword/],
    [{ properties: { "a/b": { format: "uri" } } }, "/properties/a~1b/format", /format is no keyword/],
    [{ if: {}, then: {} }, "/if", /if is no keyword/],
    [{ type: "text" }, "/type", /"text" is no type/],
    [{ type: ["string", "toString"] }, "/type", /"toString" is no type/],
    [{ pattern: "(" }, "/pattern", /no regular expression/],
    [{ pattern: 1 }, "/pattern", /must be a text/],
    [{ enum: [] }, "/enum", /list values/],
    [{ minimum: "1" }, "/minimum", /must be a number/],
    [{ required: "a" }, "/required", /list names/],
    [{ properties: [] }, "/properties", /must be an object/],
    [{ anyOf: [] }, "/anyOf", /list schemas/],
    [{ anyOf: [{}, { not: 3 }] }, "/anyOf/1/not", /it is no schema/],
    [{ $ref: "#/$defs/none" }, "/$ref", /leads nowhere/],
    [{ $ref: "core/problem" }, "/$ref", /leads nowhere/],
    [{ $defs: { a: { nope: 1 } }, $ref: "#/$defs/a" }, "/$defs/a/nope", /nope is no keyword/],
    ["x", "", /it is no schema/],
  ];
  for (const [schema, pointer, sentence] of faults) {
    assert.throws(
      () => compilePredicate(schema),
      (caught) =>
        caught instanceof PredicateFault && caught.pointer === pointer && sentence.test(caught.message),
      JSON.stringify(schema),
    );
  }
});

test("the properties that a predicate of a subject looks at are known without running it", () => {
  const schema = {
    required: ["event"],
    properties: { tool: { properties: { inner: {} } } },
    anyOf: [{ not: { required: ["shell"] } }, { $ref: "#/$defs/more" }],
    $defs: { more: { properties: { phases: {} } }, unused: { required: ["other"] } },
  };
  assert.deepEqual([...propertiesOf(schema)].sort(), ["event", "phases", "shell", "tool"]);
});

/** Values with few names and few scalars, so that random schemas and random values meet. */
const SCALAR = fc.constantFrom<unknown>("a", "b", "", "🎵", 0, 1, 2, 1.5, true, null);
const VALUE = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    SCALAR,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("x", "y"), tie("value"), { maxKeys: 2, noNullPrototype: true }),
  ),
})).value;
const SCHEMA = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small" },
    fc.record({ type: fc.constantFrom("string", "integer", "number", "object", "array", "null", "boolean") }),
    fc.record({ const: VALUE }),
    fc.record({ enum: fc.uniqueArray(SCALAR, { minLength: 1, maxLength: 3 }) }),
    fc.record({ minimum: fc.constantFrom(0, 1, 2) }),
    fc.record({ minLength: fc.constantFrom(0, 1, 2) }),
    fc.record({ pattern: fc.constantFrom("^a", "b$", "") }),
    fc.record({ required: fc.uniqueArray(fc.constantFrom("x", "y"), { maxLength: 2 }) }),
    fc.record({
      properties: fc.dictionary(fc.constantFrom("x", "y"), tie("schema"), {
        maxKeys: 2,
        noNullPrototype: true,
      }),
    }),
    fc.record({ additionalProperties: tie("schema") }),
    fc.record({ items: tie("schema") }),
    fc.record({ contains: tie("schema") }),
    fc.record({ not: tie("schema") }),
    fc.record({ allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
    fc.tuple(tie("schema"), tie("schema")).map(([one, other]) => ({ ...one, ...other })),
  ),
})).schema;

test("any predicate says the same as Ajv and as a second validator, for any value", () => {
  const ajv = createAjv({ strict: false });
  fc.assert(
    fc.property(SCHEMA, fc.array(VALUE, { minLength: 1, maxLength: 5 }), (schema, values) => {
      const predicate = compilePredicate(schema);
      const validate = ajv.compile(schema);
      const second = new Validator(structuredClone(schema), "2020-12");
      for (const value of values) {
        assert.equal(predicate(value), validate(value), `Ajv: ${JSON.stringify([schema, value])}`);
        assert.equal(predicate(value), second.validate(value).valid, JSON.stringify([schema, value]));
      }
    }),
    { numRuns: effort(50, 900) },
  );
});
