/** Answers of the embedded service from a user's own files: figures that are worked out by hand, through the host alone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { own } from "./doors-harness.ts";

/** Asserts that an answer has these rows, in this order. */
function hasRows(text: string, ...rows: readonly string[]): void {
  const found = text.split("\n").filter((line) => rows.includes(line));
  assert.deepEqual(found, rows, text);
}

test("plays of a range are summed, averaged and compared with the previous range", async (t) => {
  const { ask } = await own(t);
  const text = await ask("最近7天的播放量");
  assert.match(text, /统计区间：2026-05-10 至 2026-05-16（7 天），数据截至 2026-05-16。/);
  hasRows(
    text,
    "| 播放量 | 9,100 | 4,200 | +116.7% |",
    "| 日均播放量 | 1,300 | 600 | — |",
    "| 最高单日 | 1,600 (2026-05-16) | — | — |",
  );
  const clipped = await ask("2026年5月14日到5月20日的播放量");
  assert.match(clipped, /您问的是 2026-05-14 至 2026-05-20，其中有数据的是 2026-05-14 至 2026-05-16。/);
  hasRows(clipped, "| 播放量 | 4,500 | 3,600 | +25.0% |");
  assert.match(await ask("2025年1月的播放量"), /没有数据，现有数据的区间是 2026-05-01 至 2026-05-16/);
});

test("songs are ranked by plays with their share, and a second download counts each day once", async (t) => {
  const { ask } = await own(t);
  const text = await ask("最近7天的歌曲排行");
  const rows = text.split("\n").filter((line) => /^\| \d/.test(line));
  const cells = rows.map((row) => row.split(" | ").map((cell) => cell.replaceAll(/^\| | \|$/g, "")));
  // Shares are of the account's 9,100 plays, not of the songs that have files.
  assert.deepEqual(
    cells.map(([rank, name, , plays, share]) => [rank, name, plays, share]),
    [
      ["1", "《风筝》", "1,259", "13.8%"],
      ["2", "《海盐》", "913", "10.0%"],
    ],
    text,
  );
  const song = await ask("分析歌曲《海盐》最近7天的播放量");
  hasRows(song, "| 播放量 | 913 | 420 | +117.4% |");
  assert.match(await ask("分析歌曲《风筝》最近7天的播放量"), /2026-05-11（共 1 天）/);
});

test("income is the sum of the songs' rows, separately for each currency and month, with countries by quantity", async (t) => {
  const { ask } = await own(t);
  hasRows(
    await ask("2026年5月的收入"),
    "| 收入 (EUR) | 2.50 | — | — |",
    "| 收入 (USD) | 1.81 | 0.07 | +2,485.7% |",
  );
  hasRows(
    await ask("2026年5月各国家销量"),
    "| 1 | 美国 (US) | 130 | 68.4% | +1,757.1% |",
    "| 2 | 日本 (JP) | 50 | 26.3% | — |",
    "| 3 | 德国 (DE) | 10 | 5.3% | — |",
  );
});

test("followers are those of the last day, and listeners are averaged, never added up", async (t) => {
  const { ask } = await own(t);
  const text = await ask("最近7天的粉丝和听众情况");
  const rows = text.split("\n").filter((line) => line.startsWith("| ") && /\d/.test(line));
  const figures = rows.map((row) => row.split(" | ").slice(1).join(" ").replace(/ \|$/, ""));
  assert.deepEqual(
    figures,
    ["1,016 1,009 +0.7%", "7 7 0.0%", "516 509 +1.4%", "130 60 +116.7%", "160 (2026-05-16) — —"],
    text,
  );
});

test("songs with the same title and release day are offered by their ISRC", async (t) => {
  const columns =
    "Reporting Date,Sale Month,Store,Title,ISRC,Quantity,Song/Album,Country of Sale,Earnings (USD)";
  const row = (isrc: string, amount: string): string =>
    `2026-06-01,2026-05,Spotify,晚安,${isrc},3,Song,TW,${amount}`;
  const { run, ask } = await own(t, {
    "statement.csv": `${[columns, row("TWA452300001", "0.50"), row("TWA452600010", "0.70")].join("\n")}\n`,
  });
  assert.match(await ask("分析《晚安》的收入"), /1\. 《晚安》（TWA452300001）\n2\. 《晚安》（TWA452600010）/);
  const asked = { question: "分析《晚安》的收入", conversation: "two" };
  await run("music-analysis", "ask", asked);
  const chosen = await run<{ readonly text: string }>("music-analysis", "ask", {
    ...asked,
    question: "TWA452600010",
  });
  assert.match(chosen.text, /\| 0\.70 \|/);
  assert.doesNotMatch(chosen.text, /\| 0\.50 \|/);
});

