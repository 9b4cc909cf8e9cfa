/** One broken skill among four: it is named with file, pointer and sentence, and the others run. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { createTestHost, type TestHost } from "skillctl/testing";
import {
  greetingFiles,
  greetingManifest,
  writeSkill,
  type SkillFiles,
} from "../core/testing/fixture-greeting.ts";
import { sayInProcess } from "./command-line.ts";

const SOUND = ["alpha", "beta", "gamma"];

/** Three sound skills and what is put beside them. */
async function among(
  others: Readonly<Record<string, SkillFiles>>,
  action: (test: TestHost, folder: string) => Promise<void>,
): Promise<void> {
  await using place = await createTestHost();
  const folder = join(place.folder, "skills");
  for (const name of SOUND) await writeSkill(folder, name, greetingFiles(name));
  for (const [name, files] of Object.entries(others)) await writeSkill(folder, name, files);
  await using test = await createTestHost({ plugins: [folder] });
  await action(test, folder);
}

/** The sound ones are hosted, with those that break only when they are needed, and run. */
async function othersRun(test: TestHost, ...hosted: readonly string[]): Promise<void> {
  const names = test.host.catalog.skills.map(({ manifest }) => manifest.name);
  assert.deepEqual(names.toSorted(), [...SOUND, ...hosted].toSorted());
  for (const skill of SOUND) {
    assert.deepEqual(await test.run({ skill, command: "greet", input: { name: "Ada" } }), {
      text: "Hello Ada.",
    });
  }
}

/** What `validate` says of the four, without the skills in the box: those lend the ports already. */
const validate = (folder: string) => sayInProcess(["validate", folder], folder, { builtin: [] });

const files = (name: string, manifest: object): SkillFiles => ({
  ...greetingFiles(name),
  "skill.json": { ...greetingManifest(name), ...manifest },
});
const lends = "export default { commands: {}, routes: {}, rules: {} };";

