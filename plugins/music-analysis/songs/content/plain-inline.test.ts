import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parsedWords } from "./gfm-parser.ts";
import { plainInline } from "./plain-inline.ts";

const CERTAIN: readonly (readonly [text: string, words: string])[] = [
  ["海盐 (Live) 100%", "海盐 (Live) 100%"],
  ["播放量**100**次，**《海盐》**", "播放量100次，《海盐》"],
  ["***a***", "a"],
  ["2 * 3 * 4", "2 * 3 * 4"],
  ["a **b", "a **b"],
  ["song_id a__b", "song_id a__b"],
  ["`a*b` ` c ` `  `.", "a*b c   ."],
  ["[QQ音乐](https://x.example/a_b?c=*d&e=1)", "QQ音乐"],
  ["![封面](https://x.example/a_b.png) [1] [a][b]", " [1] [a][b]"],
  ["a<br>b<br/>c</b>d", "a b c d"],
  ["a < b & c", "a < b & c"],
  ["A &amp; B", "A & B"],
  ["\\*a\\* \\| \\\\", "*a* | \\"],
];

const UNCERTAIN: readonly string[] = [
  "**a *b* c**",
  "**a **b",
  "**a** *b*",
  "____a____b ****",
  "_a_",
  "(_)",
  "<A b>",
  "<?a?>",
  "``a``",
  "`a",
  "[a](b c)",
  "[a **b**](c)",
  "a](b)",
  "<a b>",
  "<x@y.z>",
  "&copy;",
  "&#35;",
  "a\\",
  "a\\b",
  "a\tb",
  "`a\nb`",
];

describe("plainInline", () => {
  it("reads what is certain as the parser does", () => {
    for (const [text, words] of CERTAIN) {
      assert.equal(plainInline(text), words, JSON.stringify(text));
      assert.equal(parsedWords(text), words, JSON.stringify(text));
    }
  });

  it("leaves what is not certain to the parser", () => {
    for (const text of UNCERTAIN) assert.equal(plainInline(text), undefined, JSON.stringify(text));
  });
});
