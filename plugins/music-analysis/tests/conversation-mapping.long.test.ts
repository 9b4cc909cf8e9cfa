import { test } from "node:test";
import { OVERALL, catalogue, type Answer, type Song } from "./asking-service.ts";
import { withHarness } from "./conversation-harness.ts";
import { about, plain, talk, unsupported, type Step } from "./conversation-talk.ts";
import { answered, refused } from "../../../contract-tests/fake-service.ts";

const SEA: Song = ["海盐", 7];
const KITE: Song = ["风筝", 8];
const KITE_LIVE: Song = ["风筝(Live)", 9];
const ALL = [SEA, KITE, KITE_LIVE];
const PLAYS = "最近30天我的播放量怎么样？";
const DAY_MS = 86_400_000;

const TALKS: readonly {
  readonly title: string;
  readonly answers: Answer;
  readonly steps: readonly Step[];
}[] = [
  {
    title:
      "[music.resolve.known] after an account-wide answer that lists a song, a question about it costs one request",
    answers: catalogue({ overall: ALL, listed: [SEA] }),
    steps: [
      { say: PLAYS, gets: "account", sent: [plain(PLAYS)] },
      {
        say: "分析《海盐》的表现",
        gets: "song",
        sent: [about("分析《海盐》的表现", 7)],
        shown: "answer about song 7",
      },
    ],
  },
  {
    title: "a known name without marks costs one request too",
    answers: catalogue({ overall: ALL, listed: [SEA] }),
    steps: [
      { say: PLAYS, gets: "account", sent: [plain(PLAYS)] },
      { say: "海盐最近30天播放量", gets: "song", sent: [about("海盐最近30天播放量", 7)] },
    ],
  },
  {
    title:
      "[music.resolve.overall] the overall question is asked once a conversation, and its content is not shown",
    answers: catalogue({ overall: ALL }),
    steps: [
      {
        say: "分析《海盐》",
        gets: "song",
        sent: [OVERALL, about("分析《海盐》", 7)],
        shown: "answer about song 7",
      },
      { say: "分析《风筝》", gets: "song", sent: [about("分析《风筝》", 8)] },
      { say: "分析《星图》", gets: "unsupported", sent: [], shown: unsupported("星图") },
      { say: "分析《风筝！》", gets: "choice", sent: [], candidates: ["风筝", "风筝(Live)"] },
      { say: "都不是", gets: "unsupported", sent: [], shown: unsupported("风筝！") },
    ],
  },
  {
    title:
      "songs that only another answer named decide nothing but an exact hit: then the overall question is asked",
    answers: catalogue({ overall: ALL, listed: [KITE_LIVE] }),
    steps: [
      { say: PLAYS, gets: "account", sent: [plain(PLAYS)] },
      { say: "分析《风筝(Live)》", gets: "song", sent: [about("分析《风筝(Live)》", 9)] },
      { say: "分析《风筝》", gets: "song", sent: [OVERALL, about("分析《风筝》", 8)] },
      { say: "分析《星图》", gets: "unsupported", sent: [], shown: unsupported("星图") },
    ],
  },
  {
    title: "a song that only another answer named stays known when the overall answer leaves it out",
    answers: catalogue({ overall: [KITE], listed: [SEA] }),
    steps: [
      { say: PLAYS, gets: "account", sent: [plain(PLAYS)] },
      { say: "分析《星图》", gets: "unsupported", sent: [OVERALL], shown: unsupported("星图") },
      { say: "分析《海盐》", gets: "song", sent: [about("分析《海盐》", 7)] },
      { say: "分析《海盐！》", gets: "choice", sent: [], candidates: ["海盐"] },
    ],
  },
  {
    title: "account-wide answers teach songs after an overall one as well, and it stays the last word",
    answers: catalogue({ overall: [KITE], listed: [SEA] }),
    steps: [
      { say: "分析《星图》", gets: "unsupported", sent: [OVERALL] },
      { say: PLAYS, gets: "account", sent: [plain(PLAYS)] },
      { say: "分析《海盐》", gets: "song", sent: [about("分析《海盐》", 7)] },
      { say: "分析《灯塔》", gets: "unsupported", sent: [] },
    ],
  },
  {
    title: "without a conversation every question is on its own",
    answers: catalogue({ overall: ALL, listed: ALL }),
    steps: [
      { say: PLAYS, gets: "account", in: "", sent: [plain(PLAYS)] },
      { say: "分析《海盐》", gets: "song", in: "", sent: [OVERALL, about("分析《海盐》", 7)] },
      { say: "分析《海盐》", gets: "song", in: "", sent: [OVERALL, about("分析《海盐》", 7)] },
    ],
  },
  {
    title: "two conversations know nothing of each other",
    answers: catalogue({ overall: ALL }),
    steps: [
      { say: "分析《海盐》", gets: "song", in: "one", sent: [OVERALL, about("分析《海盐》", 7)] },
      { say: "分析《海盐》", gets: "song", in: "two", sent: [OVERALL, about("分析《海盐》", 7)] },
      { say: "分析《海盐》", gets: "song", in: "one", sent: [about("分析《海盐》", 7)] },
    ],
  },
  {
    title: "[music.tier-c] an overall answer without songs is tier C, and the next question looks again",
    answers: () => answered("没有歌曲"),
    steps: [
      { say: "分析《海盐》", gets: "unsupported", sent: [OVERALL], shown: unsupported("海盐") },
      { say: "分析《海盐》", gets: "unsupported", sent: [OVERALL], shown: unsupported("海盐") },
      {
        say: "分析《海盐》",
        gets: "song",
        answers: catalogue({ overall: ALL }),
        sent: [OVERALL, about("分析《海盐》", 7)],
      },
    ],
  },
  {
    title: "an overall question that fails leaves nothing known, and no song is asked about",
    answers: () => refused(5001, "使用次数达 10 次"),
    steps: [
      { say: "分析《海盐》", gets: "MUSIC_QUOTA_REACHED", sent: [OVERALL] },
      {
        say: "分析《海盐》",
        gets: "song",
        answers: catalogue({ overall: ALL }),
        sent: [OVERALL, about("分析《海盐》", 7)],
      },
    ],
  },
  {
    title: "an overall answer is the last word for 24 hours; then exact songs still cost one request",
    answers: catalogue({ overall: ALL }),
    steps: [
      { say: "分析《海盐》", gets: "song", sent: [OVERALL, about("分析《海盐》", 7)] },
      { say: "分析《风筝》", gets: "song", afterMs: DAY_MS / 2, sent: [about("分析《风筝》", 8)] },
      { say: "分析《星图》", gets: "unsupported", afterMs: DAY_MS / 2, sent: [] },
      { say: "分析《海盐》", gets: "song", afterMs: 1, sent: [about("分析《海盐》", 7)] },
      {
        say: "分析《星图》",
        gets: "song",
        answers: catalogue({ overall: [...ALL, ["星图", 10]] }),
        sent: [OVERALL, about("分析《星图》", 10)],
      },
    ],
  },
  {
    title: "a conversation that nobody has used for more than 24 hours is forgotten",
    answers: catalogue({ overall: ALL }),
    steps: [
      { say: "分析《海盐》", gets: "song", sent: [OVERALL, about("分析《海盐》", 7)] },
      { say: "分析《海盐》", gets: "song", afterMs: DAY_MS + 1, sent: [OVERALL, about("分析《海盐》", 7)] },
    ],
  },
  {
    title: "the newest answer decides what a song is called",
    answers: catalogue({ overall: [SEA] }),
    steps: [
      { say: "分析《海盐》", gets: "song", sent: [OVERALL, about("分析《海盐》", 7)] },
      {
        say: PLAYS,
        gets: "account",
        answers: catalogue({ overall: [], listed: [["潮汐", 7]] }),
        sent: [plain(PLAYS)],
      },
      { say: "分析《潮汐》", gets: "song", sent: [about("分析《潮汐》", 7)] },
      { say: "分析《海盐》", gets: "unsupported", sent: [], shown: unsupported("海盐") },
    ],
  },
  {
    title: "[music.request.message] the question goes out with its white space, marks and emoji as they are",
    answers: catalogue({ overall: ALL }),
    steps: [
      {
        say: "  分析《 海 盐 》 🎵\n的表现 ",
        gets: "song",
        sent: [OVERALL, about("  分析《 海 盐 》 🎵\n的表现 ", 7)],
      },
    ],
  },
];

for (const { title, answers, steps } of TALKS) {
  test(`a conversation's songs: ${title}`, () => withHarness(answers, (harness) => talk(harness, steps)));
}
