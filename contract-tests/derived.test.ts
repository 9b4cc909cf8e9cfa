/**
 * Tests that follow from manifests and schemas, apart from commands and routes: every schema with its examples and
 * derived values, every rule against its tables, `skills/<skill>/rules/<rule>.json`. They include the checks of `skillctl validate`.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { contractTests, createTestHost } from "skillctl/testing";
import { createAjv } from "../core/schema/ajv.ts";
import { schemaCases } from "../core/testing/cases/schema-cases.ts";
import { Coverage } from "../core/testing/coverage.ts";
import { checkSchemaRules } from "../core/validation/schema-rules.ts";
import { ROOT, SKILLS } from "./harness.ts";

await contractTests({ skills: SKILLS, kinds: ["manifests"] });
await contractTests({ skills: SKILLS, kinds: ["schemas"] });
await contractTests({ skills: SKILLS, kinds: ["rules"] });

describe("the schemas", async () => {
  const folders = readdirSync(join(ROOT, "schemas"));
  const names = folders.flatMap((owner) =>
    readdirSync(join(ROOT, "schemas", owner)).map((file) => `${owner}/${file.replace(".json", "")}`),
  );

  test("follow the rules for schemas, including those of the core, and compile in strict mode without a warning", () => {
    const faults: string[] = [];
    let name = "";
    const note = (...words: readonly unknown[]): void => void faults.push(`${name}: ${words.join(" ")}`);
    const ajv = createAjv({ logger: { log: note, warn: note, error: note } });
    for (name of names) {
      const schema = JSON.parse(readFileSync(join(ROOT, "schemas", `${name}.json`), "utf8")) as object;
      checkSchemaRules({ ...schema }, name, note);
      ajv.compile(schema);
      // No schema may refer to another one.
      ajv.removeSchema(name);
    }
    assert.deepEqual(faults, []);
  });

  test("belong to the core, or are named in the manifest or the code of their skill", () => {
    const texts = (owner: string): readonly string[] =>
      readdirSync(join(ROOT, "plugins", owner), { recursive: true, encoding: "utf8" })
        .filter((path) => path.endsWith(".ts") && !path.endsWith("contract.ts"))
        .map((path) => readFileSync(join(ROOT, "plugins", owner, path), "utf8"));
    const unused = SKILLS.flatMap(({ manifest }) => {
      const all = [JSON.stringify(manifest), ...texts(manifest.name)].join("\n");
      return names.filter((name) => name.startsWith(`${manifest.name}/`) && !all.includes(name));
    });
    assert.deepEqual(unused, []);
  });

  await using probe = await createTestHost();
  const core = { ...SKILLS[0], manifest: { name: "core" }, schemas: join(ROOT, "schemas", "core") };
  const skill = core as unknown as (typeof SKILLS)[number];
  const { schemas } = probe.host;
  const coverage = new Coverage();
  const cases = await schemaCases({ skill, schemas, coverage, seed: 1, open: createTestHost });
  for (const { title, skip, run } of cases)
    test(title, { skip: skip ?? false }, async () => void (await run()));
});

test("every skill folder is built in, and every prompt of a folder is named in its manifest", () => {
  const inFolder = (...path: readonly string[]) =>
    existsSync(join(...path)) ? readdirSync(join(...path)) : [];
  const folders = inFolder(ROOT, "skills").filter((name) =>
    inFolder(ROOT, "skills", name).includes("skill.json"),
  );
  assert.deepEqual(SKILLS.map(({ manifest }) => manifest.name).sort(), folders.sort());
  for (const { manifest, folder } of SKILLS) {
    const named = Object.values(manifest.prompts ?? {}).map(({ file }) => file);
    const there = inFolder(folder, "prompts").map((file) => `prompts/${file}`);
    assert.deepEqual(there.sort(), named.sort());
    assert.ok(readFileSync(join(folder, "SKILL.md"), "utf8").split("\n").length <= 500, manifest.name);
  }
});
