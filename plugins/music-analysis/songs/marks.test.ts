import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { bareName, withSongName } from "./marks.ts";

describe("bareName", () => {
  it("takes off the marks around a whole name", () => {
    for (const [text, bare] of [
      ["《海盐》", "海盐"],
      [" 《 海盐 》 ", "海盐"],
      ["“《海盐》”", "海盐"],
      ["《“海盐”》", "海盐"],
      ["'Don't Stop'", "'Don't Stop'"],
      ['"Blue River"', "Blue River"],
      ["‘Don’t’", "‘Don’t’"],
      ["《海盐》和《风筝》", "《海盐》和《风筝》"],
      ["《海盐》（Live）", "《海盐》（Live）"],
      ["《海盐〈Live〉》", "海盐〈Live〉"],
      ["《海《盐》之歌》", "海《盐》之歌"],
      ["《》", "《》"],
      ["《", "《"],
      ["", ""],
    ] as const)
      assert.equal(bareName(text), bare, JSON.stringify(text));
  });

  it("never throws and changes nothing the second time, for any text", () => {
    const marked = fc.string({ unit: fc.constantFrom(..."《》“”\"' a海".split("")) });
    fc.assert(
      fc.property(
        fc.oneof(marked, fc.string({ unit: "binary" })),
        (text) => bareName(bareName(text)) === bareName(text),
      ),
    );
  });
});

describe("withSongName", () => {
  const template = "分析歌曲《{NAME}》的表现";
  it("puts a name into a sentence", () => {
    for (const [name, line] of [
      ["海盐", "分析歌曲《海盐》的表现"],
      ["《海盐》", "分析歌曲《海盐》的表现"],
      ["《海盐》（Live）", "分析歌曲《海盐》（Live）的表现"],
      ["$& $1 $$", "分析歌曲《$& $1 $$》的表现"],
      ["海盐》", "分析歌曲《海盐》》的表现"],
    ] as const)
      assert.equal(withSongName(template, "{NAME}", name), line, JSON.stringify(name));
  });
});
