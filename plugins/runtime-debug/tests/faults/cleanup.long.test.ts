/** A cleanup that is killed: the next one does the rest, and every file is complete at every moment. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { SkillError } from "skillctl";
import { REPORT, fixedAs, region } from "../cleanup-harness.ts";
import { ID } from "../doors-walk.ts";
import { entryOf, placed } from "../session-harness.ts";
import { mortalProject, textAt, traces } from "./kill-harness.ts";

const MAIN = "import { total } from './total.js';\nconsole.log(total([1]));\n";
const FIXED = MAIN.replace("[1]", "[1, 2]");

interface Flaws {
  /** Files with a text other than that before or after the cleanup. */
  readonly torn: readonly string[];
  /** Remains of the next cleanup, and its missing effects. */
  readonly undone: readonly string[];
}

/** Kills a cleanup of three files at each of its changes, and runs the next one each time. */
async function killedCleanups(t: TestContext, isCareless = false): Promise<Flaws> {
  const project = await mortalProject(t, isCareless);
  const at = (name: string): string => join(project.root, name);
  await project.write("main.js", MAIN);
  const total = await textAt(at("total.js"));
  await project.run("start", { issue: "The sum is wrong", session: ID });
  const now: Readonly<Record<string, string>> = {
    "main.js": `${region("A:here")}${FIXED}`,
    "total.js": `${total}${region("B:end")}`,
    "new.js": `${region("C:new")}made();\n`,
  };
  const after: Readonly<Record<string, string>> = {
    "main.js": FIXED,
    "total.js": total,
    "new.js": "made();\n",
  };
  for (const [name, text] of Object.entries(now)) await project.write(name, text);
  await project.write(`.dbg/${ID}.env`, "DEBUG_SESSION_ID=sum-is-wrong\n");
  await project.write(`.dbg/svc-debug-log-${ID}.ndjson`, "{}\n");
  await project.write(".dbg/.gitignore", "*\n");
  const entry = await entryOf(project, ID);
  await placed(project, "cleaning", {
    ...entry,
    state: "cleaning",
    outcome: "fixed",
    ...fixedAs({ "main.js": FIXED, "new.js": "made();\n" }),
  });
  await project.save();
  const torn: string[] = [];
  const undone: string[] = [];
  const report = join(project.host.folder, "page.md");
  await project.atEach("cleanup", { report }, async (where) => {
    for (const name of Object.keys(now)) {
      const text = await textAt(at(name));
      if (text !== now[name] && text !== after[name]) torn.push(`${where}: ${name}`);
    }
    await project.run("cleanup", { report }).catch((error: unknown) => {
      if (!(error instanceof SkillError && error.code === "DEBUG_NO_SESSION"))
        undone.push(`${where}: ${String(error)}`);
    });
    for (const name of Object.keys(after))
      if ((await textAt(at(name))) !== after[name]) undone.push(`${where}: ${name}`);
    undone.push(...(await traces(project)).map((trace) => `${where}: ${trace}`));
    if (!(await textAt(report)).includes("The sum is wrong")) undone.push(`${where}: the report`);
    await project.host.host.ports.files.remove(report);
  });
  return { torn, undone };
}

test("a cleanup killed at each of its changes leaves complete files, and the next one completes it", async (t) => {
  assert.deepEqual(await killedCleanups(t), { torn: [], undone: [] });
});

test("control: some files that are written in place are incomplete", async (t) => {
  const { torn } = await killedCleanups(t, true);
  assert.ok(torn.length > 0, REPORT);
});
