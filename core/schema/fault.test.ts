import assert from "node:assert/strict";
import { test } from "node:test";
import { createAjv } from "./ajv.ts";
import { faultOf } from "./fault.ts";

/** The fault that a real validator's errors become. */
function faultFor(schema: object, value: unknown, whole?: string) {
  const validate = createAjv({ strictTypes: false }).compile({
    $id: "test/schema",
    ...schema,
  });
  assert.equal(validate(value), false, "the value was to be refused");
  return faultOf(validate.errors ?? [], whole);
}

const text = { type: "string" };
const object = (properties: object, more: object = {}) => ({
  type: "object",
  properties,
  additionalProperties: false,
  ...more,
});

test("each kind of mismatch has its sentence, and its pointer names the faulty place", () => {
  const rows: readonly (readonly [object, unknown, string, string, string])[] = [
    [object({ name: text }, { required: ["name"] }), {}, "/name", "required", "/name is missing."],
    [object({}), { colour: 1 }, "/colour", "additionalProperties", "/colour is not a known property."],
    [
      { type: "object", properties: { name: text }, unevaluatedProperties: false },
      { b: 1 },
      "/b",
      "unevaluatedProperties",
      "/b is not a known property; known: name.",
    ],
    [
      object({ from: text, to: text }, { dependentRequired: { from: ["to"] } }),
      { from: "a" },
      "/to",
      "dependentRequired",
      "/to is missing, and from needs it.",
    ],
    [
      { type: "object", additionalProperties: true, properties: { old: false } },
      { old: 1 },
      "/old",
      "false schema",
      "/old must be left out.",
    ],
    [
      object({ size: { enum: ["s", 1, null] } }),
      { size: "m" },
      "/size",
      "enum",
      '/size must be one of "s", 1, null.',
    ],
    [object({ form: { const: 1 } }), { form: 2 }, "/form", "const", "/form must be 1."],
    [object({ size: { type: "integer" } }), { size: 1.5 }, "/size", "type", "/size must be an integer."],
    [
      object({ list: { type: "array", items: text } }),
      { list: ["a", 1] },
      "/list/1",
      "type",
      "/list/1 must be a string.",
    ],
    [
      object({ age: { type: ["integer", "null"] } }),
      { age: "old" },
      "/age",
      "type",
      "/age must be an integer or null.",
    ],
    [
      object({ name: { ...text, minLength: 2 } }),
      { name: "" },
      "/name",
      "minLength",
      "/name must have at least 2 characters.",
    ],
    [
      object({
        code: { ...text, pattern: "^[A-Z]+$", description: "A code in capitals. Longer ones are older." },
      }),
      { code: "a" },
      "/code",
      "pattern",
      "/code does not fit: A code in capitals.",
    ],
    [
      object({ code: { ...text, pattern: "^[A-Z]+$", title: "Country code" } }),
      { code: "a" },
      "/code",
      "pattern",
      "/code does not fit: Country code.",
    ],
    [
      object({ code: { ...text, pattern: "^[A-Z]+$", examples: ["DE"] } }),
      { code: "a" },
      "/code",
      "pattern",
      '/code does not fit: it must look like "DE".',
    ],
    [
      object({ code: { ...text, pattern: "/^[A-Z]+$/", examples: ["DE"] } }),
      { code: "DE" },
      "/code",
      "pattern",
      "/code does not fit: it does not have the expected form.",
    ],
    [
      object({ code: { ...text, pattern: "^[A-Z]+$" } }),
      { code: "a" },
      "/code",
      "pattern",
      "/code does not fit: it does not have the expected form.",
    ],
    [
      object({ name: { ...text, not: { enum: ["core", "v1"] } } }),
      { name: "v1" },
      "/name",
      "not",
      '/name must not be one of "core", "v1".',
    ],
    [
      object({ name: { ...text, not: { minLength: 3 } } }),
      { name: "long" },
      "/name",
      "not",
      '/name must not fit the schema in "not".',
    ],
    [
      object({ day: { ...text, format: "date" } }),
      { day: "today" },
      "/day",
      "format",
      "/day must be a date that exists, such as 2026-11-28.",
    ],
    [
      object({ session: text, size: text }),
      { sesion: "a" },
      "/sesion",
      "additionalProperties",
      "/sesion is not a known property; did you mean session?",
    ],
    [
      { type: "object", allOf: [{ properties: { session: text } }], unevaluatedProperties: false },
      { sesion: "a" },
      "/sesion",
      "unevaluatedProperties",
      "/sesion is not a known property; did you mean session?",
    ],
    [
      { ...object({ code: { ...text, pattern: "^[A-Z]+$" } }), examples: [{ code: "DE" }] },
      { code: "a" },
      "/code",
      "pattern",
      '/code does not fit: it must look like "DE".',
    ],
    [
      {
        ...object({ codes: { type: "array", items: { ...text, pattern: "^[A-Z]+$" } } }),
        examples: [{ codes: [] }, { codes: ["FR"] }],
      },
      { codes: ["a"] },
      "/codes/0",
      "pattern",
      '/codes/0 does not fit: it must look like "FR".',
    ],
    ...(
      [
        ["minLength", 1, "", "must not be empty"],
        ["maxLength", 1, "ab", "must have at most 1 character"],
        ["maxLength", 0, "ab", "must be empty"],
        ["minItems", 2, [1], "must have at least 2 items"],
        ["maxItems", 2, [1, 2, 3], "must have at most 2 items"],
        ["uniqueItems", true, [1, 2, 1], "must not contain equal items (0 and 2)"],
        ["minProperties", 1, {}, "must not be empty"],
        ["maxProperties", 1, { a: 1, b: 2 }, "must have at most 1 property"],
        ["minimum", 0, -1, "must be at least 0"],
        ["maximum", 9, 10, "must be at most 9"],
        ["exclusiveMinimum", 0, 0, "must be more than 0"],
        ["exclusiveMaximum", 9, 9, "must be less than 9"],
        ["multipleOf", 5, 7, "must be a multiple of 5"],
        ["pattern", "\\S", " ", "must not be blank"],
        ["format", "date-time", "x", "must be a date and time that exist, such as 2026-11-28T14:30:00Z"],
        ["format", "regex", "(", "must be a regular expression"],
        ["anyOf", [{ type: "integer" }, { type: "string" }], true, "must be an integer or a string", "type"],
        ["oneOf", [{ minimum: 1 }, { maximum: 5 }], 3, "fits more than one of the allowed forms"],
        ["anyOf", [{ type: "string" }, { type: "number", maximum: 9 }], 12, "must be at most 9", "maximum"],
      ] as const
    ).map(([keyword, limit, value, complaint, named = keyword]) => {
      const type = Array.isArray(value) ? "array" : typeof value;
      const schema = keyword === "anyOf" ? { anyOf: limit } : { type, [keyword]: limit };
      return [object({ it: schema }), { it: value }, "/it", named, `/it ${complaint}.`] as const;
    }),
  ];
  for (const [schema, value, pointer, keyword, sentence] of rows) {
    assert.deepEqual(faultFor(schema, value), { pointer, keyword, sentence });
  }
});

