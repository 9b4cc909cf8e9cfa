/** A folder with a skill that came from elsewhere: its links, names and depth reach no other file and no terminal. */
import assert from "node:assert/strict";
import { mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { greetingFiles, writeSkill } from "../../../testing/fixture-greeting.ts";
import { ownFolder } from "../fixture-command-line.ts";
import { say } from "../skeleton/fixture-skeleton.ts";

const SECRET = "secret-of-another-file";
const VERBS = [
  ["types", "./greeting"],
  ["info", "greeting"],
  ["validate", "./greeting"],
  ["run", "greeting", "--help"],
];

test("a schema that is a link or too deep is named as a fault, and nothing of it is quoted", async (t) => {
  const folder = await ownFolder(t);
  const skill = await writeSkill(folder, "greeting", greetingFiles());
  const schema = join(skill, "schemas", "input.json");
  const other = join(folder, "other.txt");
  await writeFile(other, `${SECRET}\n`);
  const deep = '{"properties":{"a":'.repeat(50_000) + "{}" + "}}".repeat(50_000);
  for (const plant of [() => symlink(other, schema), () => writeFile(schema, deep)]) {
    await rm(schema);
    await plant();
    for (const words of VERBS) {
      const { status, out, err } = await say([...words, "--verbose"], folder, { plugins: ["greeting"] });
      assert.ok(status !== 70 && !/Unexpected failure/.test(err), `${words.join(" ")}: ${err}`);
      assert.ok(!(out + err).includes(SECRET), words.join(" "));
    }
  }
});

test("summaries of a skill control no terminal through its help", async (t) => {
  const folder = await ownFolder(t);
  const files = greetingFiles();
  const manifest = files["skill.json"] as { readonly commands: Readonly<Record<string, object>> };
  const summary = "Greets \u001b[2J\u202e people.";
  const commands = { greet: { ...manifest.commands["greet"], summary } };
  await writeSkill(folder, "greeting", { ...files, "skill.json": { ...manifest, summary, commands } });
  for (const words of [
    ["run", "greeting"],
    ["run", "greeting", "greet"],
    ["info", "greeting"],
  ]) {
    const { out } = await say([...words, ...(words[0] === "run" ? ["--help"] : [])], folder, {
      plugins: ["greeting"],
    });
    assert.match(out, /Greets \\u001b\[2J\\u202e people/);
    assert.ok(!/[\u001b\u202e]/.test(out), JSON.stringify(out));
  }
});

test("new writes nothing through a link in the place of node_modules", async (t) => {
  const folder = await ownFolder(t);
  const [project, other] = [join(folder, "project"), join(folder, "other")];
  for (const path of [project, other]) await mkdir(path);
  await symlink(other, join(project, "node_modules"));
  const { status, err } = await say(["new", "hello"], project);
  assert.deepEqual([status, await readdir(other)], [77, []], err);
  assert.match(err, /node_modules is a link, and skillctl does not follow it\./);
  assert.deepEqual(await readdir(project), ["node_modules"]);
});
