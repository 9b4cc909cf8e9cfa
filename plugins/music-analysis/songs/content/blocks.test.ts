import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { contentBlocks } from "../markdown.ts";
import { parsedBlocks } from "./gfm-parser.ts";
import { effort } from "../../../../contract-tests/effort.ts";

/** Contents of which a reader by lines can easily make something else than the parser. */
const TRICKY: readonly string[] = [
  "1. a\n\n\tb",
  "- a\n\n\tb",
  "* **",
  "- -",
  "1. a\n\n1. b",
  "1. a\n\n1.     b",
  "1. a\n\n-\n\n1. b",
  "- a\n\n\u3000b",
  "a \r\nb",
  "a\n===",
  "_ _ _",
  "a\n_ _ _",
  "| a |\n|---|\n|\n| |\n||",
  "| a | b |\n|---|---|\n| c | \u3000",
  "| a | b |\n|---|---|\n| 1 || 3 |\n|\n| |\n| 1\n||\n| 1 | 2 | 3 |\n1 | 2",
  "| a | b |\n|---|---|\n| 1 | 2 |\n- x\n| 3 | 4 |",
  "| a | b |\n|---|---|\n| `x|y` | \\| |\n| a\\|b | `a\\|b` |\n| a\\\\| b |",
  "a\n|:-:|\n|:-:|\n```",
  "a\n| b |\n|---|\n| c |\n# d",
  "a\n- b\n- c",
  "a\n2. b",
  "a\n1. b",
  "a\n-  +",
  "- a\n2. b\n3) c",
  "10. a\n   - b\n11. c",
  "1. a\n\n   b\n\n2. c\n\n- d",
  "- a\n  - b\n  c\nd",
  "- a\n  2. b",
  "- a\n\n  ```\n  b\n  ```\n\n- c",
  "1. a\n   ```\n   b\n\nc\n   ```\n\nd",
  "   ```\n   a\n\nb",
  "```\n- a\n\n# b",
  "````\n```\na\n````\nb",
  "~~~ `a`\nb\n~~~\nc",
  "```a`\nb",
  "<!-- a\n\nb -->\n\nc",
  "<div>\n```\n</div>\n\na\n```\n\nb",
  "    a\n\n>*",
  "    a\n\n<b>c</b>",
  "> a\nb\n\n> - c\n> - d\n\n> | e |\n> |---|\n> | f |",
  "> ```\n> a\n\nb",
  "> > a\n\n> \tb",
  "\u00a0a `b\n   c` d",
  "- a `b\n   c` d",
  "a  \nb \nc\\\nd",
  "a\r\nb  \r\nc",
  "a\rb\n- c\r\n- d",
  "\ufeff# a",
  "a\n===\nb\n---\n\n***\n\n- - -",
  "# a #\n## b # \n####### c\n#d\n#",
  "[a]: /b\n\n[a] c [d]",
  "> [a]: /b\n\n- [a]",
  'x [a] [b][c] ![i](u) [l](u) [m](<u>) [n](u "t") [o [p](q)](r)',
  "**a**b**c** *d* ***e*** **f *g* h** __i__ _j_ k_l_m 2*3*4 * n *",
  "**。**a **《b》**（c）**(d)**e",
  "a &amp; b &copy; c & d &#35; <e> </f> <g h> <i@j.k> < l",
  "`` a ` b `` ` c ` `d",
  "a\\*b\\*\\\\c\\d\\",
  "1234567890. a\n123456789. b",
  "-     a\n-\tb\n-\n- c",
  "a\n\n \t\n\u00a0\n\nb",
];

/** One of several texts, given with bars between them. */
const oneOf = (texts: string): fc.Arbitrary<string> => fc.constantFrom(...texts.split("¦"));

const word = oneOf("海盐¦《风筝》¦a¦**b**¦songId: 1¦。¦[l](u)¦`c`¦<br>¦a_b¦(x)¦ ");
const piece = oneOf(
  "**¦*¦_¦***¦`¦``¦|¦\\¦\\|¦<¦<b>¦</b>¦&¦&amp;¦![i](u)¦[x]¦](¦#¦-¦+¦=¦:¦1.¦2)¦>¦~~~¦\u00a0¦\u3000¦\t¦  ¦🥇¦" +
    "https://x.y/a_b?c=1¦!",
);
const words = fc.array(word, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(""));
const text = fc.oneof(
  words,
  fc.array(fc.oneof(word, piece), { minLength: 1, maxLength: 8 }).map((parts) => parts.join("")),
);
const indent = fc.integer({ min: 0, max: 7 }).map((spaces) => " ".repeat(spaces));
const marker = oneOf("- ¦* ¦+ ¦1. ¦2. ¦3) ¦10. ¦-   ¦-     ¦-");
const row = fc.array(text, { minLength: 1, maxLength: 3 }).map((cells) => `| ${cells.join(" | ")} |`);
const joined = (...parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((texts) => texts.join(""));
const special = oneOf(
  "```¦```js¦~~~¦   ```¦ ~~~¦    ```¦- ```¦> ```¦|---|¦|:-:|---|¦---¦***¦* * *¦===¦--¦-¦1.¦<div>¦</div>¦<!-- x¦-->¦" +
    "<b>x</b>¦<pre>¦[a]: /u¦  ",
);
const line = fc.oneof(
  { weight: 4, arbitrary: fc.constant("") },
  { weight: 3, arbitrary: text },
  { weight: 4, arbitrary: joined(marker, words) },
  { weight: 4, arbitrary: joined(indent, marker, text) },
  { weight: 2, arbitrary: joined(indent, text, oneOf("¦ ¦  ")) },
  { weight: 1, arbitrary: joined(oneOf("# ¦## ¦#¦> # "), text) },
  { weight: 3, arbitrary: row },
  { weight: 3, arbitrary: row.map((cells) => `| 歌曲 | songId |\n|---|:-:|\n${cells}`) },
  { weight: 2, arbitrary: joined(oneOf("> ¦>¦> - ¦> | "), text) },
  { weight: 2, arbitrary: special },
);
/** The same few lines again and again, so that they meet in every order. */
const content = fc
  .array(line, { minLength: 1, maxLength: 5 })
  .chain((few) =>
    fc.tuple(fc.array(fc.constantFrom("", "", ...few), { maxLength: 8 }), fc.constantFrom("\n", "\r\n")),
  )
  .map(([lines, lineEnd]) => lines.join("\n").replaceAll("\n", lineEnd));

describe("contentBlocks", () => {
  it("reads tricky texts as the parser does", () => {
    for (const tricky of TRICKY)
      assert.deepEqual(contentBlocks(tricky), parsedBlocks(tricky), JSON.stringify(tricky));
  });

  it("reads any content as the parser does", () => {
    fc.assert(
      fc.property(content, (markdown) => {
        assert.deepEqual(contentBlocks(markdown), parsedBlocks(markdown));
      }),
      { numRuns: effort(117, 2_100) },
    );
  });

  it("reads more items than a call takes arguments", () => {
    assert.equal(contentBlocks("- 海盐\n".repeat(200_000)).length, 200_000);
  });
});
