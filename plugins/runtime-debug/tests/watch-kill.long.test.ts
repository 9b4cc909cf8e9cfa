/** A look that dies while it puts files back: the next one goes on, and nothing that was written is lost. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { noGit } from "./worktree-harness.ts";
import { DyingFiles, type Moment } from "./faults/dying-files.ts";
import { watchedProject } from "./watch-harness.ts";

const CODE = "let sum = 0;\n";

function hashOf(bytes: string | Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

test("a look killed at each of its changes is ended by the next one", { skip: noGit }, async (t) => {
  const dying = new DyingFiles();
  const project = await watchedProject(t, { files: dying.files });
  await project.write({ "a.js": CODE, "src/b.js": CODE, "src/c.js": CODE });
  await project.begin();
  const before = project.tree();
  const deaths = { before: 0, after: 0 };
  for (const moment of ["before", "after"] as const satisfies readonly Moment[]) {
    for (let change = 1; ; change += 1) {
      const text = `${moment} ${change}\n`;
      await project.write({ "a.js": `1 ${text}`, "new/d.js": `2 ${text}` });
      await rm(join(project.root, "src"), { recursive: true });
      await project.write({ src: `3 ${text}` });
      dying.dieAt(change, moment);
      await project.look().catch(() => undefined);
      if (!dying.revive()) break;
      deaths[moment] += 1;
      const { stuck } = await project.look();
      assert.deepEqual(stuck, []);
      assert.deepEqual(project.tree(), before, text);
      const shelf = `${project.entry().baseline.images}.reverted`;
      const kept = new Set(filesBelow(shelf).map((path) => hashOf(readFileSync(path))));
      for (const part of ["1", "2", "3"]) assert.ok(kept.has(hashOf(`${part} ${text}`)), `${part} ${text}`);
      await rm(shelf, { recursive: true });
    }
  }
  assert.ok(deaths.before > 10 && deaths.after > 10, JSON.stringify(deaths));
});

function filesBelow(folder: string): readonly string[] {
  const found = readdirSync(folder, { withFileTypes: true, recursive: true });
  return found.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
