import assert from "node:assert/strict";
import { test } from "node:test";
import { lettered } from "./hypotheses.ts";
import { nextStep } from "./next-step.ts";
import { hypothesesOf, verdictsOf } from "./plain-lines.ts";

const WISHED = ["one", "two", "three"].map((text) => ({
  text,
  refutedBy: "x",
  observe: "a.ts:1",
  likelihood: "high" as const,
  effort: "low" as const,
}));

for (const [state, read] of [
  ["observing", (line: string) => hypothesesOf([line])],
  ["judging", (line: string) => verdictsOf([line])],
] as const) {
  test(`the command to type while ${state} can be pasted, and its line is read`, () => {
    const session = { id: "login-fails", state, runs: { before: "pre-fix" }, hypotheses: [] };
    const [, command = ""] = /Type \(--\w+ once for each\): (.*)$/.exec(nextStep(session)) ?? [];
    const [, quoted = ""] = /^skillctl [^()"]*"([^"]*)"$/.exec(command) ?? [];
    assert.equal(read(quoted).length, 1);
  });
}

test("the next command names a hypothesis that is there and not judged", () => {
  const hypotheses = lettered(WISHED, [], ["A", "B"]).map((one) =>
    one.id === "C" ? { ...one, verdict: "rejected" as const } : one,
  );
  const session = { id: "login-fails", runs: { before: "pre-fix" }, hypotheses };
  assert.match(nextStep({ ...session, state: "instrumenting" }), /--hypothesis D /);
  assert.match(nextStep({ ...session, state: "judging" }), /--verdicts "D confirmed #/);
});
