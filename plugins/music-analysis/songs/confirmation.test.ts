import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { confirmationText } from "./confirmation.ts";
import { songEntry, type SongEntry } from "./mapping.ts";

const TEMPLATE =
  "没有找到与《{USER_SONG_NAME}》完全一样的歌曲，您是想分析以下哪一首呢？\n\n{CANDIDATES}\n\n请回复歌曲名或前面的编号；如果都不是，也可以告诉我“都不是”。";

function songs(...rows: readonly (readonly [name: string, version?: string])[]): readonly SongEntry[] {
  return rows.flatMap(([name, version], place) => songEntry(name, 90001 + place, version) ?? []);
}

describe("confirmationText", () => {
  it("asks with the fixed text, a numbered line for each candidate", () => {
    assert.equal(
      confirmationText({
        template: TEMPLATE,
        songName: "海盐",
        candidates: songs(["海盐(伴奏)"], ["《海盐》（Live）"]),
      }),
      "没有找到与《海盐》完全一样的歌曲，您是想分析以下哪一首呢？\n\n1. 《海盐(伴奏)》\n2. 《海盐》（Live）\n\n请回复歌曲名或前面的编号；如果都不是，也可以告诉我“都不是”。",
    );
  });

  it("wraps no name twice", () => {
    const text = confirmationText({
      template: TEMPLATE,
      songName: "《海盐》",
      candidates: songs(["《风筝》"]),
    });
    assert.ok(!text.includes("《《") && text.includes("与《海盐》完全") && text.includes("1. 《风筝》\n"));
  });

  it("shows version notes only where names are the same", () => {
    const same = confirmationText({
      template: "{CANDIDATES}",
      songName: "海盐",
      candidates: songs(["海盐", "原版"], ["海盐", "Live"], ["海盐之歌", "DJ"]),
    });
    assert.equal(same, "1. 《海盐》（原版）\n2. 《海盐》（Live）\n3. 《海盐之歌》");
  });

  it("shows no id and no technical word", () => {
    const text = confirmationText({
      template: TEMPLATE,
      songName: "海盐",
      candidates: songs(["海盐(伴奏)"], ["海盐"]),
    });
    assert.doesNotMatch(text, /9000|songId|id|映射|候选|相似|mapping|similar/iu);
  });

  it("takes names with placeholders and dollar signs as they are", () => {
    const text = confirmationText({
      template: TEMPLATE,
      songName: "{CANDIDATES} $&",
      candidates: songs(["{USER_SONG_NAME} $1"]),
    });
    assert.ok(text.includes("与《{CANDIDATES} $&》完全") && text.includes("1. 《{USER_SONG_NAME} $1》\n"));
  });
});
