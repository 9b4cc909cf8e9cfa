/** Every question of the table is answered right, or declined in a sentence. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SkillError } from "skillctl";
import { effort } from "../../../contract-tests/harness.ts";
import { own } from "./doors-harness.ts";
import { exportFiles } from "./questions/export-files.ts";
import conversations from "./questions/conversations.json" with { type: "json" };
import { faultsOf, type Expectation, type Question, type Reply } from "./questions/judge.ts";
import firstQuestions from "./questions/questions-first.json" with { type: "json" };
import secondQuestions from "./questions/questions-second.json" with { type: "json" };
import thirdQuestions from "./questions/questions-third.json" with { type: "json" };

/** Of four questions of a family the short suite asks one; families begin in turn with each, so that both languages come up. */
const EVERY = effort(4, 1);
type Row = Expectation & Pick<Question, "question"> & Partial<Pick<Question, "language">>;
const first = Object.entries(firstQuestions as Readonly<Record<string, readonly Row[]>>).flatMap(
  ([family, rows]) =>
    rows.map(
      ({ question, language = /\p{Script=Han}/u.test(question) ? "zh" : "en", ...expected }, place) => ({
        id: `${family}-${String(place + 1).padStart(2, "0")}`,
        family,
        question,
        language,
        expected,
      }),
    ),
);
const all: readonly Question[] = [
  ...first,
  ...(secondQuestions as readonly Question[]),
  ...(thirdQuestions as unknown as readonly Question[]),
];
const families = [...new Set(all.map(({ family }) => family))];

function failed(caught: unknown): Reply {
  if (!(caught instanceof SkillError)) throw caught;
  return { text: caught.message, failed: caught.code };
}

test("a musician's questions", async (t) => {
  const { ask } = await own(t, exportFiles(), "2026-10-31T09:00:00Z");
  for (const [turn, family] of families.entries()) {
    const own = all.filter((one) => one.family === family);
    const asked = own.filter((_, place) => place % EVERY === turn % Math.min(EVERY, own.length));
    await t.test(`questions about ${family} are answered right or declined`, async () => {
      const wrong: string[] = [];
      for (const question of asked) {
        const reply = await ask(question.question).then((text): Reply => ({ text }), failed);
        const faults = faultsOf(question, reply);
        if (faults.length > 0) wrong.push(`${question.id} ${question.question}: ${faults.join("; ")}`);
      }
      assert.equal(wrong.length, 0, `${wrong.length} of ${asked.length} are wrong:\n${wrong.join("\n")}`);
    });
  }
});

test("a question that goes on about the last one takes from it the song, measure, period and split that it leaves open", async (t) => {
  const { ask } = await own(t, exportFiles(), "2026-10-31T09:00:00Z");
  const wrong: string[] = [];
  for (const turns of conversations)
    for (const { question, has } of turns) {
      const text = await ask(question);
      const lacks = has.filter((wanted) => !text.includes(wanted));
      if (lacks.length > 0) wrong.push(`${question}: lacks ${lacks.join(", ")}\n${text.split("\n")[0]}`);
    }
  assert.deepEqual(wrong, []);
});

test("a question is completed from the last one of the same day only", async (t) => {
  const { ask, host } = await own(t, exportFiles(), "2026-10-31T09:00:00Z");
  await ask("《海盐》9月的收入");
  assert.match(await ask("那8月呢"), /理解为：收入；歌曲 《海盐》；2026-08-01/);
  host.clock.advance(24 * 3_600_000);
  assert.doesNotMatch(await ask("那7月呢"), /海盐》；2026-07-01/);
});
