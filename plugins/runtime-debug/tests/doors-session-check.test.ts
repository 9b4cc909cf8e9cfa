/** The command `check` of a session, from the outside: nothing but probes passes. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { describe, test } from "node:test";
import { debugProject } from "./session-harness.ts";
import { PROBES, walked } from "./doors-walk.ts";

describe("the check of a session", () => {
  test("does not pass its check when code was changed beside the probes, or a file has gone", async (t) => {
    const { root, run, fails, write, replace } = await walked(
      await debugProject(t, { git: false }),
      "instrumenting",
    );
    await run("probe", { from: PROBES });
    const codes = async (): Promise<readonly string[]> => {
      const { findings } = (await fails("check")).result as { findings: { code: string; file: string }[] };
      return findings.map(({ code, file }) => `${code} ${file}`);
    };
    await replace("index = 1", "index = 0");
    assert.deepEqual(await codes(), ["code-changed total.js"]);
    await replace("index = 0", "index = 1");
    await write("helper.js", "export const help = 1;\n");
    assert.deepEqual(await codes(), ["new-file helper.js"]);
    await rm(`${root}/helper.js`);
    const { step, text } = await run("check");
    assert.equal(step, 6);
    assert.match(text, /What the user does now:\n {2}1\. Start the program again[^\n]*probes/);
  });

  test("does not pass its check when a file of the project was removed", async (t) => {
    const project = await debugProject(t, { git: "none" });
    await project.write("other.js", "export const other = 1;\n");
    const { root, run, fails } = await walked(project, "instrumenting");
    await run("probe", { from: PROBES });
    await rm(`${root}/other.js`);
    const { findings } = (await fails("check")).result as { findings: { code: string }[] };
    assert.deepEqual(
      findings.map(({ code }) => code),
      ["file-removed"],
    );
  });
});
