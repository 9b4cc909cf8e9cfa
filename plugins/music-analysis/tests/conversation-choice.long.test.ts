import assert from "node:assert/strict";
import { test } from "node:test";
import { OVERALL, catalogue, type Song } from "./asking-service.ts";
import { withHarness } from "./conversation-harness.ts";
import { about, plain, talk, unsupported, type Step } from "./conversation-talk.ts";
import { answered, refused, type FakeReply } from "../../../contract-tests/fake-service.ts";

const ALL: readonly Song[] = [
  ["海盐", 7],
  ["风筝(伴奏)", 8],
  ["风筝(Live)", 9],
  ["山雀", 10],
];
const FIRST = "帮我看看《风筝》最近7天的完播率";
const PLAYS = "最近30天我的播放量怎么样？";
const MINUTE_MS = 60_000;
const QUESTION = `没有找到与《风筝》完全一样的歌曲，您是想分析以下哪一首呢？

1. 《风筝(伴奏)》
2. 《风筝(Live)》

请回复歌曲名或前面的编号；如果都不是，也可以告诉我“都不是”。`;

const ASKED: Step = { say: FIRST, gets: "choice", sent: [OVERALL], shown: QUESTION };
const answer = (say: string, songId: number): Step => ({ say, gets: "song", sent: [about(FIRST, songId)] });
const NOTHING_WAITS: Step = { say: "1", gets: "INPUT_INVALID", sent: [] };

/** Every kind of answer of docs/music-analysis.md, Confirmation, and what follows. */
const ANSWERS: readonly { readonly title: string; readonly steps: readonly Step[] }[] = [
  ...[
    "1",
    "１",
    "1.",
    "第一个",
    "一",
    "第一首吧",
    "the first",
    "我选1",
    "风筝(伴奏)",
    "《风筝(伴奏)》",
    "伴奏那首",
  ].map((say, index) => ({
    title: `a wording of the first, number ${index + 1}, chooses it`,
    steps: [answer(say, 8)],
  })),
  ...["2", "第二个", "二", "the second one", "最后一个", "《风筝(Live)》", "live"].map((say, index) => ({
    title: `a wording of the second, number ${index + 1}, chooses it`,
    steps: [answer(say, 9)],
  })),
  ...["都不是", "没有", "不是", "none of them", "算了"].map((say, index) => ({
    title: `a refusal, number ${index + 1}, ends with the line of tier C for the first name, and nothing waits`,
    steps: [{ say, gets: "unsupported", sent: [], shown: unsupported("风筝") }, NOTHING_WAITS],
  })),
  {
    title: "[music.tier-c.restart] a new song name is a request of its own",
    steps: [{ say: "分析《海盐》", gets: "song", sent: [about("分析《海盐》", 7)] }, NOTHING_WAITS],
  },
  {
    title: "a new song name that nobody knows is its own tier C",
    steps: [
      { say: "那《星图》呢", gets: "unsupported", sent: [], shown: unsupported("星图") },
      NOTHING_WAITS,
    ],
  },
  {
    title: "a question about the account is a request of its own, and the choice waits on",
    steps: [{ say: PLAYS, gets: "account", sent: [plain(PLAYS)] }, answer("1", 8), NOTHING_WAITS],
  },
  {
    title: "a new similar name asks a new choice",
    steps: [
      { say: "分析《海盐？》的表现", gets: "choice", sent: [], candidates: ["海盐"] },
      { say: "1", gets: "song", sent: [about("分析《海盐？》的表现", 7)] },
    ],
  },
  {
    title: "a vague answer is asked once more, and then a number chooses",
    steps: [{ say: "中间那个", gets: "choice", sent: [], shown: QUESTION }, answer("2", 9)],
  },
  {
    title: "a number beyond the list is vague",
    steps: [{ say: "7", gets: "choice", sent: [], shown: QUESTION }, answer("1", 8)],
  },
  {
    title: "the second vague answer ends with the line of tier C for the first name",
    steps: [
      { say: "随便", gets: "choice", sent: [], shown: QUESTION },
      { say: "都行", gets: "unsupported", sent: [], shown: unsupported("风筝") },
      NOTHING_WAITS,
    ],
  },
  {
    title: "after the chosen answer nothing waits",
    steps: [answer("1", 8), NOTHING_WAITS],
  },
];

for (const { title, steps } of ANSWERS) {
  test(`[music.tier-b] the answer to a choice: ${title}`, () =>
    withHarness(catalogue({ overall: ALL }), (harness) => talk(harness, [ASKED, ...steps])));
}

