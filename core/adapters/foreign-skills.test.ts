import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Schemas, type Check, type JsonSchema } from "../schema/schemas.ts";
import type { HostedSkill } from "../skill.ts";
import { fixtureCommand, fixtureHost } from "../testing/fixture-skills.ts";
import { nodeFiles } from "./files.ts";
import { foreignSkills } from "./foreign-skills.ts";
import { packageFolder } from "./package-folder.ts";

const schemas = new Schemas({
  read: async (name) =>
    JSON.parse(
      (await nodeFiles.readText(join(packageFolder(), "schemas", `${name}.json`))) ?? "null",
    ) as JsonSchema,
});
const manifestCheck: Promise<Check> = schemas.check("core/skill-manifest");

/** Writes files below a new folder; returns the folder and a function that reads the skills in it. */
async function tree(
  files: Readonly<Record<string, string | object>>,
  clean: (remove: () => Promise<void>) => void,
) {
  const folder = await mkdtemp(join(tmpdir(), "skillctl-foreign-"));
  clean(() => rm(folder, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(folder, path, ".."), { recursive: true });
    await writeFile(join(folder, path), typeof content === "string" ? content : JSON.stringify(content));
  }
  const check = await manifestCheck;
  const read = (paths: readonly string[], accepts = (range: string) => range !== "^9.0.0") =>
    foreignSkills(
      paths.map((path) => join(folder, path)),
      check,
      accepts,
    );
  return { folder, read };
}

const manifest = (name: string, more: object = {}): object => ({
  manifestVersion: 1,
  name,
  version: "0.1.0",
  summary: "A skill.",
  engines: { skillctl: "^0.1.0" },
  ...more,
});

test("a folder of skills is read in name order; subfolders without a skill.json are ignored", async (t) => {
  const files = {
    "many/b/skill.json": manifest("b"),
    "many/a/skill.json": manifest("a"),
    "many/c/deeper/skill.json": manifest("deeper"),
    "many/notes.txt": "no skill",
    "many/skill.json.bak/skill.json/x": "a folder of that name",
    "other/z/skill.json": manifest("z"),
  };
  const { read } = await tree(files, (remove) => t.after(remove));
  const { skills, faults } = read(["other", "many"]);
  assert.deepEqual([skills.map((skill) => skill.manifest.name), faults], [["z", "a", "b"], []]);
});

test("each invalid skill is reported with its fault and does not affect its neighbours", async (t) => {
  const files = {
    "many/good/skill.json": manifest("good"),
    "many/broken/skill.json": '{ "name": "broken", }',
    "many/empty/skill.json": "",
    "many/null/skill.json": "null",
    "many/misnamed/skill.json": manifest("named-otherwise"),
    "many/future/skill.json": manifest("future", { engines: { skillctl: "^9.0.0" } }),
    "many/misshapen/skill.json": manifest("misshapen", { commands: { Greet: fixtureCommand("misshapen") } }),
    "many/unversioned/skill.json": { ...manifest("unversioned"), version: undefined },
  };
  const { folder, read } = await tree(files, (remove) => t.after(remove));
  const { skills, faults } = read(["many"]);
  assert.deepEqual(
    skills.map((skill) => skill.manifest.name),
    ["good"],
  );
  const told = faults.map(({ code, skill, pointer, sentence }) => [skill, code, pointer, sentence]);
  assert.deepEqual(
    told.map(([skill, code, pointer]) => [skill, code, pointer]),
    [
      ["broken", "MANIFEST_INVALID", ""],
      ["empty", "MANIFEST_INVALID", ""],
      ["future", "ENGINE_MISMATCH", "/engines/skillctl"],
      ["misnamed", "MANIFEST_INVALID", "/name"],
      ["misshapen", "MANIFEST_INVALID", "/commands/Greet"],
      ["null", "MANIFEST_INVALID", ""],
      ["unversioned", "MANIFEST_INVALID", "/version"],
    ],
  );
  const sentences = Object.fromEntries(told.map(([skill, , , sentence]) => [skill, sentence]));
  assert.match(sentences["broken"] ?? "", /^The manifest cannot be read: .* \(line 1, column \d+\)\.$/);
  assert.equal(sentences["future"], "future requires skillctl ^9.0.0.");
  assert.equal(
    sentences["misnamed"],
    "The name named-otherwise is not the name of the folder: rename one of them.",
  );
  assert.equal(sentences["null"], "The value must be an object.");
  assert.equal(sentences["unversioned"], "/version is missing.");
  assert.equal(faults[0]?.file, join(folder, "many", "broken", "skill.json"));
});

test("a skill with a name that skillctl uses for its own rules or addresses is left out", async (t) => {
  const names = ["core", "operator", "user", "v1", "workspace"];
  const files = Object.fromEntries(names.map((name) => [`many/${name}/skill.json`, manifest(name)]));
  const { read } = await tree(files, (remove) => t.after(remove));
  const { skills, faults } = read(["many"]);
  assert.deepEqual(skills, []);
  assert.deepEqual(
    faults.map(({ skill, pointer, sentence }) => [skill, pointer, sentence]),
    names.map((name) => [
      name,
      "/name",
      '/name must not be one of "core", "workspace", "user", "operator", "v1".',
    ]),
  );
});

