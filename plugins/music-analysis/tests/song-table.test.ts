/** Runs the published table of cases, `song-table.json`, through the pure functions. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  GROUPS,
  confirmation,
  extraction,
  hintName,
  resolution,
  type Group,
  type ResolutionCase,
} from "./song-table.ts";

/** The public examples, as literals: question, songs, focus, what comes of it. */
const PUBLIC: readonly string[] = [
  "分析《海盐》的表现 | 海盐#1 风筝#2 | | A 1",
  "分析《 海盐 》 | 海盐#1 | | A 1",
  'How is "blue river" doing? | Blue River#3 | | A 3',
  'How is "BlueRiver" doing? | Blue River#3 | | A 3',
  "分析“海盐”这首 | 《海盐》#1 | | A 1",
  "分析《海盐》 | 海盐#1 海盐(伴奏)#4 | | A 1",
  "分析《海盐》 | 海盐(伴奏)#4 海盐(Live)#5 | | B 4,5",
  "分析《海盐？》 | 海盐#1 | | B 1",
  "分析《海盐》 | 海盐#1 海盐#6 | | B 1,6",
  "分析《星图》 | 海盐#1 风筝#2 | | C 星图",
  "分析《星图》 | | | C 星图",
  "我最近30天播放量怎么样 | 海盐#1 风筝#2 | | account",
  "我的粉丝年龄分布 | 海盐#1 风筝#2 | | account",
  "这首歌表现如何 | 海盐#1 | 海盐#1 | A 1",
  "Which of my songs grew most? | 海盐#1 风筝#2 | | account",
];

function asLine({ question, songs, focus, expected }: ResolutionCase): string {
  const known = songs.map(([name, id]) => `${name}#${id}`).join(" ");
  const outcome =
    "kind" in expected
      ? expected.kind
      : `${expected.tier} ${"name" in expected ? expected.name : "ids" in expected ? expected.ids.join(",") : expected.id}`;
  return [question, known, focus?.join("#") ?? "", outcome].join(" | ").replaceAll(/\|  (?=\|)/gu, "| ");
}

function count(kind: Group["kind"]): number {
  return GROUPS.filter((group) => group.kind === kind).reduce((sum, { cases }) => sum + cases.length, 0);
}

describe("the table of song cases", () => {
  it("holds the fifteen public examples", () => {
    const group = GROUPS.find(({ name }) => name === "public examples");
    assert.deepEqual(group?.kind === "resolution" ? group.cases.map(asLine) : [], PUBLIC);
  });

  it("is as large as it claims", () => {
    assert.ok(count("resolution") >= 15 + 150);
    assert.ok(count("confirmation") >= 50);
    assert.ok(count("extraction") >= 25);
    assert.ok(count("top-song") >= 20);
  });

  it("has no case twice beside the public examples, and a reason for each", () => {
    const cases = GROUPS.filter(({ name }) => name !== "public examples").flatMap((group) =>
      group.cases.map((each) => JSON.stringify({ ...each, kind: group.kind, expected: null, why: null })),
    );
    assert.ok(GROUPS.every((group) => group.cases.every(({ why }) => why !== "")));
    assert.equal(new Set(cases).size, cases.length);
  });
});

for (const group of GROUPS)
  describe(`${group.kind}: ${group.name}`, () => {
    if (group.kind === "resolution")
      for (const each of group.cases)
        it(each.why, () => assert.deepEqual(resolution(each), each.expected, asLine(each)));
    else if (group.kind === "confirmation")
      for (const each of group.cases)
        it(each.why, () => assert.deepEqual(confirmation(each), each.expected, JSON.stringify(each.answer)));
    else if (group.kind === "extraction")
      for (const each of group.cases)
        it(each.why, () => assert.deepEqual(extraction(each), each.expected, JSON.stringify(each.content)));
    else
      for (const each of group.cases)
        it(each.why, () => assert.equal(hintName(each), each.expected, JSON.stringify(each.content)));
  });