/** A question that fails after the song was chosen. */
const FAILURES: readonly (readonly [title: string, reply: FakeReply, code: string, sent: number])[] = [
  ["the service takes too long", answered("", { finishReason: "TIMEOUT" }), "MUSIC_TIMEOUT", 1],
  ["the service is busy", answered("", { finishReason: "UPSTREAM_ERROR" }), "MUSIC_BUSY", 2],
  ["the answer is withdrawn", answered("", { finishReason: "SAFETY_REVOKED" }), "MUSIC_SAFETY_REVOKED", 1],
  ["the day's questions are used", refused(5001, "使用次数达 10 次"), "MUSIC_QUOTA_REACHED", 1],
  ["the song is blocked", refused(5002, "歌曲不支持分析"), "MUSIC_SONG_BLOCKED", 1],
  ["the login has run out", refused("UNAUTHORIZED", "未登录"), "MUSIC_LOGIN_NEEDED", 1],
  ["the connection breaks", "drop", "MUSIC_OUTCOME_UNKNOWN", 1],
];

for (const [title, reply, code, sent] of FAILURES) {
  test(`a choice waits on, so that the number can be typed again: ${title}`, () =>
    withHarness(catalogue({ overall: ALL }), (harness) =>
      talk(harness, [
        ASKED,
        {
          say: "2",
          gets: code,
          answers: () => reply,
          sent: Array.from({ length: sent }, () => about(FIRST, 9)),
        },
        { ...answer("1", 8), answers: catalogue({ overall: ALL }) },
        NOTHING_WAITS,
      ]),
    ));
}

test("a choice waits on when the service cannot be reached at all", () =>
  withHarness(catalogue({ overall: ALL }), async (harness) => {
    await talk(harness, [ASKED]);
    const person = await harness.host();
    await harness.service.close();
    await assert.rejects(person.ask("2", "talk"), { code: "NETWORK_UNREACHED" });
    const known = await person.songs({ conversation: "talk" });
    assert.deepEqual(known["focus"], { name: "风筝(Live)", songId: 9 });
    const again = await person.ask("中间那个", "talk");
    assert.equal(again.text, QUESTION);
  }));

test("what fails after a number is told in the language of the question, not of the number", () =>
  withHarness(catalogue({ overall: ALL }), async (harness) => {
    await talk(harness, [ASKED]);
    const person = await harness.host();
    harness.service.answer = () => answered("", { finishReason: "TIMEOUT" });
    await assert.rejects(person.ask("1", "talk"), { message: "数据分析耗时较长，请稍后再试~" });
    await assert.rejects(person.ask("How are my plays?", "talk"), { message: /^The analysis takes long/ });
  }));

const WAITING: readonly { readonly title: string; readonly steps: readonly Step[] }[] = [
  { title: "for 60 minutes", steps: [{ ...answer("1", 8), afterMs: 60 * MINUTE_MS }] },
  { title: "and not a moment longer", steps: [{ ...NOTHING_WAITS, afterMs: 60 * MINUTE_MS + 1 }] },
  {
    title: "for another 60 minutes after it was asked once more",
    steps: [
      { say: "中间那个", gets: "choice", afterMs: 40 * MINUTE_MS, sent: [] },
      { ...answer("1", 8), afterMs: 40 * MINUTE_MS },
    ],
  },
  { title: "in its own conversation only", steps: [{ ...NOTHING_WAITS, in: "other" }, answer("1", 8)] },
  { title: "over a restart", steps: [{ ...answer("1", 8), login: "canary-token-5f2b9c" }] },
];

for (const { title, steps } of WAITING) {
  test(`a choice waits ${title}`, () =>
    withHarness(catalogue({ overall: ALL }), (harness) => talk(harness, [ASKED, ...steps])));
}

test("without a conversation a choice makes one, whose name comes with it, and the answer works after a restart", () =>
  withHarness(catalogue({ overall: ALL }), async (harness) => {
    const first = await harness.host();
    const { conversation, text } = await first.ask(FIRST);
    assert.equal(text, QUESTION);
    assert.match(conversation ?? "", /^[0-9a-f]{10}$/);
    // The line how to answer is for who types commands (conversation-processes.test.ts).
    assert.deepEqual(first.test.log.notices, []);
    const second = await harness.host();
    const shown = await second.ask("2", conversation);
    assert.deepEqual([shown.kind, shown.conversation, shown.requests], ["song", conversation, 1]);
    assert.deepEqual(harness.service.bodies, [OVERALL, about(FIRST, 9)]);
    assert.deepEqual(second.test.log.notices, []);
  }));

test("an answer that shows no choice leaves no conversation behind when none was named", () =>
  withHarness(catalogue({ overall: ALL }), async (harness) => {
    const person = await harness.host();
    for (const question of ["分析《海盐》", "分析《星图》", PLAYS])
      assert.equal((await person.ask(question)).conversation, undefined);
  }));
