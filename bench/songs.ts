import { isDeepStrictEqual } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { extractSongs } from "../plugins/music-analysis/songs/extraction.ts";
import { classify, type Tier } from "../plugins/music-analysis/songs/ladder.ts";
import type { SongEntry } from "../plugins/music-analysis/songs/mapping.ts";
import { readQuestion, type Question } from "../plugins/music-analysis/songs/question.ts";
import { songIndex, type SongLookUps } from "../plugins/music-analysis/songs/song-index.ts";
import { linearScan } from "./linear-scan.ts";
import { quiet } from "./quiet.ts";
import { figureRow, ratioRow, type Bench, type Row } from "./row.ts";
import { answers, type Answer } from "./song-answers.ts";
import { someSongs } from "./song-titles.ts";

const SIZES = [1_000, 10_000, 100_000] as const;
const LIMIT = 0.25;
const ROUNDS = 15;
const PREPARATIONS = 5;
const READINGS = 7;
const ANSWER_BYTES = 5_000_000;
const ANSWER_LIMIT_MS = 300;
const MEMORY_LIMIT_MB = 60;
/** The first answers prepare something; then each side is asked for so long before it is measured. */
const FIRST_CALLS = 5;
const WARM_UP_MS = 60;
const SAMPLE_MS = 4;
const MISS = "Zanzibar Quartet";
/** Keys of one and of two characters are looked up in lists of their own. */
const SHORT = ["鲲", "鲲鹏"];

/** A question, and what it must come to among all songs. */
interface Ask {
  readonly label: string;
  readonly text: string;
  /** The tier of a name; for a whole question what it is about. */
  readonly expected: "A" | "B" | "C" | "song" | "account";
}

const ASKS: readonly Ask[] = [
  { label: "exact hit", text: "lantern harbour", expected: "A" },
  { label: "miss, Latin", text: MISS, expected: "C" },
  { label: "miss, Latin, only inside of words", text: "ight", expected: "C" },
  { label: "miss, CJK", text: "鲲鹏扶摇", expected: "C" },
  { label: "contained in a known name", text: "珊瑚礁", expected: "B" },
  { label: "contains a known name", text: "鲸落的传说", expected: "B" },
  { label: "contained, Japanese", text: "ゆりかごのうた", expected: "B" },
  { label: "contained, Korean", text: "무지개 끝", expected: "B" },
  { label: "the same but for punctuation", text: "Lantern-Harbour?!", expected: "B" },
  { label: "the same but for width", text: "ＬＡＮＴＥＲＮ　ＨＡＲＢＯＵＲ", expected: "B" },
  { label: "simplified for traditional", text: "飞鸟与鲸", expected: "B" },
  { label: "a name that two songs have", text: "霓裳曲", expected: "B" },
  { label: "a word in one of twenty names", text: "love", expected: "B" },
  { label: "a character in many names", text: "爱", expected: "B" },
  { label: "miss, a letter in most Latin names", text: "o", expected: "C" },
  {
    label: "long question with a name, Chinese",
    text: "请帮我看看 Lantern Harbour 最近30天在各个平台上的播放趋势怎么样，听众画像有什么变化，和上个月相比涨幅多少？",
    expected: "song",
  },
  {
    label: "long question with a name, English",
    text: "How did Lantern Harbour perform over the last 30 days, and which cities grew most compared with last month?",
    expected: "song",
  },
  {
    label: "long question without a name",
    text: "请问最近30天我的账号整体播放量和收听时长的涨幅分别是多少，粉丝的性别比例和年龄分布有什么变化？",
    expected: "account",
  },
];

/** What a question costs among many songs, and reading them out of a great answer. */
export const bench: Bench = {
  name: "songs",
  describe:
    "A question against all songs of an account, next to a scan of names folded beforehand, which gives the same answer; and the songs of answers of 5 MB.",
  run: async () => {
    const rows: Row[] = [];
    for (const size of SIZES) rows.push(...(await amongSongs(size)));
    rows.push(...(await preparing(SIZES[2])));
    for (const answer of answers(ANSWER_BYTES)) rows.push(await reading(answer));
    return rows;
  },
};

