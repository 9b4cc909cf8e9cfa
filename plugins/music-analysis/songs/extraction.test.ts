import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { extractSongs } from "./extraction.ts";

/** The songs as `name#id`. */
function extracted(content: string): readonly string[] {
  return extractSongs(content).map(({ name, songId }) => `${name}#${songId}`);
}

const table = (header: string, ...rows: readonly string[]): string =>
  [header, header.replaceAll(/[^|]+/gu, "---"), ...rows].map((row) => `| ${row} |`).join("\n");

const TAKEN: readonly (readonly [title: string, content: string, songs: readonly string[]])[] = [
  ["a song table", table("歌曲名 | songId", "海盐 | 1", "风筝 | 2"), ["海盐#1", "风筝#2"]],
  [
    "marks, emphasis and links",
    table("歌曲 | ID", "**《海盐》** | `1`", "[风筝](https://x.y/?id=9) | 2"),
    ["《海盐》#1", "风筝#2"],
  ],
  ["an escaped pipe", table("歌曲 | ID", "A\\|B | 7"), ["A|B#7"]],
  ["headers with spaces and case", table("Song Name | Song ID", "Blue River | 3"), ["Blue River#3"]],
  ["headers in traditional characters", table("歌曲名稱 | 歌曲ID", "海鹽 | 3"), ["海鹽#3"]],
  ["a header with a note", table("歌曲（Top10） | 歌曲id", "海盐 | 3"), ["海盐#3"]],
  ["the surer id column", table("编号 | 歌曲 | songId", "1 | 海盐 | 901"), ["海盐#901"]],
  ["the surer name column", table("name | 歌名 | id", "酷我 | 海盐 | 5"), ["海盐#5"]],
  [
    "title and track headers",
    `${table("Title | id", "A b | 1")}\n\n${table("track | song_id", "C | 2")}`,
    ["A b#1", "C#2"],
  ],
  ["a medal before a marked name", table("歌曲 | songId", "🥇 《海盐》 | 1"), ["《海盐》#1"]],
  ["a version beside a marked name", table("歌曲 | songId", "《海盐》（Live） | 1"), ["《海盐》（Live）#1"]],
  ["a line break in a cell", table("歌曲 | songId", "海盐<br>Live | 1"), ["海盐 Live#1"]],
  ["the same id once", table("歌曲 | songId", "海盐 | 1", "海盐 Live | 1"), ["海盐#1"]],
  ["the same name twice", table("歌曲 | songId", "海盐 | 1", "海盐 | 6"), ["海盐#1", "海盐#6"]],
  ["a list", "- 《海盐》(songId: 12)\n- 《风筝》（ID：13）", ["《海盐》#12", "《风筝》#13"]],
  [
    "an ordered list with emphasis",
    "1. **《海盐》** songId=12\n2. 《风筝》 [id: 13]",
    ["《海盐》#12", "《风筝》#13"],
  ],
  [
    "a nested list",
    "- 《海盐》\n  - 播放量：1.2万\n  - songId: 12\n- 《风筝》\n  - songId: 13",
    ["《海盐》#12", "《风筝》#13"],
  ],
  ["a paragraph", "主打歌《海盐》（歌曲ID：12）和《风筝》（id=13）。", ["《海盐》#12", "《风筝》#13"]],
  ["a quote block", "> 代表作《海盐》，songId：12", ["《海盐》#12"]],
  ["the name nearest before an id", "《海盐》和《风筝》 id: 3", ["《风筝》#3"]],
  ["a name behind a foreign id", "《海盐》（专辑ID：77，songId：12）", ["《海盐》#12"]],
  [
    "a name column with the id in the cell",
    table("歌曲 | 播放量", "《海盐》（songId: 12） | 100"),
    ["《海盐》#12"],
  ],
  ["a song's id in another sentence", "《海盐》表现很好。歌曲ID：12", ["《海盐》#12"]],
  ["a CRLF content", "## 热门歌曲\r\n\r\n| 歌曲 | songId |\r\n|---|---|\r\n| 海盐 | 1 |\r\n", ["海盐#1"]],
  ["the keyword before it is filtered", table("歌曲 | songId", "Suno 之歌 | 1"), ["Suno 之歌#1"]],
  ["ids up to 2^53 - 1", table("歌曲 | songId", "海盐 | 9007199254740991"), ["海盐#9007199254740991"]],
];

