import { test } from "node:test";
import { OVERALL, catalogue, type Song } from "./asking-service.ts";
import { withHarness } from "./conversation-harness.ts";
import { about, plain, talk, unsupported, type Step } from "./conversation-talk.ts";
import { refused } from "../../../contract-tests/fake-service.ts";

const ALL: readonly Song[] = [
  ["海盐", 7],
  ["风筝", 8],
  ["风筝(Live)", 9],
];
const PLAYS = "最近30天我的播放量怎么样？";
const THIS = "这首歌的听众主要在哪些地区？";
const HOUR_MS = 3_600_000;

const SHOWN: Step = { say: "分析《海盐》", gets: "song", sent: [OVERALL, about("分析《海盐》", 7)] };
const ASKED: Step = { say: "分析《海盐！》", gets: "choice", sent: [OVERALL], candidates: ["海盐"] };

const TALKS: readonly { readonly title: string; readonly steps: readonly Step[] }[] = [
  {
    title: "[music.resolve.pointer] after a shown answer a pointer means its song, and costs one request",
    steps: [SHOWN, { say: THIS, gets: "song", sent: [about(THIS, 7)], shown: "answer about song 7" }],
  },
  ...["它最近怎么样？", "这首呢，播放量多少？", "How is it doing?", "Is its audience growing?"].map(
    (say, index) => ({
      title: `[music.resolve.pronoun] after a shown answer a pronoun means its song, question ${index + 1}`,
      steps: [SHOWN, { say, gets: "song", sent: [about(say, 7)] }],
    }),
  ),
  ...["它和《风筝》哪个播放更多？", "Compare it with 《风筝》"].map((say, index) => ({
    title: `"it" beside a named song means both, question ${index + 1}`,
    steps: [SHOWN, { say, gets: "song", sent: [about(say, 7), about(say, 8)] }],
  })),
  {
    title: "a named song alone is the only one, whatever is in focus",
    steps: [SHOWN, { say: "分析《风筝》", gets: "song", sent: [about("分析《风筝》", 8)] }],
  },
  {
    title: "a pronoun without a song in focus points at nothing: a question about the account",
    steps: [{ say: "它最近怎么样？", gets: "account", sent: [plain("它最近怎么样？")] }],
  },
  {
    title: "a pointer without a song in focus is looked for once, and never asked without an id",
    steps: [
      { say: THIS, gets: "unsupported", sent: [OVERALL], shown: unsupported("该歌曲") },
      { say: THIS, gets: "unsupported", sent: [], shown: unsupported("该歌曲") },
    ],
  },
  {
    title: "a song that was chosen is in focus",
    steps: [
      ASKED,
      { say: "1", gets: "song", sent: [about("分析《海盐！》", 7)] },
      { say: THIS, gets: "song", sent: [about(THIS, 7)] },
    ],
  },
  {
    title: "a song that was chosen is in focus even when its question fails",
    steps: [
      ASKED,
      { say: "1", gets: "MUSIC_REFUSED", answers: () => refused(-1, ""), sent: [about("分析《海盐！》", 7)] },
      { say: THIS, gets: "song", answers: catalogue({ overall: ALL }), sent: [about(THIS, 7)] },
    ],
  },
  {
    title: "a song that was only asked about is not in focus while its question fails",
    steps: [
      SHOWN,
      {
        say: "分析《风筝》",
        gets: "MUSIC_REFUSED",
        answers: () => refused(-1, ""),
        sent: [about("分析《风筝》", 8)],
      },
      { say: THIS, gets: "song", answers: catalogue({ overall: ALL }), sent: [about(THIS, 7)] },
    ],
  },
  {
    title: "the last shown song is the one in focus",
    steps: [
      SHOWN,
      { say: "分析《风筝》", gets: "song", sent: [about("分析《风筝》", 8)] },
      { say: THIS, gets: "song", sent: [about(THIS, 8)] },
    ],
  },
  {
    title: "a question about the account in between leaves it",
    steps: [
      SHOWN,
      { say: PLAYS, gets: "account", sent: [plain(PLAYS)] },
      { say: THIS, gets: "song", sent: [about(THIS, 7)] },
    ],
  },
  {
    title: "a song that cannot be analysed, or a choice that is declined, leaves it",
    steps: [
      SHOWN,
      { say: "分析《星图》", gets: "unsupported", sent: [] },
      { say: THIS, gets: "song", sent: [about(THIS, 7)] },
      { say: "分析《风筝！》", gets: "choice", sent: [] },
      { say: "都不是", gets: "unsupported", sent: [] },
      { say: THIS, gets: "song", sent: [about(THIS, 7)] },
    ],
  },
  {
    title: "two songs in one question leave none in focus",
    steps: [
      SHOWN,
      {
        say: "比较《海盐》和《风筝》",
        gets: "song",
        sent: [about("比较《海盐》和《风筝》", 7), about("比较《海盐》和《风筝》", 8)],
        shown: "answer about song 7\n\nanswer about song 8",
      },
      { say: THIS, gets: "unsupported", sent: [], shown: unsupported("该歌曲") },
    ],
  },
  {
    title: "a pointer or pronoun beside a known name means that name",
    steps: [
      SHOWN,
      { say: "风筝这首歌怎么样", gets: "song", sent: [about("风筝这首歌怎么样", 8)] },
      { say: "这首歌《海盐》怎么样", gets: "song", sent: [about("这首歌《海盐》怎么样", 7)] },
      { say: "风筝它最近怎么样", gets: "song", sent: [about("风筝它最近怎么样", 8)] },
    ],
  },
  {
    title: "a pointer beside a known name means that name a day after the songs were read too",
    steps: [
      SHOWN,
      { say: THIS, gets: "song", afterMs: 20 * HOUR_MS, sent: [about(THIS, 7)] },
      { say: "风筝这首歌怎么样", gets: "song", afterMs: 20 * HOUR_MS, sent: [about("风筝这首歌怎么样", 8)] },
    ],
  },
  {
    title: "another conversation has no song in focus",
    steps: [
      SHOWN,
      { say: THIS, gets: "unsupported", in: "other", sent: [OVERALL] },
      { say: THIS, gets: "unsupported", in: "", sent: [OVERALL] },
    ],
  },
];

for (const { title, steps } of TALKS) {
  test(`the song in focus: ${title}`, () =>
    withHarness(catalogue({ overall: ALL }), (harness) => talk(harness, steps)));
}

test("the song in focus: a known name of another answer beside a pointer is read before the pointer", () =>
  withHarness(catalogue({ overall: ALL, listed: [["海盐", 7]] }), (harness) =>
    talk(harness, [
      { say: PLAYS, gets: "account", sent: [plain(PLAYS)] },
      { say: "海盐这首歌怎么样", gets: "song", sent: [about("海盐这首歌怎么样", 7)] },
      { say: THIS, gets: "song", sent: [about(THIS, 7)] },
    ]),
  ));
