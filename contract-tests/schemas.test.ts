import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, test } from "node:test";
import { createAjv } from "../core/schema/ajv.ts";
import { schemaCases } from "../core/testing/cases/schema-cases.ts";
import { contractTests, createTestHost } from "skillctl/testing";
import { ROOT, SKILLS } from "./harness.ts";

type Schema = { readonly [key: string]: unknown };

const FOLDER = join(ROOT, "schemas");
const NAMES = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => readdirSync(join(FOLDER, name)).map((file) => `${name}/${file}`));

const read = (file: string): Schema => JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as Schema;

/** Every schema inside a schema that states values, with its pointer; what only adds to another is left out. */
function* parts(schema: unknown, pointer = ""): Generator<readonly [string, Schema]> {
  if (typeof schema !== "object" || schema === null) return;
  const { properties, $defs, items, additionalProperties, propertyNames, oneOf, anyOf } = schema as Schema;
  yield [pointer, schema as Schema];
  for (const [key, map] of Object.entries({ properties, $defs })) {
    for (const [name, part] of Object.entries((map ?? {}) as Schema))
      yield* parts(part, `${pointer}/${key}/${name}`);
  }
  for (const [key, part] of Object.entries({ items, additionalProperties, propertyNames }))
    yield* parts(part, `${pointer}/${key}`);
  for (const [key, list] of Object.entries({ oneOf, anyOf })) {
    for (const [index, part] of ((list ?? []) as Schema[]).entries())
      yield* parts(part, `${pointer}/${key}/${index}`);
  }
}

const bounded = (part: Schema): boolean =>
  "enum" in part ||
  "const" in part ||
  (["minimum", "exclusiveMinimum"].some((key) => key in part) &&
    ["maximum", "exclusiveMaximum"].some((key) => key in part));
const isType = (part: Schema, ...types: string[]): boolean =>
  [part["type"]].flat().some((type) => types.includes(String(type)));

describe("every schema of the box", () => {
  test("is one of at least three skills or of the core", () => {
    assert.ok(new Set(NAMES.map((name) => name.split("/")[0])).size >= 4);
  });

  for (const file of NAMES) {
    const schema = read(file);

    test(`${file} has its path as $id, a title, a description and the dialect 2020-12`, () => {
      assert.equal(schema["$id"], file.replace(/\.json$/, ""));
      assert.equal(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
      for (const key of ["title", "description"])
        assert.ok(typeof schema[key] === "string" && /\S/.test(schema[key]), key);
    });

    test(`${file} compiles in strict mode without a warning`, () => {
      const warnings: unknown[] = [];
      const note = (...words: unknown[]): void => void warnings.push(words);
      createAjv({ logger: { log: note, warn: note, error: note } }).compile(schema);
      assert.deepEqual(warnings, []);
    });

    test(`${file} closes or opens each object in words, and bounds each number`, () => {
      for (const [pointer, part] of parts(schema)) {
        if (isType(part, "object"))
          assert.ok("additionalProperties" in part, `${pointer} does not say additionalProperties`);
        if (isType(part, "number", "integer")) assert.ok(bounded(part), `${pointer} has no bounds`);
      }
    });
  }
});

describe("every schema of the core", async () => {
  await using probe = await createTestHost();
  const { schemas } = probe.host;
  const core = {
    ...SKILLS[0],
    manifest: { name: "core" },
    schemas: join(FOLDER, "core"),
  } as unknown as (typeof SKILLS)[number];
  const cases = await schemaCases({ skill: core, schemas, open: createTestHost });
  for (const { title, skip, run } of cases)
    test(title, { skip: skip ?? false }, async () => void (await run()));
});

test("every schema file belongs to the core or is named by its skill: in the manifest or in its code", () => {
  const unused = NAMES.filter((file) => {
    const [owner = "", name = ""] = file.replace(/\.json$/, "").split("/");
    if (owner === "core") return false;
    const manifest = JSON.stringify(SKILLS.find((skill) => skill.manifest.name === owner)?.manifest ?? {});
    const code = readdirSync(join(ROOT, "plugins", owner), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts") && basename(path) !== "contract.ts")
      .map((path) => readFileSync(join(ROOT, "plugins", owner, path), "utf8"));
    return ![manifest, ...code].some((text) => text.includes(`${owner}/${name}`));
  });
  assert.deepEqual(unused, []);
});

await contractTests({ skills: SKILLS, kinds: ["schemas"] });
