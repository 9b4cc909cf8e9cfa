/** Schemas that an author may write, and the fault of a wrong one, through the doors. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { createTestHost } from "skillctl/testing";
import { runCli, writeSkill, ownFolder } from "../../surfaces/cli/fixture-command-line.ts";
import { linkPackage } from "../../adapters/link-package.ts";

type Json = Readonly<Record<string, unknown>>;

/** A skill whose input has this schema: returns its folder, the folder above, and skillctl in that one. */
async function skillWith(t: TestContext, input: Json) {
  const path = await ownFolder(t);
  await linkPackage(path);
  const told = { title: "Words", description: "Words of a test." };
  const output = { type: "object", required: ["text"], additionalProperties: false };
  const folder = await writeSkill(path, "words", {
    schemas: {
      "greet-input": { ...told, ...input },
      "text-output": {
        ...told,
        ...output,
        properties: { text: { type: "string" } },
        examples: [{ text: "Hello" }],
      },
    },
  });
  const say = (...words: readonly string[]) =>
    runCli(path, [...words, "--plugin", folder], { version: "0.1.0" });
  return { folder, path, say };
}

const OBJECT = { type: "object", required: ["name"], additionalProperties: false };
const ALLOWED: Readonly<Record<string, Json>> = {
  "a subschema that is referred to by name ($anchor)": {
    ...OBJECT,
    properties: { name: { $ref: "#word" } },
    $defs: { word: { $anchor: "word", type: "string", minLength: 2 } },
    examples: [{ name: "Ada" }],
  },
  "a schema that refers to itself by name ($dynamicRef), and a dependency on a property": {
    ...OBJECT,
    $dynamicAnchor: "node",
    properties: {
      name: { type: "string", minLength: 2 },
      kids: { type: "array", items: { $dynamicRef: "#node" } },
    },
    dependentSchemas: { kids: { minProperties: 2 } },
    examples: [{ name: "Ada", kids: [{ name: "Bo" }] }],
  },
  "a list with its own first items (prefixItems), and an object with unevaluatedProperties": {
    type: "object",
    required: ["name"],
    allOf: [{ properties: { name: { type: "string", minLength: 2 } } }],
    properties: { pair: { type: "array", prefixItems: [{ type: "string" }], items: false, minItems: 1 } },
    unevaluatedProperties: false,
    examples: [{ name: "Ada", pair: ["a"] }],
  },
};

test("all features of JSON Schema 2020-12 and Ajv are checked, validated, tested and documented over HTTP", async (t) => {
  for (const [what, input] of Object.entries(ALLOWED)) {
    const { say, folder } = await skillWith(t, input);
    const given = (name: string) => say("run", "words", "--input", JSON.stringify({ name }));
    assert.deepEqual(await given("Ada"), { status: 0, out: "Hello Ada\n", err: "" }, what);
    const short = await given("A");
    assert.equal(short.status, 65, what);
    assert.match(short.err, /must have at least 2 characters/, what);
    const valid = await say("validate", folder);
    assert.equal(valid.err, "", what);
    const tested = await say("test", "words");
    assert.match(tested.out, /^\d+ passed, [01] failed/m, what);
    assert.doesNotMatch(tested.out, /FAIL (?:schema|command)/, `${what}\n${tested.out}`);
    await using host = await createTestHost({ plugins: [folder] });
    const { url } = await host.serve();
    const document = await (await fetch(`${url}/openapi.json`)).text();
    assert.match(document, /"\/v1\/skills\/words\/commands\/greet"/, what);
    assert.doesNotMatch(document, /Anchor|"\$anchor"|dynamicRef/, what);
  }
});

test("a misspelt type is reported as a fault of the schema, for any caller and input", async (t) => {
  const { say, folder } = await skillWith(t, {
    ...OBJECT,
    properties: { name: { type: "sting" } },
    examples: [{ name: "Ada" }],
  });
  const blamed =
    /The schema words\/greet-input cannot be used: \/properties\/name\/type must be one of "array", "boolean"/;
  for (const words of [["Ada"], ["--name", "Ada"], ["--input", '{"name":"Ada"}'], []]) {
    const { status, err } = await say("run", "words", ...words);
    assert.deepEqual([status, blamed.test(err)], [78, true], err);
    assert.match(
      err,
      /hint: This is a fault of the skill words; `skillctl validate DIR`, with the folder of the skill, shows/,
    );
  }
  for (const words of [
    ["run", "words", "greet", "--help"],
    ["types", folder],
  ]) {
    const { status, err } = await say(...words);
    assert.deepEqual([status, blamed.test(err)], [78, true], err);
  }
  assert.match(
    (await say("validate", folder)).out,
    /greet-input\.json#\/properties\/name\/type: .*SCHEMA_INVALID/,
  );
  await using host = await createTestHost({ plugins: [folder] });
  const { url } = await host.serve();
  const reply = await fetch(`${url}/v1/skills/words/commands/greet`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"name":"Ada"}',
  });
  const { code } = (await reply.json()) as { readonly code: string };
  assert.deepEqual([reply.status, code], [500, "SCHEMA_INVALID"]);
});