async function amongSongs(size: number): Promise<readonly Row[]> {
  const songs = someSongs(size);
  const index = songIndex(songs);
  const scan = linearScan(songs);
  const sides = [
    { lookUps: scan, tierOf: scan.tierOf },
    { lookUps: index, tierOf: (name: string) => classify(name, index) },
  ] as const;
  const count = `${size.toLocaleString("en")} songs`;
  const rows: Row[] = [];
  for (const ask of ASKS) {
    const asked = sides.map((side) => answerer(ask, side));
    const [right, answer] = asked.map((answers) => answers());
    if (!isDeepStrictEqual(answer, right) || kindOf(answer) !== ask.expected)
      throw new Error(
        `${ask.text} among ${count} gave ${JSON.stringify(answer)}, not ${JSON.stringify(right)}`,
      );
    const [bases = [], candidates = []] = await interleaved(asked);
    const subject = `${ask.label}, ${count}`;
    rows.push(
      ratioRow({ subject, base: "scan of folded names", unit: "µs", bases, candidates, limit: LIMIT }),
    );
  }
  return rows;
}

type Answered = Tier | Question;

/** What answers a name and a question. */
interface Side {
  readonly lookUps: SongLookUps;
  readonly tierOf: (name: string) => Tier;
}

function answerer({ text, expected }: Ask, { lookUps, tierOf }: Side): () => Answered {
  if (expected.length === 1) return () => tierOf(text);
  return () => readQuestion(text, { index: lookUps, focused: false });
}

function kindOf(answer: Answered | undefined): string | undefined {
  return answer !== undefined && "tier" in answer ? answer.tier : answer?.kind;
}

/** Microseconds of one answer, one a round for each side, another one first each time. */
async function interleaved(sides: readonly (() => Answered)[]): Promise<readonly number[][]> {
  const times = sides.map((): number[] => []);
  const repeats = sides.map((side) => Math.ceil(SAMPLE_MS / warmMilliseconds(side)));
  await quiet();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let step = 0; step < sides.length; step += 1) {
      const turn = (round + step) % sides.length;
      const [side, count] = [sides[turn], repeats[turn] ?? 1];
      if (side !== undefined) times[turn]?.push((milliseconds(side, count) / count) * 1_000);
    }
  }
  return times;
}

/** What one answer takes once it was given many times. */
function warmMilliseconds(side: () => Answered): number {
  milliseconds(side, FIRST_CALLS);
  let count = 1;
  for (;;) {
    const ms = milliseconds(side, count);
    if (ms >= WARM_UP_MS) return ms / count;
    count *= 2;
  }
}

function milliseconds(work: () => unknown, count = 1): number {
  const start = performance.now();
  for (let turn = 0; turn < count; turn += 1) work();
  return performance.now() - start;
}

/** What it takes before the first answers, and what is kept. */
async function preparing(size: number): Promise<readonly Row[]> {
  const songs = someSongs(size);
  const ready: number[] = [];
  const first: number[] = [];
  const kept: number[] = [];
  for (let round = 0; round < PREPARATIONS; round += 1) {
    await quiet();
    const before = usedMegabytes();
    let index = songIndex([]);
    ready.push(milliseconds(() => (index = songIndex(songs))));
    first.push(milliseconds(() => classify(MISS, index)));
    for (const text of [MISS, MISS, MISS, ...SHORT]) classify(text, index);
    kept.push(usedMegabytes() - before);
    if (classify(MISS, index).tier !== "C") throw new Error(`${MISS} is known.`);
  }
  const count = `${size.toLocaleString("en")} songs`;
  return [
    figureRow(`index of ${count}: until an exact name is answered`, "", "ms", ready),
    figureRow("and then the first question that needs all of it", "", "ms", first),
    { ...figureRow("memory of all of it", "", "MB", kept), limit: MEMORY_LIMIT_MB },
  ];
}

/** Reads the songs of an answer and holds them against those that were written into it. */
async function reading({ label, content, songs }: Answer): Promise<Row> {
  const times: number[] = [];
  for (let round = 0; round < READINGS; round += 1) {
    await quiet();
    let found: readonly SongEntry[] = [];
    times.push(milliseconds(() => (found = extractSongs(content))));
    const read = found.map(({ name, songId }) => `${name}#${songId}`);
    if (!isDeepStrictEqual(read, songs)) throw new Error(`Other songs than those of ${label} were read.`);
  }
  const size = `${(Buffer.byteLength(content) / 1e6).toFixed(1)} MB, ${songs.length.toLocaleString("en")} songs`;
  return { ...figureRow(`songs of an answer: ${label}`, size, "ms", times), limit: ANSWER_LIMIT_MS };
}

/** After a collection of all garbage. */
function usedMegabytes(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}
