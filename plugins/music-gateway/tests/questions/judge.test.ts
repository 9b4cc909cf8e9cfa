/** The judge of the tables: what it lets pass, and each thing that it finds wrong. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { faultsOf, type Expectation, type Reply } from "./judge.ts";

const RIGHT: Expectation = {
  has: ["2026-09-01", "2026-09-30", "1,234", ["12.5", "13"]],
  hasNot: ["9,999"],
  rows: 2,
  order: ["海盐", ["美国", "US"]],
};
const TABLE = "| # | name |\n|---|---|\n| 1 | 《海盐》 |\n| 2 | US |";
const GOOD = `理解为：播放量\n\n2026-09-01 至 2026-09-30：1,234，日均 13\n\n${TABLE}\n\n💡 分析歌曲《海盐》的表现`;
const FIXED: Expectation = { fixed: "暂时不支持分析《星图》~" };
const REFUSAL: Expectation = { declined: true, names: [["年龄", "岁数"]] };

function faults(expected: Expectation, text: string, reply: Partial<Reply> = {}, asked = "9月播放量") {
  const language = /\p{Script=Han}/u.test(asked) ? "zh" : "en";
  return faultsOf({ id: "a-01", family: "a", question: asked, language, expected }, { text, ...reply });
}

test("a right answer, an honest refusal and the fixed line pass", () => {
  assert.deepEqual(faults(RIGHT, GOOD), []);
  assert.deepEqual(faults(RIGHT, `📊 这是您的数据分析结果：\n${GOOD}`), []);
  assert.deepEqual(
    faults(REFUSAL, "文件里没有年龄；现有数据的区间是 2025-11-01 至 2026-10-31，共 8 首歌。"),
    [],
  );
  assert.deepEqual(faults(FIXED, FIXED.fixed ?? ""), []);
});

test("each fault of an answer is reported", () => {
  const wrong: readonly (readonly [string, RegExp])[] = [
    [GOOD.replace("理解为：", "结论："), /begins with/],
    [GOOD.replace("1,234", "11,234"), /^lacks 1,234$/],
    [GOOD.replace("1,234", "1,234.5"), /^lacks 1,234$/],
    [GOOD.replace("1,234", "1,234 (9,999)"), /^shows 9,999$/],
    [GOOD.replace("| 2 | US |", "| 2 | US |\n| 3 | JP |"), /^3 rows, not 2$/],
    [GOOD.replace("| 1 | 《海盐》 |\n| 2 | US |", "| 2 | US |\n| 1 | 《海盐》 |"), /^no table begins/],
    [" ", /^says nothing$/],
  ];
  for (const [text, told] of wrong) {
    const found = faults(RIGHT, text);
    assert.equal(found.length, 1, text);
    assert.match(found[0] ?? "", told);
  }
  assert.match(faults(RIGHT, GOOD, { failed: "MUSIC_BUSY" })[0] ?? "", /^ends with MUSIC_BUSY/);
  assert.match(
    faults({}, "Understood as: plays\n总量", {}, "plays in September").join(),
    /^answers English with/,
  );
});

test("a refusal shows no figure and no row, and names the word that it refuses", () => {
  assert.deepEqual(faults(REFUSAL, "没有年龄，播放量是 1,234。"), ["shows 1,234"]);
  assert.deepEqual(faults(REFUSAL, "没有年龄，粉丝 512 人。"), ["shows 512"]);
  assert.deepEqual(faults(REFUSAL, `没有年龄。\n\n${TABLE}`), ["shows a table"]);
  assert.deepEqual(faults(REFUSAL, "没有这样的数据。"), ["does not name 年龄"]);
  assert.equal(faults(FIXED, "很抱歉").length, 1);
});
