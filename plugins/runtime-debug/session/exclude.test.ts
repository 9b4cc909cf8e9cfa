import assert from "node:assert/strict";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { after, describe, test } from "node:test";
import { createTestHost } from "skillctl/testing";
import { excludeRecord, includeRecord } from "./exclude.ts";

const ID = "login-times-out";
const RULE = `# Of the debug session ${ID}, until its cleanup:\n/debug-${ID}.md`;
const FILE = ".git/info/exclude";
const REPOSITORY = { ".git/HEAD": "x", ".git/objects/x": "" };

const host = await createTestHost();
after(() => host.close());
const { files } = host.host.ports;
let places = 0;

/** A project of these files. */
async function place(layout: Readonly<Record<string, string>>): Promise<string> {
  const root = join(host.environment.workingFolder, String((places += 1)), "project");
  for (const [name, text] of Object.entries({ "a.js": "", ...layout })) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  return root;
}

describe("the rule that leaves a record out of git", () => {
  test("is added to and removed from any existing content", async () => {
    for (const [before, between, after] of [
      ["# mine\n*.log\n", `# mine\n*.log\n${RULE}\n`, "# mine\n*.log\n"],
      ["*.log", `*.log\n${RULE}\n`, "*.log\n"],
      ["a\r\nb\r\n", `a\r\nb\r\n${RULE}\n`, "a\r\nb\r\n"],
      [undefined, `${RULE}\n`, ""],
      [`/debug-${ID}.md\n/debug-x-y.md\n`, `/debug-${ID}.md\n/debug-x-y.md\n${RULE}\n`, undefined],
    ] as const) {
      const root = await place({ ...REPOSITORY, ...(before !== undefined && { [FILE]: before }) });
      await excludeRecord(root, ID, files);
      await excludeRecord(root, ID, files);
      assert.equal(await readFile(join(root, FILE), "utf8"), between);
      await includeRecord(root, ID, files);
      assert.equal(await readFile(join(root, FILE), "utf8"), after ?? before);
    }
  });

  test("is written to the folder that all work trees share, and not without git or through a link", async () => {
    const root = await place({
      ".git": "gitdir: ../main/.git/worktrees/one\n",
      "../main/.git/worktrees/one/commondir": "../..\n",
      "../main/.git/worktrees/one/gitdir": "../../../../project/.git\n",
      "../main/.git/worktrees/one/HEAD": "x",
      "../main/.git/objects/x": "",
    });
    await excludeRecord(root, ID, files);
    assert.equal(await readFile(join(root, "..", "main", FILE), "utf8"), `${RULE}\n`);
    await excludeRecord(await place({}), ID, files);
    const linked = await place({ ...REPOSITORY, ".git/info/x": "", shared: "*.log\n" });
    await symlink(join(linked, "shared"), join(linked, FILE));
    await excludeRecord(linked, ID, files);
    assert.equal(await readFile(join(linked, "shared"), "utf8"), "*.log\n");
    const folder = await place({ ...REPOSITORY, "other/exclude": "*.log\n" });
    await symlink(join(folder, "other"), join(folder, ".git/info"));
    await excludeRecord(folder, ID, files);
    assert.equal(await readFile(join(folder, "other/exclude"), "utf8"), "*.log\n");
  });

  test("is not written to a repository that belongs to another work tree", async () => {
    const other = { "../other/.git/HEAD": "x", "../other/.git/objects/x": "" };
    for (const [named, layout] of [
      ["../other/.git", other],
      ["../other/.git", { ...other, "../other/.git/gitdir": "../.git\n" }],
      ["../other/.git", { ...other, "../other/.git/config": "[core]\n\tworktree = ..\n" }],
    ] as const) {
      const root = await place({ ".git": `gitdir: ${named}\n`, ...layout });
      await excludeRecord(root, ID, files);
      await assert.rejects(readFile(join(root, "..", "other", FILE), "utf8"), { code: "ENOENT" });
    }
  });
});
