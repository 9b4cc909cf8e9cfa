import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { readConfirmation } from "./confirmation-reply.ts";
import { songEntry, type SongEntry } from "./mapping.ts";
import { songIndex } from "./song-index.ts";

function songs(...names: readonly string[]): readonly SongEntry[] {
  return names.flatMap((name, place) => songEntry(name, place + 1) ?? []);
}

const VERSIONS = songs("海盐(伴奏)", "海盐(Live)", "海盐之歌");
const OTHERS = [
  ...VERSIONS,
  ...songs("a", "b", "c", "风筝", "Blue River")
    .slice(3)
    .map((entry) => ({ ...entry, songId: entry.songId + 10 })),
];

/** A reply as one line: `2` for the second candidate's id, or the kind. */
function reading(answer: string, candidates: readonly SongEntry[] = VERSIONS): string {
  const reply = readConfirmation(answer, { candidates, index: songIndex(OTHERS) });
  return reply.kind === "chosen" ? String(reply.entry.songId) : reply.kind;
}

const ROWS: readonly (readonly [answer: string, expected: string])[] = [
  ["1", "1"],
  [" 2 ", "2"],
  ["２", "2"],
  ["②", "2"],
  ["2.", "2"],
  ["#3", "3"],
  ["二", "2"],
  ["第二个", "2"],
  ["第二首", "2"],
  ["第 3 首", "3"],
  ["第三個", "3"],
  ["我要第一首", "1"],
  ["选2吧", "2"],
  ["就第二首吧，谢谢", "2"],
  ["是第一个", "1"],
  ["2号", "2"],
  ["最后一个", "3"],
  ["最后一首", "3"],
  ["the second", "2"],
  ["the second one", "2"],
  ["second", "2"],
  ["number 3", "3"],
  ["No. 2", "2"],
  ["option 1", "1"],
  ["1st", "1"],
  ["the last one", "3"],
  ["I want the first one please", "1"],
  ["4", "vague"],
  ["0", "vague"],
  ["第九个", "vague"],
  ["海盐(Live)", "2"],
  ["海盐（live）", "2"],
  ["海盐Live", "2"],
  ["《海盐(Live)》", "2"],
  ["“海盐(伴奏)”", "1"],
  ["就是《海盐(Live)》这首歌", "2"],
  ["我要海盐之歌", "3"],
  ["伴奏", "1"],
  ["Live", "2"],
  ["live那个", "2"],
  ["伴奏版", "1"],
  ["海盐", "vague"],
  ["《海盐》", "vague"],
  ["都不是", "none"],
  ["都不是。", "none"],
  ["都不是，谢谢", "none"],
  ["没有", "none"],
  ["沒有", "none"],
  ["没有我想要的", "none"],
  ["以上都不是", "none"],
  ["不是", "none"],
  ["算了", "none"],
  ["不用了", "none"],
  ["none", "none"],
  ["None of them.", "none"],
  ["neither", "none"],
  ["no, thanks", "none"],
  ["cancel", "none"],
  ["风争", "none"],
  ["没听过的名字", "none"],
  ["《风筝》", "new-question"],
  ["风筝", "new-question"],
  ["都不是，我想看《风筝》", "new-question"],
  ["都不是，风筝", "new-question"],
  ["分析风筝的表现", "new-question"],
  ["分析《星图》", "new-question"],
  ["我的粉丝年龄分布", "new-question"],
  ["我最近30天播放量怎么样", "new-question"],
  ["《海盐(Live)》的播放量怎么样", "new-question"],
  ["how is Blue River doing", "new-question"],
  ["《海盐(Live)》和《风筝》", "new-question"],
  ["海盐之歌的播放量", "3"],
  ["《海盐(Live)》和《海盐(伴奏)》", "vague"],
  ["不是《海盐(Live)》", "vague"],
  ["不是，海盐之歌", "vague"],
  ["不是海盐之歌", "vague"],
  ["没有，我要看我的收入", "new-question"],
  ["的".repeat(301), "new-question"],
  ["", "vague"],
  ["？", "vague"],
  ["中间那个", "vague"],
  ["the middle one", "vague"],
  ["随便", "vague"],
  ["都可以", "vague"],
  ["两个都要", "vague"],
  ["both", "vague"],
  ["不知道", "vague"],
  ["是的", "vague"],
  ["那个", "vague"],
  ["上面那首", "vague"],
];

describe("readConfirmation", () => {
  it("reads each answer as what it chooses", () => {
    for (const [answer, expected] of ROWS) assert.equal(reading(answer), expected, JSON.stringify(answer));
  });

  it("takes a yes for the only candidate", () => {
    for (const answer of ["是的", "对", "嗯", "yes", "OK", "就这首"])
      assert.equal(reading(answer, songs("海盐(Live)")), "1");
  });

  it("knows the former and the latter of two", () => {
    assert.deepEqual(
      ["前者", "后者", "the latter"].map((answer) => reading(answer, songs("海盐A", "海盐B"))),
      ["1", "2", "2"],
    );
    assert.equal(reading("后者"), "none");
  });

  it("asks again where a candidate's name is also a number or a refusal", () => {
    assert.equal(reading("二", songs("二", "二(Live)")), "vague");
    assert.equal(reading("一", songs("一", "一(Live)")), "1");
    assert.equal(reading("没有", songs("没有", "没有你")), "vague");
    assert.equal(reading("《没有》", songs("没有", "没有你")), "1");
  });

  it("asks again where two candidates have the same name", () => {
    assert.equal(reading("海盐", songs("海盐", "海盐")), "vague");
    assert.equal(reading("1", songs("海盐", "海盐")), "1");
  });

  it("does not take a longer word for a candidate of one character", () => {
    assert.equal(reading("上海滩", songs("海", "海盐")), "none");
    assert.equal(reading("我的上海粉丝有多少", songs("海", "海盐")), "new-question");
  });

  it("chooses only from the candidates and never throws, for any answer", () => {
    const piece = fc.constantFrom(
      "第",
      "二",
      "2",
      "都不是",
      "《",
      "》",
      "海盐",
      "(Live)",
      "风筝",
      "的播放量",
      " ",
      "the ",
      "，",
      "我要",
      "吧",
    );
    const answer = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(piece, { maxLength: 12 }).map((parts) => parts.join("")),
    );
    const index = songIndex(OTHERS);
    fc.assert(
      fc.property(answer, (text) => {
        const reply = readConfirmation(text, { candidates: VERSIONS, index });
        assert.ok(reply.kind !== "chosen" || VERSIONS.includes(reply.entry));
      }),
    );
  });
});
