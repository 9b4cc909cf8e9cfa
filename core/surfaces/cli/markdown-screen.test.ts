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
const DAYS = Array.from({ length: 30 }, (_, day) => [
  `2026-09-${String(day + 1).padStart(2, "0")}`,
  String(4_000 + 100 * day),
]);
const chart = /^ *[\d,]+[┤┼]/m;

test("a table is aligned, figures to the right, and no sign of Markdown is left of it", async () => {
  const [head = "", line = "", first = "", second = ""] = (await onScreen(SONGS, 120)).split("\n");
  assert.match(line, /^─+(?: {2}─+){4}$/);
  assert.equal(head.indexOf("歌曲名") > 0, true);
  assert.ok(second.includes("《Paper | Planes》"));
  assert.equal(
    columnsOf(first.slice(0, first.indexOf("26,442") + 6)),
    columnsOf(second.slice(0, second.indexOf("7,290") + 5)),
  );
});

test("no line of a table is wider than the terminal, and nothing of it is lost", async () => {
  for (const columns of [40, 60, 80, 120]) {
    const lines = (await onScreen(SONGS, columns)).split("\n");
    assert.deepEqual(
      lines.filter((one) => columnsOf(one) > columns),
      [],
      String(columns),
    );
    const letters = [...lines.join("")]
      .filter((one) => /[A-Za-z]/.test(one))
      .sort()
      .join("");
    const given = [...SONGS]
      .filter((one) => /[A-Za-z]/.test(one))
      .sort()
      .join("");
    assert.equal(letters, given, String(columns));
  }
});

test("days, weeks and months in their order are drawn; a ranking and a short table are not", async () => {
  const trend = tableOf(["Date", "Plays"], DAYS);
  for (const columns of [30, 60, 120]) {
    const shown = await onScreen(trend, columns);
    assert.match(shown, chart);
    assert.deepEqual(
      shown.split("\n").filter((one) => columnsOf(one) > columns),
      [],
      String(columns),
    );
    // Where days share a column, it shows their mean.
    assert.match(shown, columns === 30 ? /^6,850[┤┼]/m : /^6,900[┤┼]/m);
    assert.match(shown, /^4,000[┤┼]/m);
  }
  const ranked = tableOf(["Date", "Plays"], DAYS.toReversed());
  for (const other of [SONGS, ranked, tableOf(["Date", "Plays"], DAYS.slice(0, 4))])
    assert.doesNotMatch(await onScreen(other, 80), chart);
});

test("text, lists and what only looks like a table stay as they are", async () => {
  const text = "## One\n\n- a | b\n\n| no table\n\n`| --- |`\n💡 hint\n";
  assert.equal(await onScreen(text, 20), text);
  assert.equal(
    await onScreen(`${text}${SONGS}\n${text}`, 80),
    `${text}${await onScreen(SONGS, 80)}\n${text}`,
  );
});
