import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { ROOT, SKILLS } from "../../contract-tests/harness.ts";
import type { Predicate } from "../contract.ts";
import { createAjv } from "../schema/ajv.ts";
import { Schemas } from "../schema/schemas.ts";
import { readTables } from "../testing/cases/rule-cases.ts";
import { withShell } from "./fixture-facts.ts";
import { OWN_RULES, ownRules, patternsAt } from "./own/own-rules.ts";
import { compilePredicate, type BuiltPredicate } from "./predicate.ts";

const schema = (name: string): { readonly $defs: { readonly predicate: object } } =>
  JSON.parse(readFileSync(join(ROOT, "schemas", "core", `${name}.json`), "utf8"));

test("a predicate judges a part as JSON Schema does, also without the type of the whole", async () => {
  const rows: readonly (readonly [
    when: Predicate,
    accepted: readonly unknown[],
    refused: readonly unknown[],
  ])[] = [
    [{ properties: { a: { type: "string" } }, required: ["a"] }, [{ a: "x" }, 4], [{}, { a: 1 }]],
    [{ required: ["a"] }, [{ a: null }], [{}, { a: undefined }]],
    [{ pattern: "^\\p{L}+$" }, ["Ää", 5], ["a1", ""]],
    [{ minLength: 2, maxLength: 2 }, ["ab", "🎵🎵", 7], ["🎵", "abc"]],
    [
      { items: { contains: { const: "a" } } },
      [[["a"]], [["b", "a"]]],
      [
        [["a"], []],
        [["a"], ["b"]],
      ],
    ],
    [{ not: { enum: [[1], "b"] } }, [[1, 1], 1], [[1], "b"]],
    [
      { $defs: { tree: { items: { $ref: "#/$defs/tree" }, not: { const: "bad" } } }, $ref: "#/$defs/tree" },
      [[[["good"]]], "good"],
      [[[["bad"]]], "bad"],
    ],
  ];
  for (const [when, accepted, refused] of rows) {
    const speaks = await compilePredicate("greeting/rule", when);
    for (const value of accepted) assert.equal(speaks(value), true, JSON.stringify([when, value]));
    for (const value of refused) assert.equal(speaks(value), false, JSON.stringify([when, value]));
  }
});

test("a keyword that a rule may not use, or uses wrongly, is refused with its place", () => {
  assert.deepEqual(schema("skill-manifest").$defs.predicate, schema("configuration").$defs.predicate);
  const check = createAjv().compile({ $ref: "#/$defs/predicate", $defs: schema("configuration").$defs });
  const rows: readonly (readonly [when: unknown, place: string])[] = [
    [{ requird: ["a"] }, ""],
    [{ properties: { "a/b": { format: "uri" } } }, "/properties/a~1b"],
    [{ if: {} }, ""],
    [{ type: "text" }, "/type"],
    [{ type: ["string", "toString"] }, "/type/1"],
    [{ pattern: "(" }, "/pattern"],
    [{ enum: [] }, "/enum"],
    [{ minimum: "1" }, "/minimum"],
    [{ required: "a" }, "/required"],
    [{ properties: [] }, "/properties"],
    [{ anyOf: [{}, { not: 3 }] }, "/anyOf/1/not"],
    [{ $ref: "core/problem" }, "/$ref"],
    [{ $defs: { a: { contains: { nope: 1 } } }, $ref: "#/$defs/a" }, "/$defs/a/contains"],
  ];
  for (const [when, place] of rows)
    assert.deepEqual([check(when), check.errors?.[0]?.instancePath], [false, place], JSON.stringify(when));
});

test("a prebuilt rule decides like the rule that is compiled from its manifest", async () => {
  const [folders, homes] = [["/home/ada/.local/state/skillctl"], ["/home/ada"]];
  const fill = patternsAt({ state: folders, home: homes });
  const owners = SKILLS.map(({ manifest, folder }) => ({
    owner: manifest.name,
    folder,
    rules: manifest.rules,
  }));
  owners.push({
    owner: "core",
    folder: join(ROOT, "core", "guard", "own"),
    rules: ownRules({ state: folders, home: homes }),
  });
  assert.equal(Object.keys(owners.at(-1)?.rules ?? {}).length, Object.keys(OWN_RULES).length);
  const schemas = new Schemas({ read: (name) => Promise.resolve(schema(name.replace("core/", ""))) });
  let tried = 0;
  for (const { owner, folder, rules = {} } of owners) {
    for (const [name, { when, on }] of Object.entries(rules)) {
      if (!when || !on) continue;
      const path = join(ROOT, "dist", "validators", `${owner}.${name}.rule.cjs`);
      // Node uses the whole CommonJS module as its default, tsx only its default export.
      const { default: given } = (await import(pathToFileURL(path).href)) as {
        default: BuiltPredicate | { readonly default: BuiltPredicate };
      };
      const built = "default" in given ? given.default : given;
      const speaks = await compilePredicate(`${owner}/${name}`, when);
      const same = built((source, flags) => new RegExp(fill(source), flags));
      const { passes, stops } = await readTables(folder, name, schemas);
      for (const row of [...passes, ...stops.map(({ subject }) => subject)]) {
        const subject = await withShell(row);
        assert.equal(same(subject), speaks(subject), `${owner}/${name}: ${JSON.stringify(subject)}`);
        tried += 1;
      }
    }
  }
  assert.ok(tried > 500, String(tried));
});
