import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { load as parseYaml } from "js-yaml";
import { contractTests } from "skillctl/testing";
import { ROOT, SKILLS } from "./harness.ts";

await contractTests({ skills: SKILLS, kinds: ["manifests"] });

test("the box holds every skill folder and nothing else", () => {
  const folders = readdirSync(join(ROOT, "skills")).filter((name) =>
    existsSync(join(ROOT, "skills", name, "skill.json")),
  );
  assert.deepEqual(SKILLS.map(({ manifest }) => manifest.name).sort(), folders.sort());
});

/** Names in braces, as texts and prompts have them. */
const placeholdersIn = (text: string): readonly string[] =>
  [...new Set(text.match(/(?<=\{)[A-Z][A-Z0-9_]*(?=\})/g) ?? [])].sort();

for (const { manifest, folder, schemas } of SKILLS) {
  const { name, summary, commands = {}, texts = {}, prompts = {} } = manifest;
  const schema = (full: string) =>
    JSON.parse(readFileSync(join(schemas, `${full.split("/")[1]}.json`), "utf8")) as {
      properties?: Record<string, { type?: unknown }>;
    };

  describe(`the data of ${name}`, () => {
    const document = readFileSync(join(folder, "SKILL.md"), "utf8");
    const front = parseYaml(/^---\n(.*?)\n---\n/s.exec(document)?.[1] ?? "") as {
      name?: string;
      description?: string;
    };

    test("SKILL.md has the manifest's name and speaks of the same subject", () => {
      assert.equal(front.name, name);
      const words = (text: string): Set<string> => new Set(text.toLowerCase().match(/\p{L}{4,}/gu) ?? []);
      const shared = [...words(summary)].filter((word) => words(front.description ?? "").has(word));
      assert.ok(
        shared.length >= 2,
        `the description and the summary share only: ${shared.join(", ") || "nothing"}`,
      );
    });

    test("SKILL.md is under 500 lines and its description is at most 1,024 characters", () => {
      assert.ok(document.split("\n").length <= 500);
      const length = [...(front.description ?? "")].length;
      assert.ok(length > 0 && length <= 1024, `${length} characters`);
    });

    test("every placeholder of a text and a prompt is declared and occurs", () => {
      for (const [key, { text, placeholders = [] }] of Object.entries(texts)) {
        assert.deepEqual(placeholdersIn(text), [...placeholders].sort(), key);
      }
      for (const [key, { file, placeholders = [] }] of Object.entries(prompts)) {
        assert.deepEqual(
          placeholdersIn(readFileSync(join(folder, file), "utf8")),
          [...placeholders].sort(),
          key,
        );
      }
    });

    test("positional and display name properties that exist, and one command at most is the default", () => {
      for (const [key, { input, output, positional = [], display }] of Object.entries(commands)) {
        const properties = schema(input).properties ?? {};
        for (const property of positional) assert.ok(property in properties, `${key}: ${property}`);
        for (const property of positional.slice(0, -1))
          assert.notEqual(properties[property]?.type, "array", `${key}: ${property}`);
        if (display !== undefined)
          assert.ok(display in (schema(output).properties ?? {}), `${key}: ${display}`);
      }
      assert.ok(Object.values(commands).filter((command) => command.default).length <= 1);
    });

    test("every file in prompts/ is a prompt of the manifest", () => {
      const files = existsSync(join(folder, "prompts")) ? readdirSync(join(folder, "prompts")) : [];
      assert.deepEqual(
        files.map((file) => `prompts/${file}`).sort(),
        Object.values(prompts)
          .map(({ file }) => file)
          .sort(),
      );
    });
  });
}
