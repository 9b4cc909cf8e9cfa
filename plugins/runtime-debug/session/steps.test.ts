import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ACTIONS, QUESTIONS, questionText, transition, type Action, type State } from "./steps.ts";

/** The state after each action in each state if every fact holds; "-" is a refusal. Written from the specification. */
const TABLE = `
               hypothesize   probe         check        answer A    answer B       answer C   answer D  judge    fix        verify      cleanup
observing      instrumenting -             -            observing   observing      observing  cleaning  -        -          -           -
instrumenting  instrumenting instrumenting reproducing  -           -              -          cleaning  -        -          -           -
reproducing    -             instrumenting -            judging     instrumenting  observing  cleaning  -        -          -           -
judging        instrumenting instrumenting -            -           -              -          cleaning  fixing   -          -           -
fixing         -             fixing        -            -           -              -          cleaning  -        verifying  -           -
verifying      -             -             -            confirming  verifying      confirming cleaning  -        -          confirming  -
confirming     -             -             -            cleaning    judging        observing  cleaning  -        -          -           -
cleaning       -             -             -            -           -              -          -         -        -          -           closed
closed         -             -             -            -           -              -          -         -        -          -           -
`;

const [, ...ROWS] = TABLE.trim()
  .split("\n")
  .map((line) => line.trim().split(/\s{1,}(?![ABCD]\b)/));

describe("the protocol of a session", () => {
  for (const [state = "", ...targets] of ROWS)
    test(`${state}: each action leads where the table says, or is refused with the step`, () => {
      for (const [column, target] of targets.entries()) {
        const action = ACTIONS[column] as Action;
        const found = transition(state as State, action, () => true);
        assert.equal(found.ok ? found.state : "-", target, action);
        if (found.ok) continue;
        assert.match(found.sentence, new RegExp(`^"${action}" is not possible now: .+ step [0-9]+`));
      }
    });

  test("every question offers to abort, and can be shown as numbered text [debug.answers.others]", () => {
    for (const question of Object.values(QUESTIONS)) {
      assert.equal(question.options.D, "Abort debugging");
      assert.match(questionText(question), /^.+\?\n  A\) .+\n  B\) .+\n  C\) .+\n  D\) Abort debugging$/);
    }
  });
});
