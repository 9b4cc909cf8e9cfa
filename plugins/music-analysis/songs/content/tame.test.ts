import assert from "node:assert/strict";
import { test } from "node:test";
import { extractSongs } from "../extraction.ts";
import { tamed } from "./tame.ts";

const SONG = "\n\n| 歌曲名 | songId |\n|---|---|\n| 《海盐》 | 7 |\n";

for (const [title, content] of [
  ["fifty thousand quotes inside one another", `${"> ".repeat(50_000)}${SONG}`],
  ["three thousand lists inside one another", `${"- ".repeat(3_000)}${SONG}`],
  ["six thousand emphasis marks in a line", `${"**a *b ".repeat(2_000)}${"c* d** ".repeat(2_000)}${SONG}`],
] as const)
  test(`the songs behind ${title} are read, without keeping the process busy`, () => {
    assert.ok(tamed(content).length < content.length);
    assert.deepEqual(
      extractSongs(content).map(({ songId }) => songId),
      [7],
    );
  });

test("an answer as answers are is not changed", () => {
  const content = `# **结论**\n\n> - *a* __b__\n\n---\n\n${"-".repeat(20)}\n\n1. 2. 3.\n${SONG}${"| **a** | _b_ |\n".repeat(50)}`;
  assert.equal(tamed(content), content);
});