test("a skill with a document, prompt or schema over 1 MiB is left out; its code may have any size", async (t) => {
  const long = "x".repeat(1024 * 1024);
  const files = {
    "many/document/skill.json": manifest("document"),
    "many/document/SKILL.md": long + "x",
    "many/schema/skill.json": manifest("schema"),
    "many/schema/schemas/a.json": { description: long },
    "many/code/skill.json": manifest("code"),
    "many/code/SKILL.md": long,
    "many/code/plugin.js": `//${long}`,
  };
  const { read } = await tree(files, (remove) => t.after(remove));
  const { skills, faults } = read(["many"]);
  assert.deepEqual(
    skills.map((skill) => skill.manifest.name),
    ["code"],
  );
  assert.deepEqual(
    faults.map(({ sentence }) => sentence),
    ["SKILL.md", "schemas/a.json"].map((name) => `${name} cannot be used: it is over 1048576 bytes.`),
  );
});

test("a path without a skill is reported, whether it is missing, empty or a file", async (t) => {
  const { folder, read } = await tree({ "file.txt": "text", "empty/notes.txt": "text" }, (remove) =>
    t.after(remove),
  );
  for (const path of ["missing", "empty", "file.txt"]) {
    const { skills, faults } = read([path]);
    const isThere = path !== "missing";
    const reason = `skill.json in ${join(folder, path)} or in one of its folders`;
    assert.deepEqual(skills, []);
    assert.deepEqual(faults, [
      {
        code: "MANIFEST_INVALID",
        skill: path,
        file: join(folder, path, "skill.json"),
        pointer: "",
        sentence: `There is no ${isThere ? reason : `folder ${join(folder, path)}`}.`,
      },
    ]);
  }
});

test("a misspelt folder is reported with the most similar one beside it", async (t) => {
  const { folder, read } = await tree({ "greeting/notes.txt": "text" }, (remove) => t.after(remove));
  const [fault] = read(["greting"]).faults;
  assert.equal(fault?.sentence, `There is no folder ${join(folder, "greting")}; did you mean greeting?`);
});

const CODE = `export default { commands: { greet: class { run = async () => ({ text: "Hello." }) } } };`;
const withCommand = (name: string, more: object = {}) =>
  manifest(name, { commands: { greet: fixtureCommand(name) }, ...more });
/** A host of the skills in a folder, with the schemas of the fixtures. */
const hostOf = (skills: readonly HostedSkill[]) =>
  fixtureHost(skills.map((skill) => ({ ...skill, schemas: `/schemas/${skill.manifest.name}` })));
const runs = (host: ReturnType<typeof fixtureHost>, skill: string) =>
  host.run({ skill, command: "greet", input: {} });

test("a module that was compiled to CommonJS has its default export one level deeper", async (t) => {
  const files = {
    "a/skill.json": withCommand("a"),
    "a/package.json": { type: "commonjs" },
    "a/plugin.js": `Object.defineProperty(exports, "__esModule", { value: true });\nexports.default = ${CODE.slice("export default ".length)}`,
  };
  const { read } = await tree(files, (remove) => t.after(remove));
  const { skills } = read(["a"]);
  assert.deepEqual(Object.keys(Object((await skills[0]?.load())?.default)), ["commands"]);
  assert.deepEqual(await runs(hostOf(skills), "a"), { text: "Hello." });
});

test("the code of a skill is plugin.js next to the manifest, or the module that the manifest names", async (t) => {
  const files = {
    "many/a/skill.json": withCommand("a"),
    "many/a/plugin.js": CODE,
    "many/b/skill.json": withCommand("b", { plugin: "./code/100% #1/main.mjs" }),
    "many/b/code/100% #1/main.mjs": CODE,
    "many/a/package.json": { type: "module" },
  };
  const { read } = await tree(files, (remove) => t.after(remove));
  const { skills, faults } = read(["many"]);
  assert.deepEqual(faults, []);
  const host = hostOf(skills);
  for (const skill of ["a", "b"]) assert.deepEqual(await runs(host, skill), { text: "Hello." });
});

test("missing code is reported with its path, and a missing import of the code with the name of the import", async (t) => {
  const files = {
    "many/bare/skill.json": withCommand("bare"),
    "many/far/skill.json": withCommand("far", { plugin: "./far.mjs" }),
    "many/far/far.mjs": `import "./gone.mjs";\n${CODE}`,
    "many/lone/skill.json": withCommand("lone", { plugin: "./lone.mjs" }),
    "many/lone/lone.mjs": `import "no-such-package-of-skillctl";\n${CODE}`,
    "many/bent/skill.json": withCommand("bent", { plugin: "./bent.mjs" }),
    "many/bent/bent.mjs": "export default {{;",
  };
  const { folder, read } = await tree(files, (remove) => t.after(remove));
  const host = hostOf(read(["many"]).skills);
  const code = join(folder, "many", "bare", "plugin.js");
  await assert.rejects(runs(host, "bare"), {
    code: "PLUGIN_MISSING",
    message: `bare has no code: ${code} is missing.`,
    file: code,
  });
  await assert.rejects(runs(host, "far"), {
    code: "PLUGIN_MISSING",
    message:
      /^The code of far, or something that it imports, cannot be found: .*gone\.mjs' imported from .*far\.mjs/,
  });
  await assert.rejects(runs(host, "lone"), {
    code: "PLUGIN_MISSING",
    message:
      /^The code of lone, or something that it imports, cannot be found: .*'no-such-package-of-skillctl' imported from .*lone\.mjs/,
  });
  await assert.rejects(runs(host, "bent"), {
    code: "PLUGIN_BROKEN",
    message: /^The code of bent fails while it is loaded: /,
  });
});
