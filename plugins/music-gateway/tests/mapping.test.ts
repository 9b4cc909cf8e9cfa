/** Tables that no format knows: mapped by `--map`, by their column names, or refused with a mapping that would work. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { SkillError } from "skillctl";
import type { FilesOutput, ImportInput, ImportOutput } from "../contract.ts";
import { own } from "./doors-harness.ts";

type Report = ImportOutput["files"][number];

async function importer(t: TestContext) {
  const { host, run, ask } = await own(t, {});
  const take = async (
    name: string,
    rows: readonly string[],
    options: Omit<ImportInput, "files"> = {},
  ): Promise<Report> => {
    await writeFile(join(host.environment.workingFolder, name), `${rows.join("\n")}\n`);
    const output = await run<ImportOutput>("music-gateway", "import", { files: [name], ...options }).catch(
      (caught: unknown) => {
        if (caught instanceof SkillError && caught.result !== undefined) return caught.result as ImportOutput;
        throw caught;
      },
    );
    const [report] = output.files;
    assert.ok(report);
    return report;
  };
  return { take, run, ask };
}

const STORED = (report: Report): unknown => [
  report.status,
  report.kind,
  report.receipt?.sums.map(({ stored }) => stored),
  report.receipt?.currencies,
];

const LEDGER = ["Work,When,Plays so far,Due", "海盐,2026-07,40,1.25", "Blue River,2026-08,2,0.5"];
const LEDGER_MAP = "Title=Work,Month=When,Quantity=#3,Amount=Due,Currency=EUR,Store=Tidal";

test("a mapped table is used, and the next file with its header line needs no mapping", async (t) => {
  const { take, ask, run } = await importer(t);
  assert.equal((await take("a.csv", LEDGER)).status, "refused");
  assert.deepEqual(STORED(await take("a.csv", LEDGER, { map: LEDGER_MAP })), [
    "imported",
    "mapped-sales",
    ["42", "1.75"],
    ["EUR"],
  ]);
  const next = await take("b.csv", [LEDGER[0] ?? "", "海盐,2026-09,7,0.25"]);
  assert.deepEqual(STORED(next), ["imported", "mapped-sales", ["7", "0.25"], ["EUR"]]);
  assert.match(await ask("income by month in 2026"), /0\.25/);
  const { files } = await run<FilesOutput>("music-gateway", "files", {});
  assert.deepEqual(
    files.map(({ kind, rows }) => [kind, rows]),
    [
      ["mapped-sales", 2],
      ["mapped-sales", 1],
    ],
  );
});

test("a table of days keeps its days", async (t) => {
  const { take, ask } = await importer(t);
  const days = ["track;day;streams", "海盐;2026-09-01;10", "海盐;2026-09-02;12", "Blue River;2026-09-01;3"];
  const report = await take("days.csv", days, { map: "Title=track,Date=day,Quantity=streams,Store=Deezer" });
  assert.deepEqual(STORED(report), ["imported", "mapped-days", ["25"], []]);
  assert.match(await ask("plays by day from 1 to 2 September 2026"), /13/);
});

test("a day of a song that occurs twice in a mapped table refuses it", async (t) => {
  const { take } = await importer(t);
  const days = ["track;day;streams", "海盐;2026-09-01;10", "海盐;2026-09-01;12"];
  const report = await take("days.csv", days, { map: "Title=track,Date=day,Quantity=streams,Store=Deezer" });
  assert.match(report.reason ?? "", /2026-09-01 occurs in it 2 times/);
});

test("a total at the end of a mapped table is omitted and reported", async (t) => {
  const { take } = await importer(t);
  const report = await take("a.csv", [...LEDGER, "Total,2026-08,42,1.75"], { map: LEDGER_MAP });
  assert.deepEqual(STORED(report), ["imported", "mapped-sales", ["42", "1.75"], ["EUR"]]);
  assert.match(report.receipt?.leftOut[0]?.reason ?? "", /repeats the sum of the others/);
});

test("a mapping does not affect files that are read without it", async (t) => {
  const { take } = await importer(t);
  const map = LEDGER_MAP;
  const timeline = await take("Beta-timeline.csv", ["date,streams", "2026-09-01,5"], { map });
  assert.equal(timeline.kind, "spotify-timeline");
  const named = await take("b.csv", ["Track,Month,Revenue (EUR)", "海盐,2026-07,1.5"], { map });
  assert.deepEqual(STORED(named), ["imported", "mapped-sales", ["1.5"], ["EUR"]]);
});

/** A table, and whether its column names alone map it. */
const TABLES: readonly (readonly [
  title: string,
  rows: readonly string[],
  expected: readonly string[] | RegExp,
])[] = [
  [
    "a title, a month, a quantity, an amount with its currency and a store",
    ["Artist,Track title,Month,Platform,Streams,Net revenue (EUR)", "Me,海盐,2026-07,Deezer,40,1.25"],
    ["40", "1.25"],
  ],
  [
    "Chinese column names",
    ["歌曲,月份,平台,播放量,收入,币种", "海盐,2026-07,QQ音乐,40,1.25,CNY"],
    ["40", "1.25"],
  ],
  [
    "two amounts",
    ["Track,Month,Gross revenue,Net revenue,Currency", "海盐,2026-07,1.5,1.25,EUR"],
    /--map "Title=Track,Month=Month,Amount=Gross revenue,Currency=Currency" /,
  ],
  [
    "an amount without a currency",
    ["Track,Month,Revenue", "海盐,2026-07,1.5"],
    /no column for Currency\. .*, with its own value in place of USD: `skillctl run music-gateway import --map "Title=Track,Month=Month,Amount=Revenue,Currency=USD" /,
  ],
  [
    "no store",
    ["Title,Date,Quantity", "海盐,2026-07-01,15"],
    /no column for Store, which a table without amounts needs\. .*, with its own value in place of Spotify: `skillctl run music-gateway import --map "Title=Title,Date=Date,Quantity=Quantity,Store=Spotify" /,
  ],
  ["neither a store nor a title", ["Date,Quantity", "2026-07-01,15"], /The file has no column for Title\.$/],
  [
    "a column that is not known",
    ["Track,Month,Revenue (EUR),Withheld", "海盐,2026-07,1.5,0.5"],
    /--map "Title=Track,Month=Month,Amount=Revenue \(EUR\)" /,
  ],
  [
    "no column with figures",
    ["Track,Month,Mood", "海盐,2026-07,calm"],
    /No known format matches its columns: Track, Month, Mood\. The file has no column for Amount or Quantity\.$/,
  ],
];

