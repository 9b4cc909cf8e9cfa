import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { songEntry } from "./mapping.ts";
import { readQuestion } from "./question.ts";
import { songIndex } from "./song-index.ts";

const KNOWN = [
  "海盐",
  "风筝",
  "Blue River",
  "夜",
  "听众画像",
  "最近",
  "30",
  "Home",
  "My Songs",
  "夜に駆ける",
  "后来的我们",
  "海盐之歌",
];

function indexOf(names: readonly string[]) {
  return songIndex(names.flatMap((name, place) => songEntry(name, place + 1) ?? []));
}

/** A question as one line: `account`, `pointer`, `pronoun`, or `song: 海盐 | 风筝`. */
function reading(text: string, focused: boolean, known: readonly string[] = KNOWN): string {
  const question = readQuestion(text, { index: indexOf(known), focused });
  return question.kind === "song" ? `song: ${question.names.join(" | ")}` : question.kind;
}

type Row = readonly [text: string, expected: string];

const MARKED: readonly Row[] = [
  ["分析《海盐》的表现", "song: 海盐"],
  ["分析《 海盐 》", "song: 海盐"],
  ["分析〈海盐〉", "song: 海盐"],
  ["分析《星图》", "song: 星图"],
  ["《听众画像》怎么样", "song: 听众画像"],
  ["《海盐》和《风筝》哪个好", "song: 海盐 | 风筝"],
  ["《风筝》比《海盐》、《风筝》好吗", "song: 风筝 | 海盐"],
  ["《blue river》和《Blue  River》", "song: blue river"],
  ["《海盐〈Live〉》怎么样", "song: 海盐〈Live〉"],
  ["《《海盐》》怎么样", "song: 海盐"],
  ["《“海盐”》怎么样", "song: 海盐"],
  ["《海《盐》》怎么样", "song: 海《盐》"],
  ["《“海盐”和你》", "song: “海盐”和你"],
  ["《海盐》的“播放量”", "song: 海盐"],
  ["《海盐》和“风筝”", "song: 海盐 | 风筝"],
  ["“风筝”和《海盐》", "song: 风筝 | 海盐"],
  ["《海盐》和“星图”", "song: 海盐"],
  ["这首歌《海盐》怎么样", "song: 海盐"],
  ["分析《海盐的《风筝》", "song: 风筝"],
  ["《两\n行》", "song: 两 行"],
];

const QUOTED: readonly Row[] = [
  ['How is "blue river" doing?', "song: blue river"],
  ['How is "BlueRiver" doing?', "song: BlueRiver"],
  ["分析“海盐”这首", "song: 海盐"],
  ["分析”海盐”", "song: 海盐"],
  ["分析「海盐」", "song: 海盐"],
  ["分析『海盐』和｢风筝｣", "song: 海盐 | 风筝"],
  ["分析'海盐'的表现", "song: 海盐"],
  ["分析‘星图’", "song: 星图"],
  ["How's 'Don't Stop' doing?", "song: Don't Stop"],
  ["How's ‘Don’t Stop’ doing?", "song: Don’t Stop"],
  ["What's my fans' favourite? It's mine", "account"],
  ["看看“听众画像”", "song: 听众画像"],
  ["看看“粉丝画像”", "account"],
  ["看看“播放量”和“粉丝年龄分布”", "account"],
  ["看看“最近30天播放量”", "account"],
  ["看看“整體數據”", "account"],
  ["看看“最近30天”的收入", "account"],
  ['看song"星图"怎么样', "song: 星图"],
  ["看看“QQ音乐”的播放", "account"],
  ['Show my "audience demographics"', "account"],
  ['Show my "plays"', "account"],
  ['How is "Love and Income" doing', "song: Love and Income"],
  ["分析“昨天”", "song: 昨天"],
  ["分析“城市”", "song: 城市"],
  ['How is "Country Roads" doing', "song: Country Roads"],
  ["“播放量”最高的“海盐”", "song: 海盐"],
  ["分析“”", "account"],
  ["分析“海盐", "song: 海盐"],
  ["分析“星图", "account"],
];

const POINTERS: readonly Row[] = [
  ["这首歌表现如何", "pointer"],
  ["那首歌呢", "pointer"],
  ["该歌的收入", "pointer"],
  ["该歌曲的收入", "pointer"],
  ["这支单曲怎么样", "pointer"],
  ["這首歌表現如何", "pointer"],
  ["這支單曲", "pointer"],
  ["这首新歌的数据", "pointer"],
  ["这个作品的播放", "pointer"],
  ["此曲如何", "pointer"],
  ["本歌曲的播放量", "pointer"],
  ["How is this song doing?", "pointer"],
  ["How did THAT TRACK do", "pointer"],
  ["What about this single?", "pointer"],
  ["this  song's plays", "pointer"],
  ["この曲はどう", "pointer"],
  ["这首歌比风筝如何", "pointer"],
  ["哪首歌播放最高", "account"],
  ["哪一首歌播放最高", "account"],
  ["这些歌怎么样", "account"],
  ["那些歌曲", "account"],
  ["这几首歌怎么样", "account"],
  ["Which of my songs grew most?", "account"],
  ["which song is best", "account"],
  ["How are my songs doing", "account"],
  ["How are these songs doing", "account"],
  ["该歌手的粉丝", "account"],
  ["这个歌单的播放", "account"],
  ["what is that track record of mine", "account"],
  ["this songwriter's fans", "account"],
];

