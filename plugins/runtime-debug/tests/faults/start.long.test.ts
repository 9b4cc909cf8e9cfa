/** A start and a probe that are killed: the next command goes on, and no file of the project is harmed. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { ID } from "../cleanup-harness.ts";
import { debugHost, serving } from "../serving.ts";
import { HYPOTHESES } from "../session-harness.ts";
import { mortalProject, textAt, traces } from "./kill-harness.ts";

test("a start killed at each of its changes is begun again with the same words", async (t) => {
  const project = await mortalProject(t);
  const total = await textAt(join(project.root, "total.js"));
  await project.save();
  const input = { issue: "The sum is wrong", session: ID };
  await project.atEach("start", input, async (where, hasDied) => {
    assert.equal(await textAt(join(project.root, "total.js")), total, where);
    assert.match((await project.run("status")).text, /./, where);
    if (hasDied) await project.run("start", input).catch((error: unknown) => takenOnly(error, where));
    assert.match((await project.run("status")).text, /sum-is-wrong/, where);
    await project.write("total.js", `// #region debug-point A\nx();\n// #endregion\n${total}`);
    await project.run("answer", { answer: "D" });
    await project.run("cleanup");
    assert.equal(await textAt(join(project.root, "total.js")), total, where);
    assert.deepEqual(await traces(project), [], where);
  });
});

/** Killed behind its last change, a start has begun the session. */
function takenOnly(error: unknown, where: string): void {
  assert.equal((error as { readonly code?: unknown }).code, "DEBUG_SESSION_TAKEN", where);
}

test("a probe killed at each of its changes leaves the file as it was or as it shall be", async (t) => {
  const project = await mortalProject(t);
  const at = join(project.root, "total.js");
  const total = await textAt(at);
  await project.run("start", { issue: "The sum is wrong", session: ID });
  await project.run("hypothesize", { hypotheses: HYPOTHESES });
  // In a process that does not die with the command: its own looks at the files go on meanwhile.
  const alive = await debugHost(t, { ports: { environment: project.host.environment } });
  await serving(alive, { session: ID, outdir: join(project.root, ".dbg") });
  await project.save();
  const input = { hypothesis: "A", point: "sum", data: ["sum=sum"], apply: "total.js:3" };
  const seen = new Set<string>();
  await project.atEach("probe", input, async (where) => {
    const text = await textAt(at);
    seen.add(text);
    if (text === total) await project.run("probe", input);
    const probed = await textAt(at);
    assert.match(probed, /#region debug-point A:sum\n[\s\S]*#endregion debug-point A:sum/, where);
    assert.equal(probed.replace(/ *\/\/ #region[\s\S]*#endregion [^\n]*\n/, ""), total, where);
    assert.match((await project.run("status")).text, /sum-is-wrong/, where);
  });
  assert.deepEqual(seen.size, 2);
});
