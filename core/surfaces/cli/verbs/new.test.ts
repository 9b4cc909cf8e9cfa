import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, readFile, readdir, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { nodeFiles } from "../../../adapters/files.ts";
import { packageFolder } from "../../../adapters/package-folder.ts";
import { ownFolder } from "../fixture-command-line.ts";
import { put, say } from "../skeleton/fixture-skeleton.ts";

const registered = async (root: string): Promise<unknown> =>
  JSON.parse(await readFile(join(root, "skillctl.json"), "utf8"));

test("the manifest of a new skill names a schema that exists, so that an editor completes it", async (t) => {
  const root = await ownFolder(t);
  await say(["new", "greeting", "--dir", "some skills/mine"], root);
  const folder = join(root, "some skills", "mine", "greeting");
  const { $schema } = JSON.parse(await readFile(join(folder, "skill.json"), "utf8")) as { $schema: string };
  assert.equal($schema, "../node_modules/skillctl/schemas/core/skill-manifest.json");
  assert.ok((await stat(join(folder, $schema))).isFile());
});

test("the link to skillctl is created next to the skill, so that a copy of the skill contains no packages", async (t) => {
  const root = await ownFolder(t);
  await say(["new", "greeting"], root);
  assert.ok(!(await readdir(join(root, "greeting"))).includes("node_modules"));
  assert.equal(await readFile(join(root, "node_modules", ".gitignore"), "utf8"), "*\n");
});

test("another skillctl in the path of a new skill is refused, and nothing is written or trusted", async (t) => {
  for (const folder of ["", "above/"]) {
    const root = await ownFolder(t);
    await put(root, "node_modules/skillctl/package.json", { name: "skillctl" });
    const words = ["new", "greeting", ...(folder === "" ? [] : ["--dir", folder])];
    const { status, err } = await say(words, root);
    assert.equal(status, 77, err);
    assert.match(err, /node_modules\/skillctl is another copy of skillctl\.\nhint: .*--dir/);
    assert.deepEqual(
      (await readdir(root)).toSorted(),
      folder === "" ? ["node_modules"] : ["above", "node_modules"],
    );
    assert.equal(await nodeFiles.facts(join(root, "skillctl.json")), undefined);
  }
});

test("no link is created if the skill already resolves this program, and its schema is used", async (t) => {
  const root = await ownFolder(t);
  await mkdir(join(root, "node_modules"));
  await symlink(packageFolder(), join(root, "node_modules", "skillctl"), "junction");
  await say(["new", "greeting"], root);
  assert.ok(!(await readdir(join(root, "greeting"))).includes("node_modules"));
  const { $schema } = JSON.parse(await readFile(join(root, "greeting", "skill.json"), "utf8")) as {
    $schema: string;
  };
  assert.equal($schema, "../node_modules/skillctl/schemas/core/skill-manifest.json");
});

test("a new skill changes nothing else in skillctl.json, and keeps its indentation", async (t) => {
  const root = await ownFolder(t);
  await put(root, "skillctl.json", `{\n\t"plugins": ["./other"],\n\t"config": { "x": { "a": 1 } }\n}\n`);
  await say(["new", "greeting"], root);
  assert.deepEqual(await registered(root), { plugins: ["./other", "./greeting"], config: { x: { a: 1 } } });
  assert.match(await readFile(join(root, "skillctl.json"), "utf8"), /^\{\n\t"plugins"/);
});

test("a skill in a folder that is listed as a whole is not listed a second time", async (t) => {
  const root = await ownFolder(t);
  await put(root, "skillctl.json", { plugins: ["./mine"] });
  const { out } = await say(["new", "greeting", "--dir", "mine"], root, { plugins: ["mine"] });
  assert.deepEqual(await registered(root), { plugins: ["./mine"] });
  assert.doesNotMatch(out, /Added/);
});

const OWN_TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestHost } from "skillctl/testing";

