/** Every question of the table is answered right, or declined in a sentence. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { effort } from "../../../contract-tests/effort.ts";
import { musician, wrongReplies } from "./questions-harness.ts";
import type { Question } from "./questions/expectation.ts";
import { secondQuestions } from "./questions/questions-second.ts";
import thirdQuestions from "./questions/questions-third.json" with { type: "json" };
import { questions } from "./questions/questions.ts";

/** Of four questions of a family the short suite asks one; families begin in turn with each, so that both languages come up. */
const EVERY = effort(4, 1);
const all = [...questions, ...secondQuestions, ...(thirdQuestions as readonly Question[])];
const families = [...new Set(all.map(({ family }) => family))];

test("a musician's questions", async (t) => {
  const { importAll, ask } = await musician(t);
  await t.test("every export of every product is taken in", async () =>
    assert.deepEqual(await importAll(), []),
  );
  for (const [turn, family] of families.entries()) {
    const own = all.filter((one) => one.family === family);
    const asked = own.filter((_, place) => place % EVERY === turn % Math.min(EVERY, own.length));
    await t.test(`questions about ${family} are answered right or declined`, async () => {
      const wrong = await wrongReplies(ask, asked);
      assert.equal(wrong.length, 0, `${wrong.length} of ${asked.length} are wrong:\n${wrong.join("\n")}`);
    });
  }
});
