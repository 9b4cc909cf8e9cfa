/** Every question of the table is answered correctly, or declined in a sentence. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { SkillError } from "skillctl";
import { effort, sample } from "../../../contract-tests/harness.ts";
import { own } from "./doors-harness.ts";
import { exportFiles } from "./questions/export-files.ts";
import conversations from "./questions/conversations.json" with { type: "json" };
import { faultsOf, type Reply } from "./questions/judge.ts";
import { QUESTIONS } from "./questions/tables.ts";

/** The short suite asks every eighth question of a family, from a different start in each, so that both languages occur. */
const EVERY = effort(8, 1);
const families = [...new Set(QUESTIONS.map(({ family }) => family))];

function failed(caught: unknown): Reply {
  if (!(caught instanceof SkillError)) throw caught;
  return { text: caught.message, failed: caught.code };
}

/** One library for all. */
let musician: Awaited<ReturnType<typeof own>>;
let close: () => Promise<void>;
before(async () => {
  const clean = { after: (closing: () => Promise<void>) => void (close = closing) };
  musician = await own(clean, exportFiles(), "2026-10-31T09:00:00Z");
});
after(() => close());
const talk =
  (conversation: string) =>
  async (question: string): Promise<string> =>
    (await musician.run<{ readonly text: string }>("music-analysis", "ask", { question, conversation })).text;

let talks = 0;
/** The answer to each question in a separate conversation, by its text. */
const ANSWERS = new Map<string, Promise<Reply>>();
function alone(question: string): Promise<Reply> {
  const found = ANSWERS.get(question) ?? replyIn(talk(`alone-${(talks += 1)}`), question);
  ANSWERS.set(question, found);
  return found;
}
function replyIn(asked: ReturnType<typeof talk>, question: string): Promise<Reply> {
  return asked(question).then((text): Reply => ({ text }), failed);
}

test("questions of musicians", async (t) => {
  for (const [turn, family] of families.entries()) {
    const own = QUESTIONS.filter((one) => one.family === family);
    const asked = own.filter((_, place) => place % EVERY === turn % Math.min(EVERY, own.length));
    await t.test(`questions about ${family} are answered correctly or declined`, async () => {
      const wrong: string[] = [];
      for (const question of asked) {
        const faults = faultsOf(question, await alone(question.question));
        if (faults.length > 0) wrong.push(`${question.id} ${question.question}: ${faults.join("; ")}`);
      }
      assert.equal(wrong.length, 0, `${wrong.length} of ${asked.length} are wrong:\n${wrong.join("\n")}`);
    });
  }
});

/** In a random order that is the same in each run. */
function shuffled<T>(all: readonly T[], seed: number): readonly T[] {
  let state = seed;
  const keyed = all.map((one) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return [state, one] as const;
  });
  return keyed.toSorted(([left], [right]) => left - right).map(([, one]) => one);
}

/** The first line of an answer that was completed from the question before. */
const TAKEN = /^(?:📊.*\n+)?(?:理解为|Understood as).*(?:沿用上一问的|from the previous question)/u;
/** The additions of a conversation: `the whole account` after a question about a song, and the line below it, which an answer about a song lacks. */
const ADDED = /(?:；|; )(?:整个账号|the whole account)|\s*(?:💡.*)?\s*$/gu;
/** Questions that depend on the one before: those with one part, or without a figure. */
const SHORT = new Set(["退款有多少", "lanterns best day", "when did Paper Planes peak"]);
const plain = ({ text, failed: code }: Reply): string => `${code ?? ""}${text.replaceAll(ADDED, "")}`;

test("a complete question has the same answer after any other question", async () => {
  const chain = talk("after-others");
  const wrong: string[] = [];
  const continued: string[] = [];
  const own = shuffled(
    QUESTIONS.filter(({ question }) => ANSWERS.has(question)),
    20_261_130,
  );
  let before = "";
  for (const { question } of own.filter((_, place) => place % 3 === sample(3))) {
    const after = await replyIn(chain, question);
    // Once the songs are known, a question with a similar name gets a question in return.
    if (/以下哪一首/u.test(after.text)) await replyIn(chain, "都不是");
    else if (TAKEN.test(after.text)) continued.push(question);
    else if (plain(after) !== plain(await alone(question)))
      wrong.push(`${before} … ${question}:\n${plain(after)}\nalone:\n${plain(await alone(question))}`);
    before = question;
  }
  assert.equal(wrong.length, 0, wrong.join("\n\n"));
  assert.deepEqual(
    continued.filter((question) => !SHORT.has(question)),
    [],
  );
});

interface TurnExpectation {
  readonly question: string;
  readonly has: readonly string[];
  readonly hasNot?: readonly string[];
  /** It points at the song in focus, which only a conversation has. */
  readonly inConversation?: boolean;
}

for (const inConversation of [false, true])
  test(`a follow-up question takes its missing parts from the last one${inConversation ? ", in a conversation too" : ""}`, async () => {
    const { run } = musician;
    const wrong: string[] = [];
    for (const [place, turns] of (conversations as readonly (readonly TurnExpectation[])[]).entries()) {
      if (place % EVERY !== (inConversation ? EVERY >> 1 : 0)) continue;
      const conversation = inConversation ? { conversation: `talk-${place}` } : {};
      for (const { question, has, hasNot = [], inConversation: isOnly = false } of turns) {
        if (isOnly && !inConversation) continue;
        const { text } = await run<{ readonly text: string }>("music-analysis", "ask", {
          question,
          ...conversation,
        });
        const lacks = has.filter((wanted) => !text.includes(wanted)).map((wanted) => `lacks ${wanted}`);
        const shows = hasNot.filter((other) => text.includes(other)).map((other) => `shows ${other}`);
        const faults = [...lacks, ...shows];
        if (faults.length > 0)
          wrong.push(`${turns[0]?.question} … ${question}: ${faults.join(", ")}\n${text.slice(0, 300)}`);
      }
    }
    assert.deepEqual(wrong, []);
  });

test('"the days before" are the days before those of the last question', async () => {
  const ask = talk("days-before");
  assert.match(await ask("最近7天播放"), /播放量；2026-10-25 至 2026-10-31/);
  assert.match(await ask("再前7天呢"), /播放量；2026-10-18 至 2026-10-24/);
  assert.match(await ask("plays in the last 14 days"), /plays; 2026-10-18 to 2026-10-31/);
  assert.match(await ask("and the previous 14 days?"), /plays; 2026-10-04 to 2026-10-17/);
  assert.match(await ask("and the week before?"), /plays; 2026-09-27 to 2026-10-03/);
});

test("a question is completed from the last one of the same day and conversation only", async () => {
  const { ask } = musician;
  await ask("《海盐》9月的收入");
  assert.match(await ask("那8月呢"), /理解为：收入；歌曲 《海盐》；2026-08-01/);
  assert.doesNotMatch(await talk("new")("那6月呢"), /海盐》；2026-06-01/);
  musician.host.clock.advance(24 * 3_600_000);
  assert.doesNotMatch(await ask("那7月呢"), /海盐》；2026-07-01/);
});
