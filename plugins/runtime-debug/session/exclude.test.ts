import assert from "node:assert/strict";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { after, describe, test } from "node:test";
import type { Files } from "skillctl";
import { createTestHost } from "skillctl/testing";
import { excludeRecord, includeRecord } from "./exclude.ts";

const LINE = "/debug-login-times-out.md";
const RULE = `# Of the debug session login-times-out, until its cleanup:\n${LINE}`;

interface Place {
  readonly root: string;
  readonly files: Files;
}

const host = await createTestHost();
after(() => host.close());
let places = 0;

async function place(layout: Readonly<Record<string, string>>): Promise<Place> {
  places += 1;
  const root = join(host.environment.workingFolder, String(places), "project");
  await mkdir(root, { recursive: true });
  for (const [name, text] of Object.entries(layout)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  return { root, files: host.host.ports.files };
}

const exclude = ({ root, files }: Place): Promise<void> => excludeRecord(root, "login-times-out", files);
const include = ({ root, files }: Place): Promise<void> => includeRecord(root, "login-times-out", files);

describe("the rule that leaves a record out of git", () => {
  const TEXTS: readonly (readonly [before: string | undefined, with_: string, after: string])[] = [
    ["# mine\n*.log\n", `# mine\n*.log\n${RULE}\n`, "# mine\n*.log\n"],
    ["*.log", `*.log\n${RULE}\n`, "*.log\n"],
    ["a\r\nb\r\n", `a\r\nb\r\n${RULE}\n`, "a\r\nb\r\n"],
    ["", `${RULE}\n`, ""],
    [undefined, `${RULE}\n`, ""],
    [`${LINE}\n*.log\n`, `${LINE}\n*.log\n${RULE}\n`, `${LINE}\n*.log\n`],
  ];
  test("comes and goes with whatever was there", async () => {
    for (const [before, between, after] of TEXTS) {
      const name = ".git/info/exclude";
      const one = await place({ ".git/HEAD": "x", ...(before !== undefined && { [name]: before }) });
      const text = (): Promise<string> => readFile(join(one.root, name), "utf8");
      await exclude(one);
      await exclude(one);
      assert.equal(await text(), between, `before: ${JSON.stringify(before)}`);
      await include(one);
      assert.equal(await text(), after, `before: ${JSON.stringify(before)}`);
    }
  });

  test("of another session stays", async () => {
    const one = await place({ ".git/info/exclude": `/debug-other-one.md\n` });
    await exclude(one);
    await include(one);
    assert.equal(await readFile(join(one.root, ".git/info/exclude"), "utf8"), "/debug-other-one.md\n");
  });

  test("goes to the folder that all work trees share", async () => {
    const one = await place({
      ".git": "gitdir: ../main/.git/worktrees/one\n",
      "../main/.git/worktrees/one/commondir": "../..\n",
    });
    await exclude(one);
    assert.equal(await readFile(join(one.root, "../main/.git/info/exclude"), "utf8"), `${RULE}\n`);
  });

  test("is not made without git, nor where somebody has put a link", async () => {
    const bare = await place({});
    await exclude(bare);
    await include(bare);
    const linked = await place({ ".git/HEAD": "x", ".git/info/x": "", shared: "*.log\n" });
    await symlink(join(linked.root, "shared"), join(linked.root, ".git/info/exclude"));
    await exclude(linked);
    assert.equal(await readFile(join(linked.root, "shared"), "utf8"), "*.log\n");
  });
});
