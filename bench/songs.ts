import { isDeepStrictEqual } from "node:util";
import { extractSongs } from "../plugins/music-analysis/songs/extraction.ts";
import { readQuestion, type Question } from "../plugins/music-analysis/songs/question.ts";
import type { SongEntry } from "../plugins/music-analysis/songs/song.ts";
import { classify, type Tier } from "../plugins/music-analysis/songs/tier.ts";
import { quiet } from "./quiet.ts";
import { figureRow, type Bench, type Row } from "./row.ts";
import { answers, type Answer } from "./song-answers.ts";
import { someSongs } from "./song-titles.ts";

const SIZES = [1_000, 100_000] as const;
const LIMIT_MS = 20;
const ROUNDS = 15;
const READINGS = 5;
const ANSWER_BYTES = 2_000_000;
const ANSWER_LIMIT_MS = 1_000;
/** The first answers fold the names. */
const FIRST_CALLS = 5;
const MISS = "Zanzibar Quartet";

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
    "A question against all songs of an account, once their names are folded; and the songs of answers of 2 MB.",
  run: async () => {
    const rows: Row[] = [];
    for (const size of SIZES) rows.push(...(await amongSongs(size)));
    for (const answer of answers(ANSWER_BYTES)) rows.push(await reading(answer));
    return rows;
  },
};

async function amongSongs(size: number): Promise<readonly Row[]> {
  const songs = someSongs(size);
  const count = `${size.toLocaleString("en")} songs`;
  const rows: Row[] = [];
  for (const { label, text, expected } of ASKS) {
    const answer = (): Tier | Question =>
      expected.length === 1 ? classify(text, songs) : readQuestion(text, { songs, focused: false });
    const found = answer();
    const kind = "tier" in found ? found.tier : found.kind;
    if (kind !== expected) throw new Error(`${text} among ${count} gave ${JSON.stringify(found)}`);
    for (let call = 0; call < FIRST_CALLS; call += 1) answer();
    await quiet();
    const times = Array.from({ length: ROUNDS }, () => milliseconds(answer));
    rows.push({ ...figureRow(`${label}, ${count}`, "", "ms", times), limit: LIMIT_MS });
  }
  return rows;
}

function milliseconds(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
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
