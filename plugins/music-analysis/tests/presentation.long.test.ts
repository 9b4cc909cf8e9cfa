/** The text for the user: the content byte for byte, the hint line, and positive progress messages. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { answered } from "../../../contract-tests/fake-service.ts";
import { withMusic, type Shown } from "./host.ts";
import { atDesk } from "./program.ts";
import { effort } from "../../../contract-tests/harness.ts";
import { ANY_CHARACTER } from "../../../contract-tests/any-character.ts";

const SONGS = answered("| 歌曲名 | songId |\n|---|---|\n| 海盐 | 7 |\n| 风筝 | 8 |\n");
const ACCOUNT = "我的播放量";
const SONG = "分析《海盐》的表现";
const sha256 = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

const CONTENTS: readonly (readonly [title: string, content: string])[] = [
  ["a table with escaped pipes", "## 结论\n\n| 日期 | 播放 |\n|:--|--:|\n| 07-01 | 1\\|2 |\n"],
  ["line ends of Windows", "## 结论\r\n\r\n| a | b |\r\n|---|---|\r\n| 1 | 2 |\r\n"],
  ["line ends of all kinds, mixed", "a\r\nb\nc\rd\n\r\n"],
  ["a signed address", "![图](https://cdn.example/a.png?sig=a%2Fb%2Bc+d==&Expires=1&x=%E6%B5%B7&y=1,2;3#z)"],
  ["emoji with joiners", "👩‍👩‍👧 🇨🇳 ✨\uFE0F 增长 📈"],
  ["trailing spaces and no line end", "结论  \n  增长   "],
  ["one line end", "结论\n"],
  ["several line ends", "结论\n\n\n\n"],
  ["white space around it", "\n\n  \t结论\t\n \n"],
  [
    "a byte-order mark and control characters",
    "\uFEFF结论\u0000\u0007\u001B[31m红\u001B[0m\u0085\u2028\u2029",
  ],
  [
    "patterns of replacements and placeholders",
    "$& $1 $$ {TOP_SONG_NAME} {USER_SONG_NAME} {CANDIDATES} %s \\n",
  ],
  ["letters that are composed and decomposed", "é e\u0301 ﬁ Ａ１ 後來 ㌔"],
  ["numbers, percentages and dates", "12,345.60 次，+3.4%，2026-07-01，1.2万，-0，1e5"],
  ["HTML and code", '<b>&amp;</b>\n```json\n{"a": 1}\n```\n<!-- x -->'],
  ["the replacement character", "结论 \uFFFD"],
  ["nothing but spaces", "   "],
];
for (const [title, content] of CONTENTS)
  test(`the program prints the content byte for byte: ${title} [music.present.verbatim]`, () =>
    atDesk([answered(content), SONGS, answered(content), answered(content)], async ({ say }) => {
      const account = await say(["run", "music-analysis", ACCOUNT]);
      assert.equal(account.status, 0, account.err);
      assert.ok(account.out.startsWith(content));
      assert.match(account.out.slice(content.length), /^(\r\n|\n|\r){0,2}💡 [^\r\n]*\n$/);
      const song = await say(["run", "music-analysis", SONG]);
      assert.equal(song.out, content.endsWith("\n") ? content : `${content}\n`);
      const json = await say(["run", "music-analysis", "--json", ACCOUNT]);
      const { output } = JSON.parse(json.out) as { output: Shown };
      assert.deepEqual(
        output.answers.map((answer) => [answer.content, answer.contentSha256]),
        [[content, sha256(content)]],
      );
      assert.equal(`${output.text}\n`, account.out);
    }));

test("any content without the product name is shown byte for byte, before the hint line or alone [music.present.verbatim] [music.present.lead-in]", () =>
  fc.assert(
    fc.asyncProperty(
      fc
        .string({ unit: ANY_CHARACTER, minLength: 1, maxLength: 200 })
        .filter((text) => !/s\s*u\s*n\s*o/i.test(text.normalize("NFKC"))),
      (content) =>
        withMusic([answered(content), SONGS, answered(content)], async ({ ask }) => {
          const account = await ask(ACCOUNT);
          assert.ok(account.text.startsWith(content));
          assert.match(account.text.slice(content.length), /^(\r\n|\n|\r){0,2}💡 [^\r\n]*$/);
          assert.equal((await ask(SONG)).text, content);
        }),
    ),
    { numRuns: effort(10, 40) },
  ));
