/** `check` makes copies of how the files were that it sees probes in: git may throw the commit away before the cleanup. */
import assert from "node:assert/strict";
import { readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import { HYPOTHESES, debugProject } from "./session-harness.ts";
import { noGit } from "./worktree-harness.ts";

it("cleans files after a gc that probes were put into by hand", { skip: noGit }, async (t) => {
  const { root, git, run, fails, collect } = await debugProject(t, { git: true });
  const path = join(root, "total.js");
  const before = await readFile(path, "utf8");
  await utimes(path, 1_000_000, 1_000_000);
  await run("start", { issue: "The sum is wrong", session: "sum-is-wrong" });
  await run("hypothesize", { hypotheses: HYPOTHESES });
  const server = await collect("sum-is-wrong");
  const printed = await run("probe", { hypothesis: "A", point: "loop", lang: "js" });
  const region = (printed["region"] as readonly string[]).join("\n");
  await writeFile(path, before.replace("  return", `${region}\n  return`));
  assert.equal((await fails("check")).code, "DEBUG_CHECK_FAILED", "B and C have no probe");
  // With other code changed too, the old text is needed.
  await writeFile(path, (await readFile(path, "utf8")).replace("let sum = 0", "let sum = 9"));
  git("add", "--all");
  git("commit", "--quiet", "--amend", "--message", "other");
  git("reflog", "expire", "--expire=now", "--all");
  git("gc", "--quiet", "--prune=now");
  const told = await fails("check");
  assert.match(told.message, /total\.js:2/);
  await server.stop();
  await run("answer", { answer: "D" });
  assert.equal((await fails("cleanup")).code, "DEBUG_CLEANUP_UNSAFE");
  await run("cleanup", { accept: ["total.js:2"] });
  assert.equal(await readFile(path, "utf8"), before.replace("let sum = 0", "let sum = 9"));
});