test("greets by name", async () => {
  const host = await createTestHost({ plugins: [import.meta.dirname] });
  const output = await host.run({ skill: "greeting", command: "greet", input: { name: "Ada" } });
  assert.deepEqual(output, { text: "Hello Ada." });
  await host.close();
});
test("fails as it should", () => assert.fail());
`;

test("the test script of a new skill runs the contract tests and the skill's own, in JavaScript and TypeScript", async (t) => {
  for (const words of [[], ["--ts"]]) {
    const root = await ownFolder(t);
    await say(["new", "greeting", ...words], root);
    const folder = join(root, "greeting");
    await put(folder, "name.test.js", OWN_TEST);
    const { scripts } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as {
      scripts: { test: string };
    };
    const env = { PATH: process.env["PATH"], HOME: root };
    const script = scripts.test.replace(/^tsc && /, "");
    const { status, stdout } = spawnSync(script, { cwd: folder, encoding: "utf8", shell: true, env });
    assert.equal(status, 1, stdout);
    for (const line of [/rule no-shouting: passes and stops/, /greets by name/, /[#ℹ] fail 1$/m])
      assert.match(stdout, line);
  }
});

test("a skill in TypeScript brings the compiler and the types that this program is built with", async (t) => {
  const root = await ownFolder(t);
  await say(["new", "typed", "--ts"], root);
  const read = async (path: string) =>
    JSON.parse(await readFile(path, "utf8")) as Readonly<Record<string, Record<string, string>>>;
  const { devDependencies: own } = await read(join(packageFolder(), "package.json"));
  const { devDependencies, scripts } = await read(join(root, "typed", "package.json"));
  assert.deepEqual(devDependencies, { "@types/node": own?.["@types/node"], typescript: own?.["typescript"] });
  assert.deepEqual(scripts, { build: "tsc", prepack: "tsc", test: "tsc && node --test" });
});

test("with --no-register no configuration is written and the suggested commands name the folder", async (t) => {
  const root = await ownFolder(t);
  const { out } = await say(["new", "greeting", "--no-register"], root);
  assert.equal(await nodeFiles.facts(join(root, "skillctl.json")), undefined);
  assert.match(out, /skillctl run greeting Ada --plugin greeting\n/);
});

const BAD_NAMES: readonly (readonly [name: string, hint: RegExp])[] = [
  ["Greeting", /hyphens\.$/m],
  ["my skill", /hyphens\.$/m],
  ["GreetingCard", /hyphens\.$/m],
  ["grüße", /hyphens\.$/m],
  ["a--b", /hyphens\.$/m],
  ["问候", /hyphens\.$/m],
  ["../escape", /hyphens\.$/m],
  ["a".repeat(65), /^hint: A name is 1 to 64/m],
  ["core", /reserved by skillctl/],
  ["v1", /reserved by skillctl/],
];

test("a name that does not fit is refused with a hint and nothing is written", async (t) => {
  for (const [name, hint] of BAD_NAMES) {
    const root = await ownFolder(t);
    const { status, err } = await say(["new", name], root);
    assert.equal(status, 64, name);
    assert.match(err, hint, name);
    assert.deepEqual(await readdir(root), [], name);
  }
});

test("a file or a link at the path of the folder is refused", async (t) => {
  const root = await ownFolder(t);
  await put(root, "greeting", "a file");
  await symlink(root, join(root, "linked"));
  assert.match((await say(["new", "greeting"], root)).err, /exists and is not a folder/);
  assert.equal((await say(["new", "linked"], root)).status, 73);
  assert.deepEqual(await readdir(root), ["greeting", "linked"]);
});

test("an empty folder is filled", async (t) => {
  const root = await ownFolder(t);
  await put(root, "greeting/x", "");
  await nodeFiles.remove(join(root, "greeting", "x"));
  assert.equal((await say(["new", "greeting"], root)).status, 0);
});

test("the name of a hosted or a broken skill is refused", async (t) => {
  const root = await ownFolder(t);
  await say(["new", "greeting"], root);
  const again = () => say(["new", "greeting", "--dir", "b"], root, { plugins: ["greeting"] });
  assert.match((await again()).err, /A skill greeting already exists in /);
  await put(root, "greeting/skill.json", "{");
  assert.match((await again()).err, /A skill greeting already exists in /);
  assert.equal(await nodeFiles.facts(join(root, "b")), undefined);
});

test("with a broken skillctl.json nothing is written, except with --no-register", async (t) => {
  const root = await ownFolder(t);
  await put(root, "skillctl.json", "{");
  assert.equal((await say(["new", "greeting"], root)).status, 78);
  assert.deepEqual(await readdir(root), ["skillctl.json"]);
  assert.equal((await say(["new", "greeting", "--no-register"], root)).status, 0);
});
