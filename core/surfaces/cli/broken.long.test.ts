import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { runCli, temporaryFolder, writeSkill } from "./fixture.ts";

describe("a broken skillctl.json", () => {
  test("is told with the place to blame, and a missing one is none", async () => {
    const { path, close } = await temporaryFolder();
    const file = join(path, "skillctl.json");
    await writeFile(file, '{"plugins":[1]}');
    const shown = await runCli(path, ["list", "--verbose"]);
    assert.equal(shown.status, 78);
    assert.match(shown.err, /^error: .*skillctl\.json: \/plugins\/0 must be a string\.\nhint: /);
    assert.match(shown.err, /\ncode: CONFIG_INVALID\nfile: .*\npointer: \/plugins\/0\n/);
    await writeFile(file, "{");
    assert.equal((await runCli(path, ["list"])).status, 78);
    await rm(file);
    assert.deepEqual(await runCli(path, ["list"]), { status: 0, out: "", err: "" });
    await close();
  });
});

/** One broken skill, how `list` tells it (or shows it like any other), and how it ends when it is run. */
const BROKEN: readonly (readonly [
  string,
  Parameters<typeof writeSkill>[2],
  RegExp | undefined,
  number,
  RegExp,
])[] = [
  [
    "a manifest that does not fit",
    { manifest: { version: 7 } },
    /^left out: broken: \/version must be a string\. \(.*broken.skill\.json#\/version\)\n$/,
    78,
    /broken was left out: \/version must be a string/,
  ],
  ["a missing module", { code: undefined }, undefined, 78, /broken.*plugin\.js/],
  [
    "a module that throws",
    { code: "throw new Error('no luck');" },
    undefined,
    70,
    /The code of broken fails while it is loaded: no luck/,
  ],
  [
    "a module without a plugin",
    { code: "export default { commands: {} };" },
    undefined,
    70,
    /commands lacks a class for "greet"/,
  ],
  [
    "ports in a circle",
    { manifest: { provides: ["analysis-service"], requires: { "analysis-service": "required" } } },
    /^left out: broken: broken needs itself: broken -> broken\. \(/,
    78,
    /broken needs itself/,
  ],
  [
    "a port that another provides",
    { manifest: { provides: ["access-tokens"] } },
    /^left out: broken: broken provides access-tokens, and so does a-lender\. \(/,
    78,
    /so does a-lender/,
  ],
  [
    "the wrong version of the host",
    { manifest: { engines: { skillctl: "^99.0.0" } } },
    /^left out: broken: broken asks for skillctl \^99\.0\.0\. \(/,
    78,
    /asks for skillctl/,
  ],
];

for (const [fault, parts, listed, status, message] of BROKEN) {
  test(`a skill with ${fault} is told, and the three others run`, async () => {
    const { path, close } = await temporaryFolder();
    const skills = join(path, "skills");
    await writeSkill(skills, "broken", parts);
    await writeSkill(skills, "a-lender", { manifest: { provides: ["access-tokens"] } });
    for (const name of ["good", "other"]) await writeSkill(skills, name);
    const cli = (...words: readonly string[]) => runCli(path, ["--plugin", skills, ...words]);
    const list = await cli("list");
    assert.equal(list.status, 0);
    assert.deepEqual(list.out.match(/^[\w-]+/gm), [
      "a-lender",
      ...(listed ? [] : ["broken"]),
      "good",
      "other",
    ]);
    if (listed) assert.match(list.err, listed);
    else assert.equal(list.err, "");
    assert.equal((await cli("run", "good", "Ada")).out, "Hello Ada\n");
    assert.equal((await cli("run", "other", "Ada")).out, "Hello Ada\n");
    const broken = await cli("run", "broken", "Ada");
    assert.deepEqual([broken.status, broken.out], [status, ""]);
    assert.match(broken.err, message);
    await close();
  });
}
