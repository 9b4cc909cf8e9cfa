import assert from "node:assert/strict";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { after, describe, test } from "node:test";
import { createTestHost } from "skillctl/testing";
import { excludeRecord, includeRecord } from "./exclude.ts";

const ID = "login-times-out";
const RULE = `# Of the debug session ${ID}, until its cleanup:\n/debug-${ID}.md`;
const FILE = ".git/info/exclude";

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
  test("comes and goes with whatever was there", async () => {
    for (const [before, between, after] of [
      ["# mine\n*.log\n", `# mine\n*.log\n${RULE}\n`, "# mine\n*.log\n"],
      ["*.log", `*.log\n${RULE}\n`, "*.log\n"],
      ["a\r\nb\r\n", `a\r\nb\r\n${RULE}\n`, "a\r\nb\r\n"],
      [undefined, `${RULE}\n`, ""],
      [`/debug-${ID}.md\n/debug-x-y.md\n`, `/debug-${ID}.md\n/debug-x-y.md\n${RULE}\n`, undefined],
    ] as const) {
      const root = await place({ ".git/HEAD": "x", ...(before !== undefined && { [FILE]: before }) });
      await excludeRecord(root, ID, files);
      await excludeRecord(root, ID, files);
      assert.equal(await readFile(join(root, FILE), "utf8"), between);
      await includeRecord(root, ID, files);
      assert.equal(await readFile(join(root, FILE), "utf8"), after ?? before);
    }
  });

  test("goes to the folder that all work trees share, and is not made without git nor behind a link", async () => {
    const root = await place({
      ".git": "gitdir: ../main/.git/worktrees/one\n",
      "../main/.git/worktrees/one/commondir": "../..\n",
    });
    await excludeRecord(root, ID, files);
    assert.equal(await readFile(join(root, "..", "main", FILE), "utf8"), `${RULE}\n`);
    await excludeRecord(await place({}), ID, files);
    const linked = await place({ ".git/info/x": "", shared: "*.log\n" });
    await symlink(join(linked, "shared"), join(linked, FILE));
    await excludeRecord(linked, ID, files);
    assert.equal(await readFile(join(linked, "shared"), "utf8"), "*.log\n");
  });
});
