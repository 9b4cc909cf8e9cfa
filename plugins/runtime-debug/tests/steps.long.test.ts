/** Every action of a session in every state through the real commands: what is not allowed yet is refused, and says why. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { STEPS, type State } from "../session/steps.ts";
import { HYPOTHESES, debugProject, entryOf, placed } from "./session-harness.ts";

/** The states, and in which of them each action is allowed (specification, "States and transitions"). */
const ALLOWED = `
observing      hypothesize                  A B C D
instrumenting  hypothesize probe check      D
reproducing    probe                        A B C D
judging        hypothesize probe judge      D
fixing         fix                          D
verifying      verify                       D
confirming     A B C D
cleaning       cleanup
`;

/** `check` only tells where it is no step. */
const INPUTS: Readonly<Record<string, readonly [command: string, input: object]>> = {
  hypothesize: ["hypothesize", { hypotheses: HYPOTHESES }],
  probe: ["probe", { hypothesis: "A", point: "sum", data: ["sum"], lang: "javascript" }],
  judge: ["judge", { verdicts: [{ hypothesis: "A", verdict: "confirmed", lines: "#1" }] }],
  fix: ["fix", { summary: "The loop begins at 0." }],
  verify: ["verify", {}],
  cleanup: ["cleanup", {}],
  A: ["answer", { answer: "A" }],
  B: ["answer", { answer: "b" }],
  C: ["answer", { answer: "C" }],
  D: ["answer", { answer: "d" }],
};

const ROWS = ALLOWED.trim()
  .split("\n")
  .map((line) => line.split(/\s+/) as [State, ...string[]]);

describe("a session", () => {
  test("has a row for every state in which it can be", () => {
    assert.deepEqual(
      ROWS.map(([state]) => state),
      Object.keys(STEPS).filter((state) => state !== "closed"),
    );
  });

  for (const [state, ...allowed] of ROWS) {
    const refused = Object.keys(INPUTS).filter((action) => !allowed.includes(action));
    test(`that is ${state} refuses ${refused.join(", ")}, and stays as it is`, async (t) => {
      const project = await debugProject(t, { git: false });
      const entry = await placed(project, state);
      for (const action of refused) {
        const [command, input] = INPUTS[action] as readonly [string, object];
        const error = await project.fails(command, input);
        assert.equal(error.code, "DEBUG_STEP", `${action}: ${error.message}`);
        const name = command === "answer" ? `answer ${action}` : command;
        assert.match(
          error.message,
          new RegExp(`^"${name}" is not possible now: it belongs to step [\\d, ]+\\.`),
        );
        assert.match(error.message, new RegExp(`at step ${STEPS[state].number} of 11`));
        assert.match(error.hint ?? "", /skillctl run runtime-debug \w+/);
      }
      const { sessions } = (await project.run("status")) as unknown as {
        readonly sessions: readonly { readonly state: string; readonly session: string }[];
      };
      assert.deepEqual(
        sessions.map((one) => [one.session, one.state]),
        [[entry.id, state]],
      );
    });
  }

  test("that is checked in another state than instrumenting is told about, and stays as it is", async (t) => {
    const project = await debugProject(t);
    await project.run("start", { issue: "The sum is wrong", session: "sum-is-wrong" });
    const { baseline, recordText } = await entryOf(project, "sum-is-wrong");
    for (const [state] of ROWS) {
      if (state === "instrumenting") continue;
      await placed(project, state, { baseline, recordText });
      const { state: after, ok } = await project.run("check");
      assert.deepEqual([after, ok], [state, true]);
      assert.equal((await entryOf(project, "sum-is-wrong")).state, state);
    }
  });

  test("can be aborted in every state in which it is under way; the record says so", async (t) => {
    for (const [state] of ROWS) {
      if (state === "cleaning") continue;
      const project = await debugProject(t, { git: false });
      await placed(project, state);
      const answered = await project.run("answer", { answer: "D", note: "no time" });
      assert.deepEqual([answered.state, answered.step], ["cleaning", 11]);
      const record = await readFile(join(project.root, "debug-sum-is-wrong.md"), "utf8");
      assert.match(record, /\[ABORTED\]/);
      assert.match(record, /Abort debugging: no time/);
    }
  });
});
