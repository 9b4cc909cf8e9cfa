import assert from "node:assert/strict";
import { test } from "node:test";
import { onScreen } from "./markdown-screen.ts";
import { columnsOf } from "./text.ts";

const row = (...cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(...head), row(...head.map(() => "---")), ...rows.map((cells) => row(...cells))].join("\n");

const SONGS = tableOf(
  ["排名", "歌曲名", "songId", "播放量", "占比"],
  [
    ["1", "《海盐》", "2", "26,442", "14.8%"],
    ["2", "《Paper \\| Planes》", "8", "7,290", "4.1%"],
    ["3", "《Where Are You? (Live at the Old Harbour, Second Night)》", "9", "1,120,395", "—"],
  ],
);

test("a table is aligned, figures to the right, without marks of Markdown", async () => {
  const [head = "", line = "", first = "", second = ""] = (await onScreen(SONGS, 120)).split("\n");
  assert.match(line, /^─+(?: {2}─+){4}$/);
  assert.equal(head.indexOf("歌曲名") > 0, true);
  assert.ok(second.includes("《Paper | Planes》"));
  assert.equal(
    columnsOf(first.slice(0, first.indexOf("26,442") + 6)),
    columnsOf(second.slice(0, second.indexOf("7,290") + 5)),
  );
});

test("no line of a table is wider than the terminal, and nothing is lost", async () => {
  for (const columns of [40, 60, 80, 120]) {
    const lines = (await onScreen(SONGS, columns)).split("\n");
    assert.deepEqual(
      lines.filter((one) => columnsOf(one) > columns),
      [],
      String(columns),
    );
    // In blocks, each row repeats the column headings.
    const countIn = (text: string, letter: string): number => text.split(letter).length;
    const lost = [...SONGS].filter(
      (one) => /\w/.test(one) && countIn(lines.join(""), one) < countIn(SONGS, one),
    );
    assert.deepEqual(lost, [], String(columns));
  }
});

test("a long column heading is wrapped before the cells below it", async () => {
  const table = tableOf(
    ["Rank", "Song", "Plays 2026-10-01 to 2026-10-31", "2026-09-01 to 2026-09-30"],
    [["1", "《Paper Planes》", "27,273", "25,039"]],
  );
  const lines = (await onScreen(table, 50)).split("\n");
  assert.equal(lines.at(-1), "1     《Paper Planes》       27,273        25,039");
});

test("a table that does not fit is a block of lines for each row", async () => {
  const table = tableOf(
    ["Rank", "Song", "Plays 2026-10-01 to 2026-10-31", "2026-09-01 to 2026-09-30"],
    [
      ["1", "《Paper Planes》", "27,273", "25,039"],
      ["2", "《Where Are You? (Live)》", "1,120", "—"],
    ],
  );
  assert.equal(
    await onScreen(table, 36),
    `Rank               1
Song               《Paper Planes》
Plays 2026-10-01   27,273
to 2026-10-31
2026-09-01 to      25,039
2026-09-30

Rank               2
Song               《Where Are You?
                   (Live)》
Plays 2026-10-01   1,120
to 2026-10-31
2026-09-01 to      —
2026-09-30`,
  );
});

test("text is wrapped between words, in Chinese too, and nothing is lost", async () => {
  const english =
    "Understood as: plays of all songs, 2026-09-01 to 2026-09-30, compared with the 30 days before";
  const chinese =
    "理解为：播放量，2026-09-01 至 2026-09-30（30 天），与之前的 30 天相比；按歌曲《海边的晚上》和《风筝》分开";
  for (const text of [english, chinese, `- ${english}`, `10. ${chinese}`, `> ${english}`])
    for (const columns of [24, 60, 80]) {
      const lines = (await onScreen(text, columns)).split("\n");
      assert.deepEqual(
        lines.filter((one) => columnsOf(one) > columns || /^\s*[，。；）》]|[（《]$/.test(one)),
        [],
        text,
      );
      const bare = (shown: string): string => shown.replaceAll(/[\s>]/g, "");
      assert.equal(bare(lines.join("")), bare(text));
    }
  assert.equal(
    await onScreen("- one two three four five six\n> one two three four five six", 20),
    "- one two three\n  four five six\n> one two three\n> four five six",
  );
});

test("short text, code, addresses and lines that only look like a table are not changed", async () => {
  const text = "One\n\n- a | b\n\n| no table\n\n`| --- |`\n💡 hint\n";
  assert.equal(await onScreen(text, 20), text);
  assert.equal(
    await onScreen(`${text}${SONGS}\n${text}`, 80),
    `${text}${await onScreen(SONGS, 80)}\n${text}`,
  );
  const code = "```\nSELECT one, two, three FROM four WHERE five\n| a | b |\n| - | - |\n```";
  const address = `https://example.com/chart?signature=${"0123456789abcdef".repeat(4)}&expires=1790000000`;
  for (const whole of [code, address]) assert.equal(await onScreen(whole, 20), whole);
});

test("headings and strong text are shown without their marks, bold where the terminal can", async () => {
  const text =
    "## 一、Plays **now**\n\n**播放量**: 1,234 of **two words**; `a ** b ** c`, 2 ** 3 and **open\n---";
  const bold = (words: string): string => `\u001B[1m${words}\u001B[22m`;
  assert.equal(
    await onScreen(text, 80, true),
    `${bold("一、Plays now")}\n\n${bold("播放量")}: 1,234 of ${bold("two words")}; \`a ** b ** c\`, 2 ** 3 and **open\n${"─".repeat(79)}`,
  );
  const plain = (await onScreen(text, 80)).split("\n");
  assert.deepEqual(plain.slice(0, 2), ["一、Plays now", "─".repeat(13)]);
  assert.equal(
    await onScreen("one two **three four** five", 11, true),
    `one two\n${bold("three four")}\nfive`,
  );
  assert.equal(await onScreen("- one **two three**", 11, true), `- one ${bold("two")}\n  ${bold("three")}`);
  assert.doesNotMatch(await onScreen(tableOf(["**Song**", "Plays"], [["**All**", "1"]]), 40, true), /\*/);
});