describe("one broken skill among four", () => {
  test("a bad manifest is named with file, pointer and sentence", () =>
    among({ bad: files("bad", { version: "one" }) }, async (test, folder) => {
      const [fault, ...more] = test.host.catalog.faults;
      assert.deepEqual(more, []);
      assert.equal(fault?.file, join(folder, "bad", "skill.json"));
      assert.deepEqual([fault.skill, fault.pointer, fault.code], ["bad", "/version", "MANIFEST_INVALID"]);
      assert.match(fault.sentence, /^\/version must match pattern/);
      await assert.rejects(test.run({ skill: "bad", input: {} }), {
        code: "MANIFEST_INVALID",
        pointer: "/version",
      });
      await othersRun(test);
      const said = await validate(folder);
      assert.equal(said.status, 1);
      assert.match(said.out, /bad\/skill\.json#\/version: \/version must match pattern/);
    }));

  test("a manifest that is no JSON is named with file and sentence", () =>
    among({ bad: { "skill.json": '{ "name": "bad", }' } }, async (test, folder) => {
      const [fault] = test.host.catalog.faults;
      assert.equal(fault?.file, join(folder, "bad", "skill.json"));
      assert.match(fault.sentence, /cannot be read/);
      await othersRun(test);
      const said = await validate(folder);
      assert.equal(said.status, 1);
      assert.match(said.out, /bad\/skill\.json#: The file is no JSON/);
    }));

  test("a missing module is named when it is needed, and by validate", () =>
    among({ bad: { ...greetingFiles("bad"), "plugin.js": undefined } }, async (test, folder) => {
      const file = join(folder, "bad", "plugin.js");
      const wanted = { code: "PLUGIN_MISSING", file, message: `bad has no code: there is no file ${file}.` };
      await assert.rejects(test.run({ skill: "bad", command: "greet", input: { name: "Ada" } }), wanted);
      await othersRun(test, "bad");
      const said = await validate(folder);
      assert.equal(said.status, 1);
      assert.match(
        said.out,
        /bad\/skill\.json#: The code of the skill is missing: there is no \.\/plugin\.js/,
      );
    }));

  test("a throwing module is named with its skill and its own words when it is needed, and by validate", () =>
    among(
      { bad: { ...greetingFiles("bad"), "plugin.js": "throw new Error('out of tea');" } },
      async (test, folder) => {
        const wanted = {
          code: "PLUGIN_BROKEN",
          message: "The code of bad fails while it is loaded: out of tea",
        };
        await assert.rejects(test.run({ skill: "bad", command: "greet", input: { name: "Ada" } }), wanted);
        await othersRun(test, "bad");
        const checked = await validate(folder);
        assert.equal(checked.status, 1);
        assert.match(
          checked.out,
          /bad\/skill\.json#: \.\/plugin\.js throws as soon as it is loaded \(line 1\)/,
        );
        // validate reads the code and runs none; the contract tests load it.
        const said = await sayInProcess(["test", join(folder, "bad")], folder);
        assert.equal(said.status, 1);
        assert.match(said.out, /FAIL manifest: every name has a handler[^\n]*\n\s+out of tea/);
      },
    ));

  test("skills that need each other's ports in a circle are named, each with the way round", () =>
    among(
      {
        bad: {
          ...files("bad", { provides: ["access-tokens"], requires: { "analysis-service": "required" } }),
          "plugin.js": lends,
        },
        worse: {
          ...files("worse", { provides: ["analysis-service"], requires: { "access-tokens": "optional" } }),
          "plugin.js": lends,
        },
      },
      async (test, folder) => {
        const faults = test.host.catalog.faults.map(({ code, file, pointer, sentence }) => [
          code,
          file,
          pointer,
          sentence,
        ]);
        assert.deepEqual(faults, [
          [
            "PORT_CYCLE",
            join(folder, "bad", "skill.json"),
            "/requires/analysis-service",
            "bad needs itself: bad -> worse -> bad.",
          ],
          [
            "PORT_CYCLE",
            join(folder, "worse", "skill.json"),
            "/requires/access-tokens",
            "worse needs itself: worse -> bad -> worse.",
          ],
        ]);
        await othersRun(test);
        const said = await validate(folder);
        assert.equal(said.status, 1);
        assert.match(said.out, /bad\/skill\.json#\/requires\/analysis-service: bad needs itself/);
      },
    ));

  test("of two providers of one port the second is named with both", () =>
    among(
      {
        one: { ...files("one", { provides: ["access-tokens"] }), "plugin.js": lends },
        two: { ...files("two", { provides: ["access-tokens"] }), "plugin.js": lends },
      },
      async (test, folder) => {
        const faults = test.host.catalog.faults.map(({ code, file, pointer, sentence }) => [
          code,
          file,
          pointer,
          sentence,
        ]);
        const file = join(folder, "two", "skill.json");
        assert.deepEqual(faults, [
          ["PORT_CONFLICT", file, "/provides/0", "two provides access-tokens, and so does one."],
        ]);
        await othersRun(test, "one");
        const said = await validate(folder);
        assert.equal(said.status, 1);
        assert.match(said.out, /two\/skill\.json#\/provides\/0: two provides access-tokens, and so does one/);
      },
    ));

  test("the faults reach list and /health, so that nobody misses them", () =>
    among({ bad: files("bad", { version: "one" }) }, async (test, folder) => {
      const { url } = await test.serve();
      const health = (await (await fetch(`${url}/health`)).json()) as {
        readonly skills: readonly string[];
        readonly faults: number;
      };
      assert.deepEqual([health.skills, health.faults], [SOUND, 1]);
      const said = await sayInProcess(["list", "--plugin", folder], folder);
      for (const name of SOUND) assert.match(said.out, new RegExp(`^${name}`, "m"));
      assert.match(said.err, /bad/);
    }));
});
