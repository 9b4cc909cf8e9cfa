/** The song that a question means, and the songs that a conversation remembers, through the host. */
import { describe, test } from "node:test";
import { OVERALL, catalogue } from "./asking-service.ts";
import { about, plain, talk, unsupported, withHarness, type Step } from "./conversation-harness.ts";

const PLAYS = "最近30天我的播放量怎么样？";
const SONGS = catalogue({
  overall: [
    ["《海盐》", 7],
    ["海盐 (Live)", 8],
    ["Season", 9],
    ["晚安", 10],
    ["晚安", 11],
    ["夜空中最亮的星", 12],
  ],
  listed: [["风筝", 13]],
});

const talks: Readonly<Record<string, readonly Step[]>> = {
  "an exact name in title marks or quotes is asked with its id, whatever its case and spaces [music.resolve.known] [music.resolve.named] [music.resolve.overall] [music.tier-a] [music.request.song-id]":
    [
      { say: "分析歌曲《海 盐》的表现", gets: "song", sent: [OVERALL, about("分析歌曲《海 盐》的表现", 7)] },
      { say: "“SEASON”表现如何？", gets: "song", sent: [about("“SEASON”表现如何？", 9)] },
      { say: "“播放量”怎么样？", gets: "account", sent: [plain("“播放量”怎么样？")] },
    ],
  "a similar name becomes a question, even when one song alone is similar, and the number answers it [music.tier-b] [music.tier-b.words]":
    [
      {
        say: "分析《海盐！》的表现",
        gets: "choice",
        sent: [OVERALL],
        candidates: ["《海盐》", "海盐 (Live)"],
        shown:
          "您想分析的《海盐！》是以下哪一首呢？\n\n1. 《海盐》\n2. 《海盐 (Live)》\n\n请回复歌曲名或前面的编号；如果都不是，也可以告诉我“都不是”。",
      },
      { say: "2", gets: "song", sent: [about("分析《海盐！》的表现", 8)] },
      { say: "分析《最亮的星》的表现", gets: "choice", sent: [], candidates: ["夜空中最亮的星"] },
      { say: "都不是", gets: "unsupported", sent: [], shown: unsupported("最亮的星") },
    ],
  "several songs of one name are all offered": [
    {
      say: "《晚安》的收听数据",
      gets: "choice",
      sent: [OVERALL],
      candidates: ["晚安（第 1 首）", "晚安（第 2 首）"],
      shown:
        "您想分析的《晚安》是以下哪一首呢？\n\n1. 《晚安》（第 1 首）\n2. 《晚安》（第 2 首）\n\n请回复歌曲名或前面的编号；如果都不是，也可以告诉我“都不是”。",
    },
    { say: "第二首", gets: "song", sent: [about("《晚安》的收听数据", 11)] },
  ],
  "a typo, half a Latin word and an unknown song get the fixed line and no further request [music.tier-c] [music.tier-c.name] [music.tier-c.nothing-else] [music.tier-c.no-attempt]":
    [
      { say: "分析《海言》的表现", gets: "unsupported", sent: [OVERALL], shown: unsupported("海言") },
      { say: "分析《Sea》的表现", gets: "unsupported", sent: [], shown: unsupported("Sea") },
      { say: "分析“夜曲”的表现", gets: "unsupported", sent: [], shown: unsupported("夜曲") },
    ],
  "a known name beside a pointer is the song, and so is one before a colon that a pronoun means [music.resolve.pointer]":
    [
      { say: "海盐这首歌怎么样", gets: "song", sent: [OVERALL, about("海盐这首歌怎么样", 7)] },
      {
        say: "海盐: plays since it came out",
        in: "colon",
        gets: "song",
        sent: [OVERALL, about("海盐: plays since it came out", 7)],
      },
      { say: "Question: how did it do in October", in: "nothing", gets: "choice", sent: [OVERALL] },
    ],
  "a name without marks that is in the answer about the account is never answered for the account [music.tier-c.no-fallback]":
    [
      {
        say: "风筝最近30天播放量",
        gets: "song",
        sent: [plain("风筝最近30天播放量"), about("风筝最近30天播放量", 13)],
      },
    ],
  "questions about the account are sent once and without an id [music.resolve.account] [music.service.scope]":
    ["我的播放量", "听众画像怎么样", "粉丝分布在哪些地区", "最近的收入", "Which of my songs grew most?"].map(
      (say) => ({ say, gets: "account", sent: [plain(say)] }),
    ),
  "a question that names more songs than a day has questions is refused before one is spent": [
    {
      say: `比较${Array.from({ length: 11 }, (_, place) => `《海盐${place}》`).join("")}`,
      gets: "INPUT_INVALID",
      sent: [],
      shown: /11 首歌曲/,
    },
  ],
  "a number, an ordinal or a refusal alone sends no request if no choice is open": [
    "1",
    "第二个",
    "the first",
    "都不是",
    "none of them",
  ].map((say) => ({ say, gets: "INPUT_INVALID", sent: [] })),
  '"it" is the song of the last answer, and "this song" without one is not the account': [
    { say: "这首歌表现如何？", gets: "choice", sent: [], shown: /^您想了解哪一首歌？/ },
    { say: "分析《晚安》的表现", gets: "choice", sent: [OVERALL] },
    { say: "1", gets: "song", sent: [about("分析《晚安》的表现", 10)] },
    { say: "它的收入呢？", gets: "song", sent: [about("它的收入呢？", 10)] },
    { say: PLAYS, gets: "account", sent: [plain(PLAYS)] },
    { say: "它的听众呢？", gets: "song", sent: [about("它的听众呢？", 10)] },
  ],
  "a short follow-up question is about the song of the last answer, or about the account after an answer about the account":
    [
      { say: "分析《海盐》的表现", gets: "song", sent: [OVERALL, about("分析《海盐》的表现", 7)] },
      ...["那8月呢", "收入呢？", "那上个月呢", "and in August?", "What about last week", "按国家呢"].map(
        (say): Step => ({ say, gets: "song", sent: [about(say, 7)] }),
      ),
      ...["saves?", "哪天最高", "收入", "上个月", "why?", "save rate?"].map((say): Step => ({
        say,
        gets: "song",
        sent: [about(say, 7)],
      })),
      ...["8月播放", "August plays", "my saves", "fans?"].map((say): Step => ({
        say,
        gets: "account",
        sent: [plain(say)],
      })),
      { say: "它的收入呢？", gets: "song", sent: [about("它的收入呢？", 7)] },
      ...["那我的收入呢", "粉丝画像呢", "那整体呢"].map((say): Step => ({
        say,
        gets: "account",
        sent: [plain(say)],
      })),
      { say: "那8月呢", gets: "account", sent: [plain("那8月呢")] },
      { say: "它的收入呢？", gets: "song", sent: [about("它的收入呢？", 7)] },
      { say: "那9月呢", gets: "song", sent: [about("那9月呢", 7)] },
      {
        say: "对比《海盐》和《Season》",
        gets: "song",
        sent: [about("对比《海盐》和《Season》", 7), about("对比《海盐》和《Season》", 9)],
      },
      { say: "那9月呢", gets: "account", sent: [plain("那9月呢")] },
    ],
  "no song is in focus after an answer about two songs": [
    {
      say: "对比《海盐》和《Season》",
      gets: "song",
      sent: [OVERALL, about("对比《海盐》和《Season》", 7), about("对比《海盐》和《Season》", 9)],
    },
    { say: "这首歌的收入呢？", gets: "choice", sent: [], shown: /^您想了解哪一首歌？/ },
  ],
  "a short question while a choice is open is about the song to be chosen": [
    { say: "《晚安》的收听数据", gets: "choice", sent: [OVERALL] },
    { say: "收藏呢", gets: "choice", sent: [], candidates: ["晚安（第 1 首）", "晚安（第 2 首）"] },
    { say: "2", gets: "song", sent: [about("《晚安》的收听数据", 11)] },
  ],
  "a choice is open for an hour, and later its number is not an answer": [
    { say: "《晚安》的收听数据", gets: "choice", sent: [OVERALL] },
    { say: "2", afterMs: 61 * 60_000, gets: "INPUT_INVALID", sent: [] },
  ],
  "another account knows nothing of the songs and the choice": [
    { say: "《晚安》的收听数据", gets: "choice", sent: [OVERALL] },
    { say: "2", login: "another-token-77", gets: "INPUT_INVALID", sent: [] },
    { say: "《海盐》怎么样？", gets: "song", sent: [OVERALL, about("《海盐》怎么样？", 7)] },
  ],
};

describe("the resolution of the song", () => {
  for (const [title, steps] of Object.entries(talks))
    test(title, () => withHarness(SONGS, (harness) => talk(harness, steps)));
});
