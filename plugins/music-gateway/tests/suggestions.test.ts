/** Every question that an answer suggests is answered, over libraries of one file each. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { effort, sample } from "../../../contract-tests/harness.ts";
import { own } from "./doors-harness.ts";
import { exportText, LAYOUTS } from "./layouts.ts";
import { QUESTIONS } from "./questions/tables.ts";

/** The short suite takes every nth library, and every nth question of each. */
const LIBRARIES = effort(9, 6);
const FIRST = 2 * sample(3);
const ASKED = effort(40, 20);

/** Questions in quotes, which can be asked on their own. */
const WHOLE = [
  /^You can ask: (.+)$/mu,
  /^可以问：(.+)$/mu,
  /^A question that can be answered: (.+)$/mu,
  /^可以这样问：(.+)$/mu,
];
const QUOTED = /"([^"]+)"|“([^”]+)”/gu;
/** A period for which the answer suggests asking the same question again. */
const PERIODS = [
  /The last complete period of that kind is (.+); please ask for that\./u,
  /最近一段数据完整的同类时间是 (.+)，可以改问这段时间。/u,
  /Please ask by month, such as "(.+)"\./u,
  /请按月份问，例如“(.+)”。/u,
];
/** A figure that is not available in the requested form. */
const WITHOUT = [
  /The files do not have “([^”]+)” .+; please ask without that\./u,
  /现有文件里的“([^”]+)”不能.+，请换一种问法。/u,
];
/** For a place, the suggested question is about the figure of that place. */
const OF_PLACE = /country|stores?|cit(?:y|ies)|distributor|国家|平台|城市|发行商/u;
const FIGURES = [/^They hold: (.+)\.$/mu, /现有的数据：(.+)。/u];
const ONLY_BY = [
  /The files have “(.+)” only by (.+); please ask/u,
  /现有文件里的“(.+)”只能按(.+)，请这样问/u,
];

const isAnswered = (text: string): boolean => /^## /mu.test(text);
const found = (patterns: readonly RegExp[], text: string): readonly string[] =>
  patterns.flatMap((pattern) => pattern.exec(text)?.slice(1) ?? []);

/** The questions that an answer suggests; those that continue it are separate. */
function suggestionsIn(text: string): {
  readonly whole: readonly string[];
  readonly next: readonly string[];
} {
  const whole = found(WHOLE, text).flatMap((list) =>
    [...list.matchAll(QUOTED)].map(([, english, chinese]) => english ?? chinese ?? ""),
  );
  const [figure, ...ways] = found(ONLY_BY, text);
  const isChinese = /\p{Script=Han}/u.test(figure ?? "");
  const only = ways
    .flatMap((list) => list.split(/, (?:by )?|、按?/u))
    .map((way) => (isChinese ? `按${way}的${figure}` : `${figure} by ${way}`));
  return {
    whole: [
      ...whole,
      ...only,
      ...found(
        OF_PLACE.test(text.split("\n", 1)[0] ?? "") ? FIGURES : [...FIGURES, ...WITHOUT],
        text,
      ).flatMap((list) => list.split(/, |、/u)),
    ],
    next: found(PERIODS, text),
  };
}

for (const [place, layout] of LAYOUTS.entries())
  if (place % LIBRARIES === FIRST)
    test(`each suggestion over a library of ${layout.layout} is answered`, async (t) => {
      const { run } = await own(t, { [layout.file]: exportText(layout) }, "2026-11-01T09:00:00Z");
      let talks = 0;
      const asked = async (conversation: string, question: string): Promise<string> =>
        (await run<{ readonly text: string }>("music-analysis", "ask", { question, conversation })).text;
      const declined = new Map<string, string>();
      const seen = new Set<string>();
      const holds = async (conversation: string, suggestion: string, from: string): Promise<void> => {
        const text = await asked(conversation, suggestion).catch(String);
        if (!isAnswered(text)) declined.set(suggestion, `after ${from}: ${text.slice(0, 300)}`);
      };
      for (const { question } of QUESTIONS.filter((_, at) => at % ASKED === place % ASKED)) {
        const talk = `talk-${(talks += 1)}`;
        const { whole, next } = suggestionsIn(await asked(talk, question).catch(String));
        for (const suggestion of next) await holds(talk, suggestion, question);
        for (const suggestion of whole)
          if (!seen.has(suggestion)) {
            seen.add(suggestion);
            await holds(`whole-${seen.size}`, suggestion, question);
          }
      }
      assert.deepEqual([...declined], []);
    });

/** Questions with parts that no statement has, or that some lack, and the same questions without them. */
const PARTS = [
  ["plays by country and city", "plays by country", "plays"],
  ["plays by city and country", "plays by country", "plays"],
  ["各国家各城市播放量", "各国家播放量", "播放量"],
  ["units by song and city", "units by song"],
  ["income by day", "income"],
  ["average daily income", "income"],
  ["日均收入", "收入"],
  ["units on weekends", "units"],
] as const;

test("a question without one of its parts is offered only if it can be answered", async (t) => {
  for (const layout of LAYOUTS.filter(({ kind }) => kind === "bandcamp-sales")) {
    const { run } = await own(t, { [layout.file]: exportText(layout) }, "2026-11-01T09:00:00Z");
    const asked = async (question: string, conversation: string): Promise<string> =>
      (await run<{ readonly text: string }>("music-analysis", "ask", { question, conversation })).text;
    for (const [place, [question, ...rests]] of PARTS.entries()) {
      const text = await asked(question, `whole-${place}`);
      assert.equal(isAnswered(text), false, `${layout.layout}: ${text}`);
      const isOffered = found(WITHOUT, text).length > 0;
      const answers = await Promise.all(rests.map((rest, index) => asked(rest, `rest-${place}-${index}`)));
      assert.equal(answers.some(isAnswered), isOffered, `${layout.layout}: ${text}`);
    }
  }
});

test("suggested questions are about the month of the question", async (t) => {
  const { ask } = await own(t);
  for (const [question, month, other] of [
    ["monthly active listeners in April", "income in April 2026", "May 2026"],
    ["monthly active listeners in May", "income in May 2026", "April 2026"],
    ["4月的月活听众", "2026年4月收入", "2026年5月"],
    ["月活听众", "2026年5月收入", "2026年4月"],
  ] as const) {
    const text = await ask(question);
    assert.ok(text.includes(month) && !text.includes(other), text);
  }
});
