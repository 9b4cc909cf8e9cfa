import assert from "node:assert/strict";
import { test } from "node:test";
import { SkillError } from "../errors/skill-error.ts";
import { Schemas, type JsonSchema, type SchemaSource, type Validator } from "./schemas.ts";
import { createAjv } from "./ajv.ts";

const GREETING: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "whatever/it-says",
  type: "object",
  required: ["name"],
  additionalProperties: false,
  properties: { name: { type: "string", default: "Ada" } },
};

/** Schemas over a record, with a list of what was read. */
function schemasOf(
  documents: Readonly<Record<string, JsonSchema>>,
  precompiled?: SchemaSource["precompiled"],
) {
  const read: string[] = [];
  const schemas = new Schemas({
    read: async (name) => {
      read.push(name);
      return documents[name];
    },
    ...(precompiled && { precompiled }),
  });
  return { schemas, read };
}

test("a schema is read and compiled once, on first use, also by concurrent callers", async () => {
  const { schemas, read } = schemasOf({ "greeting/input": GREETING, "greeting/unused": GREETING });
  assert.deepEqual(read, []);
  const [first, second] = await Promise.all([
    schemas.check("greeting/input"),
    schemas.check("greeting/input"),
  ]);
  assert.equal(first, second);
  assert.equal(await schemas.check("greeting/input"), first);
  assert.equal(await schemas.document("greeting/input"), GREETING);
  assert.deepEqual(read, ["greeting/input"]);
});

test("a check returns undefined for a valid value, and a fault for an invalid one", async () => {
  const check = await schemasOf({ "greeting/input": GREETING }).schemas.check("greeting/input");
  assert.equal(check({ name: "Ada" }), undefined);
  assert.deepEqual(check({}), { pointer: "/name", keyword: "required", sentence: "/name is missing." });
  assert.equal(check({ name: "Ada" }), undefined);
});

test("a schema is known by the requested name, so that two files may have the same $id", async () => {
  const other = { ...GREETING, required: [], properties: {} };
  const { schemas } = schemasOf({ "greeting/input": GREETING, "greeting/copy": other });
  assert.equal((await schemas.check("greeting/input"))({ name: "Ada" }), undefined);
  assert.equal((await schemas.check("greeting/copy"))({ name: "Ada" })?.pointer, "/name");
});

test("a check does not change the value: it fills in no defaults and converts no types", async () => {
  const schema = { ...GREETING, required: [] };
  const check = await schemasOf({ "greeting/input": schema }).schemas.check("greeting/input");
  const value = {};
  assert.equal(check(value), undefined);
  assert.deepEqual(value, {});
  assert.equal(check({ name: 5 })?.sentence, "/name must be a string.");
});

test("a missing schema is named, with the path where it was expected", async () => {
  const { schemas } = schemasOf({});
  const missing = {
    code: "SCHEMA_INVALID",
    message: "There is no schema greeting/input.",
    hint: "Each schema has a file of its own in the folder schemas: greeting/input.json.",
  };
  await assert.rejects(schemas.document("greeting/input"), missing);
  await assert.rejects(schemas.check("greeting/input"), missing);
});

test("a schema that is not strict is refused with its name and the reason, at every request", async () => {
  const loose: readonly JsonSchema[] = [
    { type: "object", propertys: {} },
    { type: "objekt" },
    { properties: { a: { type: "string", minimum: 3 } } },
    { type: "string", format: "no-such-format" },
    { $ref: "other/schema" },
    { $schema: "http://json-schema.org/draft-07/schema#", type: "object" },
  ];
  for (const schema of loose) {
    const { schemas } = schemasOf({ "greeting/input": schema });
    const reasons: string[] = [];
    for (const attempt of [1, 2]) {
      const caught: unknown = await schemas.check("greeting/input").catch((error: unknown) => error);
      assert.ok(caught instanceof SkillError, `attempt ${attempt} at ${JSON.stringify(schema)}`);
      assert.equal(caught.code, "SCHEMA_INVALID");
      assert.match(caught.message, /^The schema greeting\/input cannot be used: .+\.$/);
      assert.ok(caught.cause instanceof Error);
      reasons.push(caught.message);
    }
    assert.equal(reasons[0], reasons[1]);
  }
});