test("a fault of the whole value is reported with the caller's name for it", () => {
  const { pointer, sentence } = faultFor({ type: "object" }, []);
  assert.deepEqual([pointer, sentence], ["", "The value must be an object."]);
  const named = faultFor({ type: "object" }, [], "The request body");
  assert.equal(named.sentence, "The request body must be an object.");
});

test("tildes and slashes in names are escaped in pointers, whether the name is missing, superfluous or on the way", () => {
  const strange = "a/b~c";
  const rows: readonly (readonly [object, unknown, string])[] = [
    [{ type: "object", properties: { [strange]: text }, required: [strange] }, {}, "/a~1b~0c"],
    [object({}), { [strange]: 1 }, "/a~1b~0c"],
    [object({}), { "~1": 1 }, "/~01"],
    [object({ [strange]: object({ x: text }) }), { [strange]: { x: 1 } }, "/a~1b~0c/x"],
    [
      { type: "object", propertyNames: { pattern: "^[a-z]+$" }, additionalProperties: true },
      { [strange]: 1 },
      "/a~1b~0c",
    ],
    [object({}), { "": 1 }, "/"],
  ];
  for (const [schema, value, pointer] of rows) assert.equal(faultFor(schema, value).pointer, pointer);
});

test("the pointer of a name that is not allowed leads to the name, not to its object", () => {
  const named = object({
    commands: { type: "object", additionalProperties: true, propertyNames: { pattern: "^[a-z]+$" } },
  });
  assert.deepEqual(faultFor(named, { commands: { Greet: 1 } }), {
    pointer: "/commands/Greet",
    keyword: "pattern",
    sentence: "/commands/Greet is not an allowed name: it does not have the expected form.",
  });
  assert.equal(
    faultOf([{ instancePath: "/commands", keyword: "propertyNames", params: { propertyName: "Greet" } }])
      .sentence,
    "/commands/Greet is not an allowed name.",
  );
});

test("of a choice of schemas, the first branch that fails is reported", () => {
  const schema = object({ to: { anyOf: [object({ name: text }, { required: ["name"] }), text] } });
  assert.equal(faultFor(schema, { to: {} }).sentence, "/to/name is missing.");
});

test("a fault reports the requirement of a condition, not the condition", () => {
  const schema = {
    type: "object",
    additionalProperties: true,
    if: { required: ["a"] },
    then: { required: ["b"], properties: { b: true } },
  };
  assert.equal(faultFor(schema, { a: 1 }).sentence, "/b is missing.");
});

test("a validator that refuses a value without a reason still yields a fault", () => {
  assert.deepEqual(faultOf([]), { pointer: "", keyword: "", sentence: "The value does not fit." });
  assert.equal(faultOf([{ instancePath: "/a", keyword: "odd", params: {} }]).sentence, "/a does not fit.");
});
