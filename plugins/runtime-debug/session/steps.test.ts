import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { effort } from "../../../contract-tests/harness.ts";
import {
  ACTIONS,
  MISSING,
  type Action,
  type Fact,
  take,
  QUESTIONS,
  questionText,
  STEPS,
  type State,
} from "./steps.ts";

import fc from "fast-check";

const STATES = Object.keys(STEPS) as State[];
const FACTS = Object.keys(MISSING) as Fact[];

/** Where each action leads from each state when every fact holds; "-" is a refusal. Written from the specification. */
const TABLE = `
               hypothesize   probe         check        answer A    answer B       answer C   answer D  judge    fix        verify      cleanup
observing      instrumenting -             -            observing   observing      observing  cleaning  -        -          -           -
instrumenting  instrumenting instrumenting reproducing  -           -              -          cleaning  -        -          -           -
reproducing    -             instrumenting -            judging     instrumenting  observing  cleaning  -        -          -           -
judging        instrumenting instrumenting -            -           -              -          cleaning  fixing   -          -           -
fixing         -             -             -            -           -              -          cleaning  -        verifying  -           -
verifying      -             -             -            -           -              -          cleaning  -        -          confirming  -
confirming     -             -             -            cleaning    judging        observing  cleaning  -        -          -           -
cleaning       -             -             -            -           -              -          -         -        -          -           closed
closed         -             -             -            -           -              -          -         -        -          -           -
`;

const [, ...ROWS] = TABLE.trim()
  .split("\n")
  .map((line) => line.trim().split(/\s{1,}(?![ABCD]\b)/));

describe("the protocol of a session", () => {
  test("the table names every state, and each action of every state", () => {
    assert.deepEqual(
      ROWS.map(([state]) => state),
      STATES,
    );
    for (const row of ROWS) assert.equal(row.length, ACTIONS.length + 1, row.join(" "));
  });

  for (const [state = "", ...targets] of ROWS)
    test(`${state}: each action leads where the table says, or is refused with the step`, () => {
      for (const [column, target] of targets.entries()) {
        const action = ACTIONS[column] as Action;
        const taken = take(state as State, action, () => true);
        assert.equal(taken.ok ? taken.state : "-", target, action);
        if (taken.ok) continue;
        assert.match(taken.sentence, new RegExp(`^"${action}" is not possible now: .+ step [0-9]+`));
      }
    });

  const gated: readonly (readonly [State, Action, Fact])[] = [
    ["instrumenting", "check", "instrumented"],
    ["reproducing", "answer A", "evidence"],
    ["fixing", "fix", "changed"],
    ["verifying", "verify", "evidence"],
    ["verifying", "verify", "compared"],
    ["cleaning", "cleanup", "clean"],
  ];
  test("what is missing is named", () => {
    for (const [state, action, fact] of gated) {
      const taken = take(state, action, (asked) => asked !== fact);
      assert.ok(!taken.ok && taken.sentence.includes(MISSING[fact]), `${state} ${action}`);
    }
  });

  test("a judgement that leaves something open, or confirms nothing, does not open the fix", () => {
    for (const fact of ["judged", "confirmed"] as const) {
      assert.deepEqual(
        take("judging", "judge", (asked) => asked !== fact),
        { ok: true, state: "judging" },
      );
    }
  });

  test("whatever is tried, no cleanup without A or D, no fix without evidence, no phase skipped", () => {
    // The phases of the specification in order; instrumenting and verifying have two states each.
    const phases: Readonly<Record<State, number>> = {
      observing: 0,
      instrumenting: 1,
      reproducing: 1,
      judging: 2,
      fixing: 3,
      verifying: 4,
      confirming: 4,
      cleaning: 5,
      closed: 5,
    };
    const step = fc.record({ action: fc.constantFrom(...ACTIONS), facts: fc.subarray(FACTS) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let state: State = "observing";
        let [evident, confirmed, released] = [false, false, false];
        for (const { action, facts } of steps) {
          const before: State = state;
          const taken = take(state, action, (fact) => facts.includes(fact));
          if (!taken.ok) continue;
          state = taken.state;
          if (action === "answer A" && before === "reproducing") evident ||= facts.includes("evidence");
          if (action === "judge") confirmed ||= facts.includes("confirmed");
          released ||= action === "answer D" || (action === "answer A" && before === "confirming");
          if (state === "fixing") assert.ok(evident && confirmed);
          if (state === "cleaning" || state === "closed") assert.ok(released);
          const isNext = phases[state] <= phases[before] + 1;
          assert.ok(isNext || action === "answer D", `${before} ${action} ${state}`);
        }
      }),
      { numRuns: effort(333, 6_000) },
    );
  });

  test("every question offers to abort, and reads as numbered text [debug.answers.others]", () => {
    for (const question of Object.values(QUESTIONS)) {
      assert.equal(question.options.D, "Abort debugging");
      assert.match(questionText(question), /^.+\?\n  A\) .+\n  B\) .+\n  C\) .+\n  D\) Abort debugging$/);
    }
  });
});
