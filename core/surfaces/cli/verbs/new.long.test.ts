import { ownFolder } from "../fixture-command-line.ts";
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { appendFile, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { packageFolder } from "../../../adapters/package-folder.ts";

test("a skill in TypeScript is built, tested and packed by npm, and its package runs elsewhere", async (t) => {
  const root = await ownFolder(t);
  const modules = join(packageFolder(), "node_modules");
  const env = { PATH: process.env["PATH"], HOME: join(root, "home"), NO_COLOR: "1" };
  const run = (cwd: string, program: string, ...words: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync(program, words, { cwd, encoding: "utf8", env });
    assert.equal(status, 0, `${program} ${words.join(" ")}\n${stdout}\n${stderr}`);
    return stdout;
  };
  const skillctl = (cwd: string, ...words: readonly string[]): string =>
    run(cwd, process.execPath, join(packageFolder(), "bin", "skillctl.cjs"), ...words);
  await mkdir(env.HOME);
  skillctl(root, "new", "greeting", "--ts");
  const folder = join(root, "greeting");
  // In place of npm install: the compiler of this repository.
  await mkdir(join(folder, "node_modules", ".bin"), { recursive: true });
  for (const path of ["typescript", "@types", ".bin/tsc"])
    await symlink(join(modules, path), join(folder, "node_modules", path));
  await appendFile(join(folder, "plugin.ts"), 'import "node:fs";\n');
  assert.match(run(folder, "npm", "test"), /[#ℹ] fail 0$/m);
  const [{ files }] = JSON.parse(run(folder, "npm", "pack", "--offline", "--json")) as [
    { files: readonly { path: string }[] },
  ];
  assert.equal(
    files.map(({ path }) => path).join(" "),
    "SKILL.md package.json plugin.js rules/no-shouting.json schemas/greet-input.json schemas/greet-output.json skill.json",
  );
  await mkdir(join(root, "elsewhere"));
  skillctl(join(root, "elsewhere"), "add", join(folder, "greeting-0.1.0.tgz"), "--yes");
  assert.equal(skillctl(join(root, "elsewhere"), "run", "greeting", "Ada"), "Hello Ada.\n");
  assert.match(skillctl(join(root, "elsewhere"), "test", "greeting"), /\n\d+ passed, 0 failed, 0 skipped\n$/);
});