const WITH_FOCUS: readonly Row[] = [
  ["它的粉丝呢", "pronoun"],
  ["那它呢", "pronoun"],
  ["这首怎么样", "pronoun"],
  ["那首呢", "pronoun"],
  ["How is it doing?", "pronoun"],
  ["What about its fans?", "pronoun"],
  ["Is IT growing", "pronoun"],
  ["它和风筝比怎么样", "pronoun"],
  ["这首歌表现如何", "pointer"],
  ["其它数据怎么样", "account"],
  ["其它歌怎么样", "account"],
  ["它们的播放量", "account"],
  ["这首页的数据", "account"],
  ["items of my account", "account"],
  ["我的粉丝年龄分布", "account"],
  ["海盐，它的粉丝呢", "song: 海盐"],
  ["风筝怎么样", "song: 风筝"],
];

const WITHOUT_FOCUS: readonly Row[] = [
  ["它的粉丝呢", "account"],
  ["这首怎么样", "account"],
  ["How is it doing?", "account"],
  ["海盐怎么样，它的粉丝呢", "song: 海盐"],
];

const UNMARKED: readonly Row[] = [
  ["海盐怎么样", "song: 海盐"],
  ["分析海盐和风筝", "song: 海盐 | 风筝"],
  ["海盐之歌的播放", "song: 海盐之歌"],
  ["how is blue river doing", "song: Blue River"],
  ["how is blueriver doing", "song: Blue River"],
  ["how are Blue Rivers doing", "account"],
  ["夜怎么样", "account"],
  ["夜に駆けるの再生数", "song: 夜に駆ける"],
  ["后来 的我们 怎么样", "song: 后来的我们"],
  ["後來的我們怎么样", "account"],
  ["海盐这首歌表现如何", "song: 海盐"],
  ["海盐这首怎么样", "song: 海盐"],
  ["这首歌海盐怎么样", "song: 海盐"],
  ["这首歌叫海盐，怎么样", "song: 海盐"],
  ["How is Blue River, that song, doing", "song: Blue River"],
  ["看看听众画像", "account"],
  ["我最近30天播放量怎么样", "account"],
  ["How are my songs", "account"],
  ["我最近的听众画像", "account"],
  ["How is Home doing", "song: Home"],
  ["homework statistics", "account"],
];

const ACCOUNT: readonly Row[] = [
  ["我最近30天播放量怎么样", "account"],
  ["我的粉丝年龄分布", "account"],
  ["看看我的整体歌曲表现", "account"],
  ["我的收入", "account"],
  ["", "account"],
  ["   ", "account"],
  ["《》", "account"],
  ["《 》怎么样", "account"],
];

describe("readQuestion", () => {
  for (const [title, focused, rows] of [
    ["marks", false, MARKED],
    ["marks beside a focus", true, MARKED],
    ["quotes", false, QUOTED],
    ["pointers", false, POINTERS],
    ["pronouns with a song in focus", true, WITH_FOCUS],
    ["pronouns without a focus", false, WITHOUT_FOCUS],
    ["known names without marks", false, UNMARKED],
    ["account-wide questions", false, ACCOUNT],
  ] as const)
    it(`reads ${title}`, () => {
      for (const [text, expected] of rows)
        assert.equal(reading(text, focused), expected, JSON.stringify(text));
    });

  it("knows no unmarked name where nothing is known", () => {
    assert.equal(reading("海盐怎么样", false, []), "account");
    assert.equal(reading("《海盐》怎么样", false, []), "song: 海盐");
    assert.equal(reading("看看“听众画像”", false, []), "account");
  });

  it("finds any name of two characters or more between title marks", () => {
    const name = fc.string({ unit: fc.constantFrom(..."海盐风 abcé!？7".split("")), minLength: 2 });
    fc.assert(
      fc.property(name, fc.boolean(), (text, focused) => {
        fc.pre(text.trim() !== "" && text.trim() === text && !/\s\s/u.test(text));
        assert.deepEqual(readQuestion(`分析《${text}》`, { index: indexOf(KNOWN), focused }), {
          kind: "song",
          names: [text],
        });
      }),
    );
  });

  it("never throws, for any text", () => {
    const pieces = fc.array(
      fc.constantFrom("《", "》", "“", "'", '"', "「", "〈", "海盐", "它", "这首歌", " it ", "a", "\ud800"),
      { maxLength: 20 },
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      pieces.map((parts) => parts.join("")),
    );
    const index = indexOf(KNOWN);
    fc.assert(
      fc.property(text, fc.boolean(), (any, focused) => {
        const question = readQuestion(any, { index, focused });
        if (question.kind === "song")
          assert.ok(question.names.length > 0 && question.names.every((name) => name !== ""));
        if (question.kind === "pronoun") assert.ok(focused);
      }),
    );
  });
});
