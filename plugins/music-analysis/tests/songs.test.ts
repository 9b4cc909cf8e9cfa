/** What is asked about songs, against a real server: which requests are made for a question, and what is shown. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { answered } from "../../../contract-tests/fake-service.ts";
import { withMusic, type Shown } from "./host.ts";

const SONGS = answered(
  "| 歌曲名 | songId | 播放量 |\n|---|---|---|\n| 《海盐》 | 7 | 100 |\n| 《风筝》 | 8 | 300 |\n| 《风筝》(Live) | 9 | 20 |\n",
);
const ONE = answered("one");
const TWO = answered("two");
const OVERALL = { userMessage: "看看我的整体歌曲表现" };
const lineFor = (name: string): string =>
  `很抱歉，暂时不支持对《${name}》这首歌进行数据分析，您可以尝试分析其他歌曲~`;
const CHOICE =
  "没有找到与《海盐！》完全一样的歌曲，您是想分析以下哪一首呢？\n\n1. 《海盐》\n\n请回复歌曲名或前面的编号；如果都不是，也可以告诉我“都不是”。";

interface Row {
  readonly title: string;
  readonly question: string;
  readonly kind: Shown["kind"];
  /** What is shown; missing where only the requests matter. */
  readonly text?: string;
  /** The bodies of the requests that follow the overall question, whose answer is never shown. */
  readonly then: readonly object[];
}

const song = (userMessage: string, songId: number): object => ({ userMessage, songId });
const ROWS: readonly Row[] = [
  {
    title:
      "a song that is named exactly is asked about with its id [music.tier-a] [music.resolve.overall] [music.request.song-id]",
    question: "分析《 海盐 》的表现",
    kind: "song",
    text: "one",
    then: [song("分析《 海盐 》的表现", 7)],
  },
  {
    title: "a song in quotes is named like one in title marks [music.resolve.named]",
    question: "分析“海盐”的表现",
    kind: "song",
    text: "one",
    then: [song("分析“海盐”的表现", 7)],
  },
  {
    title:
      "a similar name becomes the fixed question, and no call with an id is made [music.tier-b] [music.tier-b.words]",
    question: "分析《海盐！》的表现",
    kind: "choice",
    text: CHOICE,
    then: [],
  },
  {
    title:
      "a song that is not there gets the fixed line and nothing else [music.tier-c] [music.tier-c.name] [music.tier-c.nothing-else] [music.tier-c.no-attempt]",
    question: "分析《星图》的表现",
    kind: "unsupported",
    text: lineFor("星图"),
    then: [],
  },
  {
    title: "a known name beside a pointer is the song [music.resolve.pointer]",
    question: "海盐这首歌怎么样",
    kind: "song",
    text: "one",
    then: [song("海盐这首歌怎么样", 7)],
  },
  {
    title: "words before a colon are the song that a pronoun means, where there is one of that name",
    question: "海盐: plays since it came out",
    kind: "song",
    text: "one",
    then: [song("海盐: plays since it came out", 7)],
  },
  {
    title: "words before a colon that are no song leave the question which one a pronoun means",
    question: "Question: how did it do in October",
    kind: "choice",
    then: [],
  },
  {
    title: "two exact songs get one call each, in the order of the question",
    question: "比较《风筝》和《海盐》《风筝》",
    kind: "song",
    text: "one\n\ntwo",
    then: [song("比较《风筝》和《海盐》《风筝》", 8), song("比较《风筝》和《海盐》《风筝》", 7)],
  },
  {
    title: "with one song that is not exact none is asked about",
    question: "比较《海盐》和《星图》",
    kind: "unsupported",
    text: lineFor("星图"),
    then: [],
  },
];
for (const { title, question, kind, text, then } of ROWS)
  test(title, () =>
    withMusic([SONGS, ONE, TWO], async ({ ask, service }) => {
      const shown = await ask(question);
      assert.equal(shown.kind, kind);
      if (text !== undefined) assert.equal(shown.text, text);
      assert.deepEqual(service.bodies, [OVERALL, ...then]);
      assert.equal(shown.requests, then.length + 1);
    }),
  );

test("a known name without marks is never answered for the whole account [music.tier-c.no-fallback]", () =>
  withMusic([SONGS, ONE], async ({ ask, service }) => {
    const question = "海盐最近30天播放量";
    const shown = await ask(question);
    assert.deepEqual([shown.text, shown.kind, shown.requests], ["one", "song", 2]);
    assert.deepEqual(service.bodies, [{ userMessage: question }, song(question, 7)]);
  }));

test("questions about the account go out once and without an id [music.resolve.account] [music.service.scope]", () =>
  withMusic([answered("shown")], async ({ ask, service }) => {
    const questions = [
      "我的播放量",
      "听众画像怎么样",
      "粉丝分布在哪些地区",
      "最近的收入",
      "Which of my songs grew most?",
    ];
    for (const question of questions) assert.deepEqual([(await ask(question)).kind], ["account"], question);
    assert.deepEqual(
      service.bodies,
      questions.map((userMessage) => ({ userMessage })),
    );
  }));

test("a question that names more songs than a day has questions is refused before one is spent", () =>
  withMusic([SONGS, ONE], async ({ ask, service }) => {
    const names = Array.from({ length: 11 }, (_, place) => `《海盐${place}》`);
    await assert.rejects(ask(`比较${names.join("")}`), { code: "INPUT_INVALID", message: /names 11 songs/ });
    assert.deepEqual(service.bodies, []);
  }));

test("a name over 1,000 characters is no song, and the answer that holds it is shown all the same", () => {
  const long = "长".repeat(1001);
  const content = `| 歌曲名 | songId | 播放量 |\n|---|---|---|\n| 《${long}》 | 7 | 100 |\n`;
  return withMusic([answered(content)], async ({ ask }) => {
    assert.ok((await ask("我的播放量")).text.startsWith(content));
    assert.equal((await ask(`分析《${long}》`)).kind, "unsupported");
  });
});

test("an overall question that fails is the failure of the song's; nothing is asked without its id", () =>
  withMusic([answered("", { finishReason: "TIMEOUT" }), ONE], async ({ ask, service }) => {
    await assert.rejects(ask("分析《海盐》的表现"), { code: "MUSIC_TIMEOUT" });
    assert.deepEqual(service.bodies, [OVERALL]);
  }));

test("each answer is counted as one of today's questions, and so is one that may have been given [music.limit.questions]", () =>
  withMusic(
    [ONE, "reset", SONGS, ONE, "half", answered("", { finishReason: "TIMEOUT" }), ONE],
    async ({ ask }) => {
      const used = async (question: string): Promise<number | undefined> =>
        (await ask(question)).questionsToday?.used;
      assert.equal(await used("我的播放量"), 1);
      await assert.rejects(ask("我的播放量"), { code: "MUSIC_OUTCOME_UNKNOWN" });
      assert.equal(await used("分析《海盐》的表现"), 4);
      await assert.rejects(ask("我的播放量"), { code: "MUSIC_OUTCOME_UNKNOWN" });
      await assert.rejects(ask("我的播放量"), { code: "MUSIC_TIMEOUT" });
      assert.equal(await used("我的播放量"), 7);
    },
  ));
