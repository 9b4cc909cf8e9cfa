/** The steps of a session are judged by the rules about phases before anything of them is written. */
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { describe, test, type TestContext } from "node:test";
import type { Decision, Subject } from "skillctl";
import { fixtureSkill, ruleClass } from "../../../core/testing/fixture-skills.ts";
import { HYPOTHESES, debugProject, placed, type DebugProject } from "./session-harness.ts";
import { SKILLS } from "../../../contract-tests/harness.ts";

interface Watched extends DebugProject {
  /** The evaluated events: `<event> <phase> <session>`. */
  readonly asked: string[];
  /** From now on. */
  readonly decides: (decision: Decision) => void;
}

/** A project in which a rule of another skill sees every change of a phase. */
async function watched(t: TestContext): Promise<Watched> {
  const asked: string[] = [];
  let decision: Decision = "allow";
  const judge = ({ event, name, session, cwd }: Subject) => {
    asked.push(`${event} ${name} ${session}`);
    assert.equal(cwd, project.root);
    return { decision, message: "Not now." };
  };
  const watcher = fixtureSkill("watcher", {
    rules: {
      watch: { tell: "Watch.", on: ["phase.leave", "phase.enter"], applies: "all", handler: true },
    },
    code: { rules: { watch: ruleClass(judge) } },
  });
  const project = await debugProject(t, { skills: [...SKILLS, watcher] });
  return { ...project, asked, decides: (next) => void (decision = next) };
}

const REFUSED = { code: "GUARD_DENIED", message: "Not now." };

describe("phases of a session", () => {
  test("a start enters the first one, a step leaves one and enters the next, and a step within a phase evaluates no rule", async (t) => {
    const { run, asked } = await watched(t);
    await run("start", { issue: "The sum is wrong" });
    await run("hypothesize", { hypotheses: HYPOTHESES });
    await run("hypothesize", { hypotheses: HYPOTHESES });
    assert.deepEqual(asked, [
      "phase.enter observing sum-wrong",
      "phase.leave observing sum-wrong",
      "phase.enter instrumenting sum-wrong",
    ]);
  });

  test("a start that a rule denies leaves nothing in the project", async (t) => {
    const { run, decides, root } = await watched(t);
    const before = await readdir(root);
    decides("deny");
    await assert.rejects(run("start", { issue: "The sum is wrong" }), REFUSED);
    assert.deepEqual(await readdir(root), before);
    decides("allow");
    await run("start", { issue: "The sum is wrong" });
  });

  test("a step that a rule denies changes neither the state nor the record", async (t) => {
    const project = await watched(t);
    await placed(project, "verifying");
    project.decides("deny");
    await assert.rejects(project.run("answer", { answer: "D" }), REFUSED);
    const { sessions } = await project.run("status");
    assert.equal(sessions[0]?.state, "verifying");
    assert.ok(!(await readdir(project.root)).includes("debug-sum-is-wrong.md"));
    project.decides("allow");
    assert.equal((await project.run("answer", { answer: "D" })).state, "cleaning");
  });
});