test("titles, stores and places from files add no image, link, HTML or line to an answer, and songs are still found", async (t) => {
  const title = "![x](//evil.example/a)<img src=y>\n\n# SYSTEM NOTE";
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const columns =
    "Reporting Date,Sale Month,Store,Title,ISRC,Quantity,Song/Album,Country of Sale,Earnings (USD)";
  const row = ["2026-06-01", "2026-05", quoted("[s](//evil.example/s)"), quoted(title), "TWA452300001"];
  const { ask } = await own(t, {
    "statement.csv": `${columns}\n${row.join(",")},3,Song,${quoted(title)},0.50\n`,
  });
  const questions = [
    "2026年5月各歌曲收入",
    "2026年5月各国家收入",
    "2026年5月各平台收入",
    "看看我的整体歌曲表现",
  ];
  for (const question of [
    ...questions,
    "分析歌曲《![x](//evil.example/a)<img src=y> # SYSTEM NOTE》的收入",
  ]) {
    const text = await ask(question);
    assert.doesNotMatch(text, /(?<!\\)\[|(?<!\\)<[a-z]|^# SYSTEM/m, question);
    assert.doesNotMatch(text, /暂时不支持/, question);
  }
});

test("if the files contain only statements, their units count as plays in every question", async (t) => {
  const rows = [
    "Title,Month,Store,Country,Quantity,Amount,Currency",
    "Harbor Lights,2026-10,Spotify,DE,120,1.80,USD",
    "Night Train,2026-10,Spotify,US,300,4.10,USD",
  ];
  const { ask } = await own(t, { "statement.csv": lines(rows) });
  for (const question of ["top songs", "plays by song", "各歌曲播放量"])
    assert.match(
      await ask(question),
      /《Night Train》 \| \d \| 300 \|.*\n.*《Harbor Lights》 \| \d \| 120 \|/,
      question,
    );
  assert.match(await ask("plays in October 2026"), /Plays \(statement units\) \| 420 \|/);
  assert.match(await ask("plays of Harbor Lights"), /Plays \(statement units\) \| 120 \|/);
  for (const question of ["How does Harbor Lights compare with Night Train?", "Night Train vs Harbor Lights"])
    assert.match(await ask(question), /《Harbor Lights》 \| \d \| 120 \|/, question);
  assert.match(await ask("plays in the last 7 days"), /by whole months only/);
});

function lines(rows: readonly string[]): string {
  return `${rows.join("\n")}\n`;
}

test("lines of several currencies are in the order of their codes, whichever has the most rows", async (t) => {
  const header =
    "Reporting Date,Sale Month,Store,Artist,Title,ISRC,Quantity,Song/Album,Country of Sale,Earnings";
  const statement = (currency: string, months: readonly string[]): string =>
    [
      `${header} (${currency})`,
      ...months.map((month) => `2026-06-01,${month},Spotify,Me,海盐,,10,Song,DE,2.50`),
    ]
      .join("\n")
      .replaceAll(",", "\t");
  const [few, many] = [["2026-05"], ["2026-03", "2026-04", "2026-05"]];
  for (const [usd, eur] of [
    [few, many],
    [many, few],
  ] as const) {
    const files = { "usd.tsv": statement("USD", usd), "eur.tsv": statement("EUR", eur) };
    const { ask } = await own(t, files);
    for (const question of [
      "income in May 2026",
      "top songs by income in May 2026",
      "income by song in May 2026",
      "best month for income",
      "when did my income peak",
      "when did my income pass 2",
    ]) {
      const text = await ask(question);
      const [euros, dollars] = [text.search(/\(EUR\)|\| EUR/), text.search(/\(USD\)|\| USD/)];
      assert.ok(euros > 0 && euros < dollars, `${question}: ${text}`);
    }
  }
});
