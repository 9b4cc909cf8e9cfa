/** An overall answer of about so many bytes, and the songs that stand in it. */
export interface Answer {
  readonly label: string;
  readonly content: string;
  /** Names and ids in order, as `name#id`. */
  readonly songs: readonly string[];
}

interface Shape {
  readonly label: string;
  readonly head?: string;
  /** What the numbered song is written as. */
  readonly piece: (name: string, id: number) => string;
  /** What stands between two pieces. */
  readonly between: string;
  /** Whether names are found with their marks. */
  readonly isMarked: boolean;
}

const NAMES: readonly string[] = ["海盐", "风筝", "Blue River", "夜に駆ける", "봄날", "后来的我们"];

const SHAPES: readonly Shape[] = [
  {
    label: "one table of many rows",
    head: "## 热门歌曲\n\n| 排名 | 歌曲 | songId | 播放量 | 占比 |\n|---|---|---|---|---|\n",
    piece: (name, id) => `| ${id} | ${name} | ${id} | ${id * 37} | 12.3% |`,
    between: "\n",
    isMarked: false,
  },
  {
    label: "the same with emphasis, code, links and images",
    head: "| 歌曲 | songId | 播放量 | 封面 |\n|:---|---:|---:|---|\n",
    piece: (name, id) =>
      `| **《${name}》** | \`${id}\` | [${id * 37}](https://data.example/a_b?id=${id}) | ![](https://cdn.example/${id}.png?sign=a%2Fb_c) |`,
    between: "\n",
    isMarked: true,
  },
  {
    label: "a table for every song",
    piece: (name, id) =>
      `### 第 ${id} 首\n\n| 歌曲 | songId | 播放量 |\n|---|---|---|\n| ${name} | ${id} | ${id * 37} |`,
    between: "\n\n",
    isMarked: false,
  },
  {
    label: "many items",
    piece: (name, id) => `- 《${name}》（songId: ${id}）播放量 ${id * 37} 次，较上周 **+12%**`,
    between: "\n",
    isMarked: true,
  },
  {
    label: "many items with nested ones",
    piece: (name, id) => `- **《${name}》**\n  - songId: ${id}\n  - 播放量：${id * 37} 次`,
    between: "\n",
    isMarked: true,
  },
  {
    label: "long prose",
    piece: (name, id) =>
      `本周**《${name}》**（songId: ${id}）的播放量上升了 ${id % 100}%，主要来自 [QQ音乐](https://music.example/song?id=${id}) 的推荐。听众以 18-24 岁为主，集中在上海、北京和广州，完播率与上月持平。`,
    between: "\n\n",
    isMarked: true,
  },
  {
    label: "one paragraph",
    piece: (name, id) => `《${name}》 songId: ${id}，播放量 ${id * 37} 次；`,
    between: "",
    isMarked: true,
  },
  {
    label: "quotes",
    piece: (name, id) => `> 听众说：《${name}》（songId: ${id}）最好听。`,
    between: "\n\n",
    isMarked: true,
  },
];

/** The shapes a service may give an answer, each as large as said. */
export function answers(bytes: number): readonly Answer[] {
  return SHAPES.map(({ label, head = "", piece, between, isMarked }) => {
    const pieces: string[] = [];
    const songs: string[] = [];
    for (let id = 1, size = Buffer.byteLength(head); size < bytes; id += 1) {
      const name = `${NAMES[id % NAMES.length] ?? ""} ${id}`;
      const text = piece(name, id);
      pieces.push(text);
      songs.push(`${isMarked ? `《${name}》` : name}#${id}`);
      size += Buffer.byteLength(text) + between.length;
    }
    return { label, content: head + pieces.join(between), songs };
  });
}