const REFUSED: readonly (readonly [title: string, content: string])[] = [
  ["a table without an id column", table("歌曲 | 播放量", "海盐 | 100")],
  ["a table without a name column", table("平台 | id", "酷我 | 3")],
  ["a number column without a label", table("歌曲 | 数", "海盐 | 123456")],
  ["an account id column", table("歌曲 | accountId", "海盐 | 123456")],
  [
    "ids out of bounds",
    table("歌曲 | songId", "海盐 | 0", "风筝 | 9007199254740992", "夜曲 | -1", "晚安 | 1.5", "星 | 1,234"),
  ],
  ["an empty name", table("歌曲 | songId", " | 1", "《》 | 2")],
  ["a name without an id", "代表作《海盐》表现很好"],
  ["an id without a name", "songId: 12"],
  ["an id before the name", "songId: 12 《海盐》"],
  ["an account's id", "《海盐》表现很好，账号ID：88888"],
  ["a bare id in another sentence", "《海盐》表现很好。ID：88888"],
  ["a word that ends in id", "《海盐》 paid: 300, userId=5, sessionId: 9"],
  ["an id in an address", "《海盐》 https://cdn.example/a?id=123&sign=x"],
  ["a song's id in an address", "《海盐》 https://cdn.example/a?songId=123&sign=x"],
  ["an id in an item's code block", "- 《海盐》\n\n  ```\n  songId: 12\n  ```"],
  ["an id in a link", "《海盐》 [封面](https://cdn.example/a?songId=123)"],
  ["an id with letters", "《海盐》 songId: 12ab"],
  ["an id with thousands marks", "《海盐》 songId: 12,345"],
  ["an id of the next item", "- 《海盐》\n- songId: 12"],
  ["a code block", "```\n《海盐》 songId: 12\n```"],
  ["nothing", ""],
];

describe("extractSongs", () => {
  for (const [title, content, songs] of TAKEN)
    it(`takes ${title}`, () => assert.deepEqual(extracted(content), songs));

  for (const [title, content] of REFUSED)
    it(`makes no entry of ${title}`, () => assert.deepEqual(extracted(content), []));

  it("keeps the version note of the same row or of the brackets behind a name", () => {
    const content = `${table("歌曲 | 版本 | songId", "海盐 | Live | 1", "海盐 |  | 2")}\n\n- 《风筝》（伴奏）songId: 3`;
    assert.deepEqual(
      extractSongs(content).map(({ version }) => version),
      ["Live", undefined, "伴奏"],
    );
  });

  it("gives back the entries of any table that is written from them", () => {
    const name = fc
      .string({
        unit: fc.constantFrom(...("海盐风筝 Blue(Live)！？é🌙7".match(/./gu) ?? [])),
        minLength: 1,
        maxLength: 12,
      })
      .map((text) => text.replace(/\s+/gu, " ").trim())
      .filter((text) => text !== "");
    const rows = fc.uniqueArray(
      fc.tuple(
        name,
        fc
          .maxSafeNat()
          .map((id) => id + 1)
          .filter(Number.isSafeInteger),
      ),
      {
        selector: ([, id]) => id,
        maxLength: 20,
      },
    );
    const header = fc.constantFrom("歌曲名 | songId", "Song | ID", "歌曲 | 歌曲ID", "单曲 | song_id");
    fc.assert(
      fc.property(
        rows,
        header,
        fc.boolean(),
        fc.constantFrom("\n", "\r\n"),
        (entries, heads, marked, lineEnd) => {
          const lines = entries.map(([text, id]) => `${marked ? `**《${text}》**` : text} | ${id}`);
          const content = `## 热门歌曲\n\n${table(heads, ...lines)}\n\n结束。`.replaceAll("\n", lineEnd);
          assert.deepEqual(
            extracted(content),
            entries.map(([text, id]) => `${marked ? `《${text}》` : text}#${id}`),
          );
        },
      ),
    );
  });

  it("never throws, for any content", () => {
    const piece = fc.constantFrom(
      "|",
      "\n",
      "- ",
      "> ",
      "《",
      "》",
      "海盐",
      "songId: 1",
      "歌曲 | id",
      "---",
      "**",
      "[",
      "](",
      "<",
      "`",
      "\\",
      " ",
      "\ud800",
    );
    const content = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(piece, { maxLength: 40 }).map((parts) => parts.join("")),
    );
    fc.assert(fc.property(content, (text) => void extractSongs(text)));
  });

  it("reads a content that nests deeper than the stack", () => {
    assert.deepEqual(extracted(`${"> ".repeat(2000)}《海盐》 songId: 1`), ["《海盐》#1"]);
    assert.deepEqual(extracted(`${"*a ".repeat(2000)}《海盐》 songId: 1${"*".repeat(2000)}`), ["《海盐》#1"]);
  });
});