test("a schema that was temporarily unreadable can be used when it can be read again", async () => {
  let full = true;
  const schemas = new Schemas({
    read: async () => {
      if (full) throw new SkillError("FILE_UNREADABLE", "input.json cannot be read (EMFILE).");
      return GREETING;
    },
  });
  await assert.rejects(schemas.check("greeting/input"), { code: "FILE_UNREADABLE" });
  full = false;
  assert.equal((await schemas.check("greeting/input"))({ name: "Ada" }), undefined);
});

test("a compiler that temporarily failed to load is loaded when it is needed again", async () => {
  let full = true;
  const { schemas } = schemasOf({ "greeting/input": GREETING }, async (skill) => {
    if (full && skill === "core") throw new SkillError("FILE_UNREADABLE", "core.js cannot be read (EMFILE).");
    return undefined;
  });
  await assert.rejects(schemas.check("greeting/input"), { code: "FILE_UNREADABLE" });
  full = false;
  assert.equal((await schemas.check("greeting/input"))({ name: "Ada" }), undefined);
});

test("a prebuilt validator is used instead of the schema, which is not read", async () => {
  const made: Validator = Object.assign((value: unknown) => value === "made", { errors: [] });
  const asked: string[] = [];
  const { schemas, read } = schemasOf(
    { "greeting/input": GREETING, "greeting/late": GREETING },
    async (skill) => {
      asked.push(skill);
      return { "greeting/input": made };
    },
  );
  assert.equal((await schemas.check("greeting/input"))("made"), undefined);
  assert.equal((await schemas.check("greeting/input"))("other")?.sentence, "The value does not fit.");
  assert.deepEqual(read, []);
  assert.equal((await schemas.check("greeting/late"))({ name: "Ada" }), undefined);
  assert.deepEqual(read, ["greeting/late"]);
  // When a schema must be compiled, the core is asked for the schema of schemas.
  assert.deepEqual([...new Set(asked)], ["greeting", "core"]);
});

test("an empty list contains nothing, whatever the list before it contained", () => {
  const contains = { type: "array", contains: { const: "a" } };
  const lists = createAjv().compile({ type: "array", items: contains });
  const maps = createAjv().compile({ type: "object", additionalProperties: contains });
  assert.deepEqual([lists([["a"], []]), maps({ one: ["a"], two: [] })], [false, false]);
  assert.match(lists.errors?.[0]?.message ?? "", /^must contain at least 1 valid item\(s\)$/);
  assert.equal(lists([["a"], ["b", "a", "a"]]), true);
  const bounded = createAjv().compile({ ...contains, minContains: 0, maxContains: 1 });
  assert.deepEqual(
    [[], ["a"], ["a", "a"]].map((list) => bounded(list)),
    [true, true, false],
  );
  assert.match(bounded.errors?.[0]?.message ?? "", /no more than 1 valid/);
});

test("a pattern that backtracks without end stops the check, is its author's fault, and the next value is checked", async () => {
  const word = { type: "string", pattern: "^(a+)+$" };
  const { schemas } = schemasOf({
    "greeting/slow": { ...GREETING, properties: { name: word } },
    "greeting/slow-names": { type: "object", patternProperties: { [word.pattern]: {} } },
  });
  const slow = await schemas.check("greeting/slow");
  const name = `${"a".repeat(60)}!`;
  const thrown = {
    code: "SCHEMA_INVALID",
    message: "The schema greeting/slow cannot be used: one of its patterns took longer than 1000 ms.",
    hint: "This is a fault of the skill greeting; it has a repetition inside a repetition, such as (a+)+.",
  };
  assert.throws(() => slow({ name }), thrown);
  assert.deepEqual([slow({ name: "aaa" }), slow({ name: "b" })?.pointer], [undefined, "/name"]);
  const names = await schemas.check("greeting/slow-names");
  assert.throws(() => names({ [name]: 1 }), { code: "SCHEMA_INVALID" });
});
