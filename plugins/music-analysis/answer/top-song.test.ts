import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { topSong } from "./top-song.ts";

const table = (header: string, ...rows: readonly string[]): string =>
  [header, header.replaceAll(/[^|]+/gu, "---"), ...rows].map((row) => `| ${row} |`).join("\n");

const FOUND: readonly (readonly [title: string, content: string, song: string])[] = [
  [
    "the greatest plays of a table",
    table("歌曲名 | songId | 播放量", "海盐 | 1 | 9,999", "风筝 | 2 | 1.2万"),
    "风筝",
  ],
  [
    "plays against the written rank",
    table("排名 | 歌曲 | 播放量", "1 | 海盐 | 100", "2 | 风筝 | 200"),
    "风筝",
  ],
  ["the first of equal plays", table("歌曲 | 播放量", "海盐 | 100", "风筝 | 100"), "海盐"],
  [
    "all plays before a window's",
    table("歌曲 | 近7天播放量 | 总播放量", "海盐 | 900 | 1000", "风筝 | 10 | 2000"),
    "风筝",
  ],
  [
    "a window's plays where there are no others",
    table("歌曲 | 近30天播放量", "海盐 | 900", "风筝 | 10"),
    "海盐",
  ],
  [
    "plays and not their change",
    table("歌曲 | 播放增量 | 播放量", "海盐 | 900 | 10", "风筝 | 1 | 20"),
    "风筝",
  ],
  [
    "the greatest over several tables",
    `${table("歌曲 | 播放量", "海盐 | 100")}\n\n${table("Song | Plays", "Kite | 12.3k")}`,
    "Kite",
  ],
  ["a table of titles with ids", table("title | id | plays", "Kite | 1 | 5"), "Kite"],
  [
    "a table of names under a heading of songs",
    `## Top songs\n\n${table("name | plays", "Kite | 5")}`,
    "Kite",
  ],
  ["rank 1 of a table without plays", table("排名 | 歌曲", "2 | 海盐", "1 | 风筝"), "风筝"],
  ["a medal as rank", table("# | 歌曲", "🥇 | 海盐", "🥈 | 风筝"), "海盐"],
  ["the greatest plays of a list", "- 《海盐》：播放量 9,999\n- 《风筝》：播放量 1.2万", "《风筝》"],
  ["plays in a paragraph", "《海盐》播放量达1.2万，《风筝》播放量 3.4万。", "《风筝》"],
  ["the first of an ordered list of hot songs", "### 热门歌曲\n\n1. 《海盐》\n2. 《风筝》", "《海盐》"],
  ["the signature song", "## 结论\n\n《风筝》不错，代表作《海盐》很稳。", "《海盐》"],
  ["the song after the word and not before it", "## 结论\n\n《风筝》的姊妹代表作《海盐》很稳。", "《海盐》"],
  ["the song that is called the signature song", "## 结论\n\n很好。\n\n《海盐》是您的主打歌。", "《海盐》"],
  ["the song of the title", "## 《海盐》近期表现\n\n《风筝》也不错。", "《海盐》"],
  ["the song of the opening", "## 整体表现\n\n《风筝》增长最快。\n\n《海盐》也不错。", "《风筝》"],
];

const NONE: readonly (readonly [title: string, content: string])[] = [
  ["a content without songs", "## 整体表现\n\n播放量 1.2万，增长 12%。"],
  ["an empty content", ""],
  ["a table of platforms", table("平台 | 播放量", "酷我 | 100")],
  ["a table of names that are no songs", `## 平台差异化表现\n\n${table("name | plays", "kuwo | 5")}`],
  ["songs later in the text that nothing ranks", "## 一\n\n开头。\n\n- 《海盐》\n- 《风筝》"],
  ["marks emptied by the filter", "## 《》近期表现\n\n代表作《》，《》播放量 12"],
  ["an empty name in a table", table("歌曲 | 播放量", "《》 | 100", " | 200")],
  ["an unmarked list", "### 热门歌曲\n\n1. 海盐\n2. 风筝"],
];

describe("topSong", () => {
  for (const [title, content, song] of FOUND)
    it(`takes ${title}`, () => assert.equal(topSong(content), song));

  for (const [title, content] of NONE)
    it(`finds none in ${title}`, () => assert.equal(topSong(content), undefined));

  it("never throws and never invents a name, for any content", () => {
    const piece = fc.constantFrom(
      "## ",
      "歌曲 | 播放量",
      "| ",
      " |",
      "---",
      "\n",
      "《",
      "》",
      "海盐",
      "代表作",
      "播放量 1.2万",
      "- ",
      "1. ",
      "热门歌曲",
      "12,345",
      " ",
    );
    const content = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(piece, { maxLength: 40 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(content, (text) => {
        const song = topSong(text);
        if (song === undefined) return;
        const squeeze = (any: string): string => any.replace(/[\s*_`\\~\u0000\ufffd]+/gu, "");
        assert.ok(squeeze(text).includes(squeeze(song)));
      }),
    );
  });
});