for (const [title, rows, expected] of TABLES) {
  test(`a table with ${title} is ${expected instanceof RegExp ? "refused with the missing columns or a mapping" : "read by its column names"}`, async (t) => {
    const { take } = await importer(t);
    const report = await take("table.csv", rows);
    if (expected instanceof RegExp) {
      assert.equal(report.status, "refused");
      assert.match(report.reason ?? "", expected);
      const map = /--map "([^"]*)"/.exec(report.reason ?? "")?.[1];
      // The command in the refusal works.
      if (map !== undefined) assert.equal((await take("table.csv", rows, { map })).status, "imported");
    } else
      assert.deepEqual(
        [report.status, report.receipt?.sums.map(({ stored }) => stored)],
        ["imported", expected],
      );
  });
}

/** A text of `--map`, and a part of the sentence that refuses it. */
const REFUSED: readonly (readonly [map: string, sentence: RegExp])[] = [
  ["Title=Song,Month=When,Amount=Due,Currency=EUR", /It has no column Song, which --map names: /],
  ["Title=#9,Month=When,Amount=Due,Currency=EUR", /It has no column #9/],
  ["Name=Work", /does not understand Name=Work: it takes pairs such as Title=Track name/],
  ["Title=Work,Amount=Due,Currency=EUR", /--map must name Date or Month\./],
  ["Title=Work,Month=When", /--map must name Amount or Quantity\./],
  ["Title=Work,Month=When,Amount=Due", /--map must name Currency/],
  ["Title=Work,Month=When,Quantity=Plays so far", /--map must name Store/],
  ["Title=Work,Title=When,Amount=Due", /--map names Title twice\./],
];

for (const [map, sentence] of REFUSED) {
  test(`the mapping ${map} is refused with its reason`, async (t) => {
    const { take } = await importer(t);
    const report = await take("a.csv", LEDGER, { map });
    assert.equal(report.status, "refused");
    assert.match(report.reason ?? "", sentence);
  });
}
