/** The promises of the wrapper that a person meets at the command line and through the host. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { answered, refused } from "../../../contract-tests/fake-service.ts";
import { OVERALL, catalogue } from "./asking-service.ts";
import { about, plain, talk, unsupported, withHarness, type Step } from "./conversation-harness.ts";
import { TOKEN, failureOf, withMusic } from "./host.ts";
import { atDesk } from "./program.ts";

const SONGS = catalogue({
  overall: [
    ["《海盐》", 7],
    ["风筝 (Live)", 8],
    ["Ocean", 9],
    ["后来的我们", 10],
  ],
});
const PLAYS = "最近30天我的播放量怎么样？";
const TABLE = "| 歌曲名 | songId |\n|---|---|\n| 海盐 | 7 |\n| 风筝 | 8 |\n";
const WHICH_ZH = "您想了解哪一首歌？告诉我歌曲名即可，例如：分析歌曲《歌曲名》的表现";
const WHICH_EN = 'Which song do you mean? Just give its name, for example: How is "song name" doing?';

const talks: Readonly<Record<string, readonly Step[]>> = {
  "a song named without marks is exact, similar or unknown, and never the whole account": [
    { say: "分析歌曲海盐的表现", gets: "song", sent: [OVERALL, about("分析歌曲海盐的表现", 7)] },
    { say: "分析歌曲星图的表现", gets: "unsupported", sent: [], shown: unsupported("星图") },
    { say: "单曲风筝最近怎么样", gets: "choice", sent: [], candidates: ["风筝 (Live)"] },
    { say: "都不是", gets: "unsupported", sent: [], shown: unsupported("风筝") },
    { say: "歌曲后来的我们的播放趋势", gets: "song", sent: [about("歌曲后来的我们的播放趋势", 10)] },
    { say: "What about the song Ocean?", gets: "song", sent: [about("What about the song Ocean?", 9)] },
    { say: "How is the track ocean doing?", gets: "song", sent: [about("How is the track ocean doing?", 9)] },
    { say: "How is the track Dawn doing?", gets: "unsupported", sent: [], shown: unsupported("Dawn") },
    { say: "哪首歌曲播放最高？", gets: "account", sent: [plain("哪首歌曲播放最高？")] },
    { say: "歌曲的整体表现", gets: "account", sent: [plain("歌曲的整体表现")] },
    {
      say: "What song grew most on the top tracks list?",
      gets: "account",
      sent: [plain("What song grew most on the top tracks list?")],
    },
  ],
  "a pointer or a pronoun without a song leads to a question, which the name that follows answers [music.resolve.pronoun]":
    [
      { say: "这首歌表现如何？", gets: "choice", sent: [], shown: WHICH_ZH },
      { say: "海盐", gets: "song", sent: [OVERALL, about("这首歌表现如何？", 7)] },
      { say: "它的听众呢？", gets: "song", sent: [about("它的听众呢？", 7)] },
      { say: "那首歌呢？", in: "other", gets: "choice", sent: [], shown: WHICH_ZH },
      { say: "2", in: "other", gets: "INPUT_INVALID", sent: [] },
      { say: "选《风筝》吧", in: "other", gets: "choice", sent: [OVERALL], candidates: ["风筝 (Live)"] },
      { say: "1", in: "other", gets: "song", sent: [about("那首歌呢？", 8)] },
      { say: "那首歌呢？", in: "third", gets: "choice", sent: [] },
      { say: PLAYS, in: "third", gets: "account", sent: [plain(PLAYS)] },
      { say: "星图", in: "third", gets: "unsupported", sent: [OVERALL], shown: unsupported("星图") },
    ],
  "an English pronoun is asked back in English; one that means no song is not": [
    { say: "How is it doing?", gets: "choice", sent: [], shown: WHICH_EN },
    {
      say: "Is it true that my plays dropped?",
      gets: "account",
      sent: [plain("Is it true that my plays dropped?")],
    },
  ],
  "empty title marks lead to a question": [
    { say: "分析《》的表现", gets: "choice", sent: [], shown: WHICH_ZH },
    { say: "分析《 　》的表现", gets: "choice", sent: [], shown: WHICH_ZH },
    { say: 'How is "" doing?', gets: "choice", sent: [], shown: WHICH_EN },
  ],
  "an excluded song is not asked about": [
    {
      say: "不要分析《风筝》，看看整体播放量",
      gets: "account",
      sent: [plain("不要分析《风筝》，看看整体播放量")],
    },
    { say: "不要分析《风筝》", gets: "choice", sent: [], shown: WHICH_ZH },
    {
      say: "分析《海盐》，不要分析《风筝》",
      gets: "song",
      sent: [OVERALL, about("分析《海盐》，不要分析《风筝》", 7)],
    },
    {
      say: "How are my plays, not 'Ocean'?",
      gets: "account",
      sent: [plain("How are my plays, not 'Ocean'?")],
    },
  ],
};

describe("the resolution of the song, with exact texts", () => {
  for (const [title, steps] of Object.entries(talks))
    test(title, () => withHarness(SONGS, (harness) => talk(harness, steps)));
});

test("two songs with the same title are distinguished by version or date, or by their order, never by an id", () =>
  withMusic(
    [
      answered(
        "| 歌曲名 | songId | 版本 | 发行日期 |\n|---|---|---|---|\n| 晚安 | 10 | 录音室 | 2024-05-01 |\n| 晚安 | 11 | 现场 | 2025-06-02 |\n",
      ),
      answered("about one of them"),
      answered("| 歌曲名 | songId |\n|---|---|\n| 早安 | 4410 |\n| 早安 | 4411 |\n"),
    ],
    async ({ ask, host, service }) => {
      const dated = await ask("分析《晚安》");
      assert.match(dated.text, /1\. 《晚安》（录音室，2024-05-01）\n2\. 《晚安》（现场，2025-06-02）/);
      const chosen = { question: "现场那首", conversation: dated.conversation };
      await host.run({ skill: "music-analysis", command: "ask", input: chosen });
      assert.deepEqual(service.bodies.at(-1), { userMessage: "分析《晚安》", songId: 11 });
      const bare = await ask("分析《早安》");
      assert.match(bare.text, /1\. 《早安》（第 1 首）\n2\. 《早安》（第 2 首）/);
      assert.doesNotMatch(bare.text, /441/);
    },
  ));

test('"the new one" of two songs with one title has the later release day; without days the number is asked for again', () =>
  withMusic(
    [
      answered(
        "| 歌曲名 | songId |\n|---|---|\n| 晚安 | 11 |\n| 晚安 | 10 |\n\n- 有同名歌曲：《晚安》 songId 11、2025-06-02、TWA452500001、《晚安》 songId 10、2024-05-01\n",
      ),
      answered("about the new one"),
      answered("about the old one"),
      answered("| 歌曲名 | songId |\n|---|---|\n| 早安 | 4410 |\n| 早安 | 4411 |\n"),
    ],
    async ({ ask, host, service }) => {
      const reply = (question: string, conversation: string | undefined) =>
        host.run({ skill: "music-analysis", command: "ask", input: { question, conversation } }) as Promise<{
          readonly text: string;
        }>;
      const dated = await ask("分析《晚安》");
      assert.match(dated.text, /1\. 《晚安》（2024-05-01）\n2\. 《晚安》（2025-06-02，TWA452500001）/);
      await reply("新的那首", dated.conversation);
      assert.deepEqual(service.bodies.at(-1), { userMessage: "分析《晚安》", songId: 11 });
      await reply("How is 《晚安》 doing?", dated.conversation);
      await reply("the older one", dated.conversation);
      assert.deepEqual(service.bodies.at(-1), { userMessage: "How is 《晚安》 doing?", songId: 10 });
      const bare = await ask("分析《早安》");
      const asked = service.bodies.length;
      assert.match((await reply("新的那首", bare.conversation)).text, /1\. 《早安》（第 1 首）/);
      assert.equal(service.bodies.length, asked);
    },
  ));

test("if one of two songs is refused, the answer contains both outcomes and the exit status shows the refusal", () =>
  atDesk(
    [answered(TABLE), answered("about 海盐"), refused("SONG_NOT_SUPPORTED", "歌曲不支持分析")],
    async ({ say }) => {
      const said = await say(["run", "music-analysis", "对比《海盐》和《风筝》"]);
      assert.equal(said.status, 69, said.err);
      assert.equal(said.out, "about 海盐\n\n《风筝》：很抱歉，这首歌当前不支持数据分析。换一首试试？\n");
    },
  ));

test("the song after a refused song is still asked about", () =>
  withMusic(
    [answered(TABLE), refused("SONG_NOT_SUPPORTED", "歌曲不支持分析"), answered("about 风筝")],
    async ({ ask, service }) => {
      const error = await failureOf(ask("对比《海盐》和《风筝》"));
      assert.equal(error.code, "MUSIC_SONG_BLOCKED");
      const { text, unanswered } = error.result as { readonly text: string; readonly unanswered: unknown };
      const message = "很抱歉，这首歌当前不支持数据分析。换一首试试？";
      assert.deepEqual(unanswered, [{ name: "海盐", code: "MUSIC_SONG_BLOCKED", message }]);
      assert.equal(text, "《海盐》：很抱歉，这首歌当前不支持数据分析。换一首试试？\n\nabout 风筝");
      assert.equal(service.seen.length, 3);
    },
  ));

test("chat-sync prints no product name, and says how many it left out", () =>
  atDesk([answered("By\nSUNO and suno.com", { messageId: "suno-1" })], async ({ say }) => {
    const said = await say(["run", "music-analysis", "chat-sync", "最近30天我的播放量怎么样？"]);
    assert.equal(said.status, 0, said.err);
    assert.doesNotMatch(said.out + said.err, /suno/i);
    assert.equal((JSON.parse(said.out) as { data: { content: string } }).data.content, "By\n and ");
    assert.match(said.err, /3 product names were removed/);
    assert.equal(said.err.match(/removed/g)?.length, 1);
  }));

test("a parameter error names the fault", async () => {
  for (const [question, message, told] of [
    ["我的播放量", "userMessage 不能为空", /问题不能为空/],
    ["How are my plays?", "userMessage must not be empty", /question must not be empty/i],
    [
      "我的播放量",
      `时间范围不能为空 suno ${TOKEN} eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln`,
      /^问题内容有误，请修改后重试：时间范围不能为空 \[token\] *$/,
    ],
  ] as const)
    await withMusic([refused("INVALID_PARAM", message)], async ({ ask }) => {
      const error = await failureOf(ask(question));
      assert.equal(error.code, "MUSIC_PARAMETER");
      assert.match(error.message, told);
    });
});
