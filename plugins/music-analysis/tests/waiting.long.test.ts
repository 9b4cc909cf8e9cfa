/** Progress messages while the service works. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  answered,
  finished,
  refused,
  type FakeReply,
  type ScriptedReply,
} from "../../../contract-tests/fake-service.ts";
import { withMusic } from "./host.ts";
import { atDesk } from "./program.ts";

const SHOWN = answered("shown");
const SAID = {
  zh: ["📊 正在分析中，请稍候...", "⏳ 数据分析通常需要 20~90 秒，马上为您呈现结果"],
  en: [
    "📊 Analysing your data, one moment please...",
    "⏳ An analysis usually takes 20 to 90 seconds; your result is on its way.",
  ],
} as const;
const QUESTIONS = { zh: "我的播放量", en: "How are my plays?" } as const;
const LANGUAGES = ["zh", "en"] as const;
/** Words that make a waiting person think that something is wrong. */
const WORRYING =
  /slow|delay|fail|error|retr|again|busy|time.?out|late|problem|sorry|慢|延迟|失败|错误|重试|再次|繁忙|超时|抱歉|问题/i;

/** An answer that waits until it is released. */
function held(): { readonly reply: Promise<FakeReply>; readonly release: () => void } {
  let release = (): void => undefined;
  const reply = new Promise<FakeReply>((resolve) => (release = () => resolve(SHOWN)));
  return { reply, release: () => release() };
}

test("the first progress sentence is shown at once, the second after 5 seconds, both in the question's language and on standard error [music.present.waiting]", async () => {
  await Promise.all(
    LANGUAGES.map((language) => {
      const { reply, release } = held();
      return atDesk([reply], async ({ say }) => {
        const heard: string[] = [];
        const onErr = (err: string): void => {
          heard.push(err);
          if (err.includes("20")) release();
        };
        const { out, err } = await say(["run", "music-analysis", QUESTIONS[language]], { onErr });
        assert.deepEqual(err.trimEnd().split("\n"), SAID[language]);
        assert.match(out, /^shown/);
        assert.equal(heard[0], `${SAID[language][0]}\n`);
      });
    }),
  );
});

test("progress sentences contain no alarming words [music.present.waiting]", () => {
  for (const sentence of Object.values(SAID).flat()) assert.doesNotMatch(sentence, WORRYING);
});

const BUMPS: readonly (readonly [title: string, script: readonly ScriptedReply[]])[] = [
  ["a second attempt", [finished("UPSTREAM_ERROR"), SHOWN]],
  ["a new login", [refused("UNAUTHORIZED", "未登录"), SHOWN]],
];
for (const [title, script] of BUMPS)
  test(`progress messages never mention ${title} [music.present.waiting]`, () =>
    withMusic(script, async ({ host }) => {
      const heard: string[] = [];
      const progress = (sentence: string): void => void heard.push(sentence);
      const input = { question: QUESTIONS.zh };
      await host.run({ skill: "music-analysis", command: "ask", input, progress }).catch(() => undefined);
      assert.deepEqual(heard, [SAID.zh[0]]);
      assert.deepEqual(host.log.notices, []);
    }));
