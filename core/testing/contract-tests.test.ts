import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { contractCases, type CaseKind } from "./contract-tests.ts";
import { greetingFiles, greetingManifest, writeSkill, type SkillFiles } from "./fixture-greeting.ts";
import { createTestHost } from "./test-host.ts";

/** The titles of the cases that fail, with the reasons. */
async function failures(files: SkillFiles, kinds?: readonly CaseKind[]): Promise<readonly string[]> {
  await using place = await createTestHost();
  const folder = await writeSkill(place.folder, "greeting", files);
  const failed: string[] = [];
  for (const one of await contractCases({ plugins: [folder], ...(kinds && { kinds }) })) {
    if (one.skip !== undefined) continue;
    await one
      .run()
      .catch((caught: unknown) =>
        failed.push(`${one.title}: ${caught instanceof Error ? caught.message : ""}`),
      );
  }
  return failed;
}

const sound = greetingFiles();
const manifest = greetingManifest();
const code = sound["plugin.js"] as string;

/** A fault put into a sound skill, and what must be said of it. */
const FAULTS: readonly (readonly [CaseKind, string, SkillFiles, RegExp])[] = [
  [
    "schemas",
    "a schema whose example does not fit",
    { "schemas/input.json": { ...(sound["schemas/input.json"] as object), examples: [{}] } },
    /schema greeting\/input: has examples.*The host refuses the example \{\}/s,
  ],
  [
    "manifests",
    "a handler that the manifest does not name",
    { "plugin.js": code.replace("greet: Greet", "greet: Greet, wave: Greet") },
    /every name has a handler.*commands has "wave"/s,
  ],
  [
    "manifests",
    "a command without a handler",
    { "plugin.js": "export default { commands: {}, routes: {}, rules: {} };" },
    /commands lacks a class for "greet"/,
  ],
  [
    "commands",
    "an output that does not fit its schema",
    { "plugin.js": code.replace("return { text: `Hello", "return { words: `Hello") },
    /command greet: example 1.*OUTPUT_INVALID/s,
  ],
  [
    "commands",
    "an error code that the command does not declare",
    { "plugin.js": code.replace("return { text: `Hello", "throw new Error('no'); return { text: `Hello") },
    /command greet: example 1.*INTERNAL, which the manifest does not declare/s,
  ],
  [
    "routes",
    "a route whose reply has an undocumented status",
    { "plugin.js": code.replace("status: 200", "status: 201") },
    /route echo: example 1 gets a documented reply.*undocumented status 500/s,
  ],
  [
    "rules",
    "a rule without tables",
    { "rules/no-shouting.json": undefined },
    /rule no-shouting.*has no tables/s,
  ],
  [
    "rules",
    "a rule with an empty table",
    { "rules/no-shouting.json": { passes: [], stops: [] } },
    /rule no-shouting.*no case that passes/s,
  ],
  [
    "rules",
    "a rule that stops what its table lets pass",
    {
      "rules/no-shouting.json": {
        ...(sound["rules/no-shouting.json"] as object),
        passes: [
          { event: "command.pre", surface: "cli", skill: "greeting", name: "greet", input: { name: "ADA" } },
        ],
      },
    },
    /rule no-shouting.*gets deny and should pass/s,
  ],
  [
    "rules",
    "a table of no rule",
    { "rules/no-rule.json": {} },
    /rules: every table belongs to a rule.*no-rule\.json/s,
  ],
  [
    "manifests",
    "a manifest that cannot be hosted",
    { "skill.json": { ...manifest, version: "one" } },
    /is hosted: .*skill\.json#\/version/,
  ],
  [
    "manifests",
    "a description over the limit",
    { "SKILL.md": `---\nname: greeting\ndescription: ${"a".repeat(1025)}\n---\n` },
    /SKILL\.md/,
  ],
];

describe("the contract tests of a foreign skill", () => {
  test("all pass for a sound one", async () => {
    assert.deepEqual(await failures(sound), []);
  });

  for (const [kind, what, change, pattern] of FAULTS) {
    test(`name ${what}`, async () => {
      assert.match((await failures({ ...sound, ...change }, [kind])).join("\n"), pattern);
    });
  }

  test("send queries that are just beyond their bounds", async () => {
    const bounds = { type: "integer", minimum: 1, maximum: 3 };
    const counts: number[] = [];
    for (const times of [{ ...bounds, minimum: undefined, maximum: undefined }, bounds]) {
      await using place = await createTestHost();
      const query = { ...(sound["schemas/query.json"] as object), properties: { times } };
      const folder = await writeSkill(place.folder, "greeting", { ...sound, "schemas/query.json": query });
      const cases = await contractCases({ plugins: [folder], kinds: ["routes"] });
      counts.push(Number(/the (\d+) derived/.exec(cases.map(({ title }) => title).join())?.[1]));
    }
    assert.equal(counts[1], (counts[0] ?? 0) + 2);
  });

  test("refuse a skill that is not there", async () => {
    await assert.rejects(contractCases({ only: ["greting"] }), { code: "UNKNOWN_SKILL" });
  });
});
