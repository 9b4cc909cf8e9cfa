import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { present } from "./answer.ts";

const hintTemplate =
  "💡 如果需要进一步分析单首歌曲的表现，可以告诉我歌曲名，例如：分析歌曲《{TOP_SONG_NAME}》的表现";
const parts = { hintTemplate, placeholderName: "歌曲名" };
const PLACEHOLDER_HINT =
  "💡 如果需要进一步分析单首歌曲的表现，可以告诉我歌曲名，例如：分析歌曲《歌曲名》的表现";

describe("present", () => {
  it("ends an account-wide answer with a blank line and the hint line", () => {
    assert.equal(
      present({ ...parts, content: "## 结论\n不错", accountWide: true }),
      `## 结论\n不错\n\n${PLACEHOLDER_HINT}`,
    );
  });

  it("gives a single-song answer back as it is", () => {
    assert.equal(
      present({ ...parts, content: "## 《海盐》\n\n1.2万  \n", accountWide: false }),
      "## 《海盐》\n\n1.2万  \n",
    );
  });

  it("puts the lead-in and a blank line before the content", () => {
    const content = "结论";
    assert.equal(
      present({ ...parts, content, accountWide: false, leadIn: "📊 这是您的数据分析结果：" }),
      "📊 这是您的数据分析结果：\n\n结论",
    );
    assert.equal(present({ ...parts, content, accountWide: false, leadIn: "" }), "结论");
  });

  it("names a song in one pair of marks", () => {
    for (const [name, cell] of [
      ["海盐", "海盐"],
      ["海盐", "《海盐》"],
      ["$& {TOP_SONG_NAME}", "$& {TOP_SONG_NAME}"],
    ] as const) {
      const content = `| 歌曲 | 播放量 |\n|---|---|\n| ${cell} | 3 |`;
      const hint = present({ ...parts, content, accountWide: true })
        .split("\n")
        .at(-1);
      assert.equal(
        hint,
        `💡 如果需要进一步分析单首歌曲的表现，可以告诉我歌曲名，例如：分析歌曲《${name}》的表现`,
        cell,
      );
    }
  });

  it("keeps a version that stands behind the marks", () => {
    const content = "| 歌曲 | 播放量 |\n|---|---|\n| 《海盐》（Live） | 3 |";
    assert.ok(
      present({ ...parts, content, accountWide: true }).endsWith("例如：分析歌曲《海盐》（Live）的表现"),
    );
  });

  it("joins the hint to the content by one blank line", () => {
    for (const [content, between] of [
      ["a", "\n\n"],
      ["a\n", "\n"],
      ["a\n\n", ""],
      ["a\n\n\n", ""],
      ["a\r\nb", "\r\n\r\n"],
      ["a\r\n", "\r\n"],
      ["a\r\n\r\n", ""],
      ["a\n  ", "\n"],
      ["a\n  \n", ""],
      ["a\n\n  ", "\n"],
      ["", "\n"],
      ["\n", ""],
      ["a\r", "\r"],
    ] as const)
      assert.equal(
        present({ ...parts, content, accountWide: true }),
        content + between + PLACEHOLDER_HINT,
        JSON.stringify(content),
      );
  });

  const line = fc.constantFrom(
    "## 一、整体播放表现",
    "| a | b |",
    "|---|---|",
    "| 1 | 12,345 |",
    "- 《海盐》",
    "",
    "  ",
    "🎵 ok",
    "https://cdn.example/a.png?Expires=1&Signature=a%2Bb~c_",
    "**重**",
    "```",
  );
  const content = fc.oneof(
    fc.string({ unit: "binary" }),
    fc
      .array(fc.tuple(line, fc.constantFrom("\n", "\r\n", "\n\n")), { maxLength: 12 })
      .map((lines) => lines.flat().join("")),
  );

  it("keeps any content byte for byte at the start of the answer", () => {
    fc.assert(
      fc.property(content, fc.boolean(), (text, accountWide) => {
        const shown = present({ ...parts, content: text, accountWide });
        assert.equal(shown.slice(0, text.length), text);
        if (!accountWide) assert.equal(shown.length, text.length);
      }),
    );
  });

  it("has a blank line and one hint line last, and only one blank line where the content allows", () => {
    fc.assert(
      fc.property(content, (text) => {
        const lines = present({ ...parts, content: text, accountWide: true }).split(/\r\n|\n|\r/u);
        assert.match(lines.at(-1) ?? "", /^💡 .*的表现$/u);
        assert.equal(lines.at(-2)?.trim(), "");
        if (!/(?:\r\n|\n|\r)\s*$/u.test(text) && text.trim() !== "")
          assert.notEqual(lines.at(-3)?.trim(), "");
      }),
    );
  });
});
