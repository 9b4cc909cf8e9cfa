/** A start that is cut off: whatever moment it was, the next command goes on, and nothing stays behind. */
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { DyingFiles } from "./faults/dying-files.ts";
import { HYPOTHESES, debugProject, type DebugProject } from "./session-harness.ts";
import { ID, RECORD } from "./doors-walk.ts";

const START = { issue: "The sum is wrong", session: ID, hypotheses: HYPOTHESES };

/** Ends the session, and answers the record that it had: nothing else is left. */
async function ended({ root, host, run }: DebugProject, where: string): Promise<string> {
  const record = await readFile(join(root, RECORD), "utf8");
  await run("answer", { answer: "D" });
  assert.equal((await run("cleanup")).state, "closed", where);
  assert.deepEqual(await readdir(root), ["total.js"], where);
  const kept = join(host.environment.stateFolder, "runtime-debug");
  assert.deepEqual(await readdir(kept).catch(() => []), [], where);
  return record;
}

test("a start that was killed behind any of its changes is begun again, or the session goes on", async (t) => {
  const dying = new DyingFiles();
  const project = await debugProject(t, { git: "none", ports: { files: dying.files } });
  const { run } = project;
  await run("start", START);
  const record = await ended(project, "not killed");
  for (let change = 1, hasDied = true; hasDied; change += 1) {
    const where = `killed behind change ${change}`;
    dying.dieAt(change);
    await run("start", START).catch((error: unknown) => assert.match(String(error), /dead/));
    hasDied = dying.revive();
    const { sessions } = await run("status");
    const [session] = sessions as readonly { readonly state: string }[];
    if (!session) await run("start", START);
    else if (session.state === "observing") await run("hypothesize", { hypotheses: HYPOTHESES });
    assert.equal((await run("status")).text.includes("Step 4 of 11"), true, where);
    assert.equal(await ended(project, where), record, where);
  }
});
