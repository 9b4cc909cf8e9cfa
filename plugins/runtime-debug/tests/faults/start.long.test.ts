/** A start and a probe that are killed: the next command continues, and no file of the project is harmed. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { program, sayInProcess } from "../../../../contract-tests/command-line.ts";
import { ID } from "../doors-walk.ts";
import { debugHost, serving } from "../serving.ts";
import { HYPOTHESES, debugProject } from "../session-harness.ts";
import { mortalProject, textAt, traces } from "./kill-harness.ts";

test("a start whose process is killed or interrupted can be repeated on the command line", async (t) => {
  for (const signal of ["SIGKILL", "SIGINT"] as const)
    for (const moment of ["record", "images", "entry"] as const) {
      const where = `${signal} at the ${moment}`;
      const project = await debugProject(t);
      const { root, host } = project;
      const { stateFolder } = host.environment;
      const variables = { PATH: process.env["PATH"] ?? "", HOME: host.folder, SKILLCTL_STATE: stateFolder };
      const words = ["run", "runtime-debug", "start", "The sum is wrong", "--session", ID];
      const child = program(words, root, { variables });
      const ended = once(child, "exit");
      const sign = {
        record: join(root, `debug-${ID}.md`),
        images: join(stateFolder, "runtime-debug"),
        entry: join(stateFolder, "documents", "runtime-debug-sessions"),
      }[moment];
      while (!existsSync(sign) && child.exitCode === null) await pause(1);
      child.kill(signal);
      await ended;
      const say = async (...more: readonly string[]): Promise<string> => {
        const { status, out, err } = await sayInProcess(["run", "runtime-debug", ...more], root, {
          variables,
        });
        assert.equal(status, 0, `${where}: ${out}${err}`);
        return out;
      };
      if ((await say("status")).startsWith("No session is running")) {
        if (signal === "SIGINT") assert.deepEqual(await traces(project), [], where);
        await say(...words.slice(2));
      }
      assert.match(await say("status"), /Step 2 of 11/, where);
      await say("answer", "D");
      await say("cleanup");
      assert.deepEqual(await traces(project), [], where);
    }
});

test("a probe command killed at each of its changes leaves the old file or the new one", async (t) => {
  const project = await mortalProject(t);
  const at = join(project.root, "total.js");
  const total = await textAt(at);
  await project.run("start", { issue: "The sum is wrong", session: ID });
  await project.run("hypothesize", { hypotheses: HYPOTHESES });
  // A server that does not die with the command: it continues to check the files meanwhile.
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
