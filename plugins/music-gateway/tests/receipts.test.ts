/** The decisions that are made once for a file, and the receipt that an import prints: through the host, with a musician's files. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { SkillError } from "skillctl";
import filesOutput from "../../../schemas/music-gateway/files-output.json" with { type: "json" };
import importOutput from "../../../schemas/music-gateway/import-output.json" with { type: "json" };
import type { FilesOutput, ImportInput, ImportOutput } from "../contract.ts";
import { own } from "./doors-harness.ts";

type Report = ImportOutput["files"][number];
type Options = Omit<ImportInput, "files">;

/** Imports files into a separate state folder; further calls import into the same one. */
async function importer(t: TestContext) {
  const { host, run, ask } = await own(t, {});
  const take = async (
    files: Readonly<Record<string, string | Uint8Array>>,
    options: Options = {},
  ): Promise<readonly Report[]> => {
    for (const [name, content] of Object.entries(files))
      await writeFile(join(host.environment.workingFolder, name), content);
    try {
      const input = { files: Object.keys(files), ...options };
      return (await run<ImportOutput>("music-gateway", "import", input)).files;
    } catch (caught) {
      if (caught instanceof SkillError && caught.result !== undefined)
        return (caught.result as ImportOutput).files;
      throw caught;
    }
  };
  const listed = async () => (await run<FilesOutput>("music-gateway", "files", {})).files;
  return { take, listed, ask, run };
}

const lines = (...rows: readonly string[]): string => `${rows.join("\n")}\n`;
const SALES =
  "Reporting Date\tSale Month\tStore\tTitle\tISRC\tQuantity\tSong/Album\tCountry of Sale\tEarnings (USD)";
const sale = (
  earnings: string,
  { day = "2026-07-28", month = "2026-06", quantity = "1", separator = "\t" } = {},
): string => [day, month, "Spotify", "Beta", "", quantity, "Song", "US", earnings].join(separator);
const statement = (...rows: readonly string[]): string => lines(SALES, ...rows);
const timeline = (...days: readonly string[]): string =>
  lines("date,streams", ...days.map((day) => `${day},10`));

/** Whether a file is imported with these sums, else a part of the reason why it is refused. */
type Case = readonly [
  title: string,
  name: string,
  content: string,
  options: Options,
  expected: readonly string[] | RegExp,
];

const CASES: readonly Case[] = [
  ["a comma with four decimals", "a.tsv", statement(sale("0,0123"), sale("0,0123")), {}, ["2", "0.0246"]],
  [
    "quoted decimal commas between commas",
    "a.csv",
    lines(
      SALES.replaceAll("\t", ","),
      sale('"0,1234"', { separator: "," }),
      sale('"0,1234"', { separator: "," }),
    ),
    {},
    ["2", "0.2468"],
  ],
  [
    "a zero before a comma and three decimals",
    "a.csv",
    lines(SALES.replaceAll("\t", ";"), sale("0,123", { separator: ";" }), sale("0,123", { separator: ";" })),
    {},
    ["2", "0.246"],
  ],
  [
    "one decisive figure beside many open ones",
    "a.tsv",
    statement(sale("1,234"), sale("2,500"), sale("0,5")),
    {},
    ["3", "4.234"],
  ],
  [
    "groups of thousands with a point",
    "a.tsv",
    statement(sale("1,234.50"), sale("2,000")),
    {},
    ["2", "3234.5"],
  ],
  ["groups by spaces", "a.tsv", statement(sale("1 234,50"), sale("12,5")), {}, ["2", "1247"]],
  [
    "signs of currencies on both sides",
    "a.tsv",
    statement(sale("-$1.50"), sale("4.25 €")),
    {},
    ["2", "2.75"],
  ],
  [
    "a word that is a date in databases",
    "a-timeline.csv",
    timeline("epoch"),
    {},
    /line 2: the date is not a date/,
  ],
  ["figures with only one reading", "a.tsv", statement(sale("3"), sale("12")), {}, ["2", "15"]],
  [
    "very small figures with exponents",
    "a.tsv",
    statement(sale("9.1E-6"), sale("0.5")),
    {},
    ["2", "0.5000091"],
  ],
  [
    "an open decimal sign",
    "a.tsv",
    statement(sale("1,234"), sale("2,500")),
    {},
    /decimal sign is uncertain \("1,234" in earnings\): the sum is 3734 with a decimal point, 3\.734 with a decimal comma\. .*--decimal/,
  ],
  [
    "an open decimal sign, decided",
    "a.tsv",
    statement(sale("1,234"), sale("2,500")),
    { decimal: "comma" },
    ["2", "3.734"],
  ],
  [
    "an open decimal sign, decided otherwise",
    "a.tsv",
    statement(sale("1,234"), sale("2,500")),
    { decimal: "point" },
    ["2", "3734"],
  ],
  [
    "an option that the file itself contradicts",
    "a.tsv",
    statement(sale("0.50"), sale("1.25")),
    { decimal: "comma" },
    ["2", "1.75"],
  ],
  [
    "two decimal signs",
    "a.tsv",
    statement(sale("0.50"), sale("0,50")),
    {},
    /two decimal signs: "0\.50" in .*"0,50"/,
  ],
  ["counts of thousands with points", "a-timeline.csv", "date;streams\n2026-10-01;1.000\n", {}, ["1000"]],
  ["counts of thousands with commas", "a-timeline.csv", 'date,streams\n2026-10-01,"1,234"\n', {}, ["1234"]],
  ["days after the twelfth", "a-timeline.csv", timeline("01/09/2026", "13/09/2026"), {}, ["20"]],
  ["months first", "a-timeline.csv", timeline("9/1/2026", "9/13/2026"), {}, ["20"]],
  [
    "an open order of dates",
    "a-timeline.csv",
    timeline("01/09/2026", "02/09/2026"),
    {},
    /order of its dates is uncertain: "01\/09\/2026" is 2026-09-01 with the day first, 2026-01-09 with the month first\. .*--dates/,
  ],
  [
    "an open order of dates, decided",
    "a-timeline.csv",
    timeline("01/09/2026", "02/09/2026"),
    { dates: "day-first" },
    ["20"],
  ],
  [
    "two orders of dates",
    "a-timeline.csv",
    timeline("13/09/2026", "9/14/2026"),
    {},
    /two orders: "13\/09\/2026" has the day first/,
  ],
  ["a date that is the same in both orders", "a-timeline.csv", timeline("09/09/2026"), {}, ["10"]],
  ["points in dates", "a-timeline.csv", timeline("01.09.2026", "02.09.2026"), {}, ["20"]],
  [
    "a sale month with an open order",
    "a.tsv",
    statement(sale("0.5", { month: "01/07/2026" })),
    {},
    /"01\/07\/2026" is 2026-07-01 with the day first/,
  ],
  [
    "Believe's months, all written as first days with an open order",
    "a.csv",
    lines(
      "Reporting month;Sales Month;Platform;Country / Region;Track title;Release title;ISRC;Quantity;Client Payment Currency;Net Revenue",
      "01/09/2026;01/07/2026;Spotify;DE;Beta;Beta;TWSK32300005;2;EUR;0,50",
      "01/09/2026;01/08/2026;Spotify;DE;Beta;Beta;TWSK32300005;2;EUR;0,50",
    ),
    {},
    /"01\/07\/2026" is 2026-07-01 with the day first, 2026-01-07 with the month first\. .*--dates day-first/,
  ],
  [
    "a day that occurs twice in a file",
    "a-timeline.csv",
    lines("date,streams", "2026-09-01,140", "2026-09-01,100"),
    {},
    /2026-09-01 occurs in it 2 times/,
  ],
  [
    "a chart by country",
    "Totals.csv",
    lines("Date,Country,Views", "2026-09-01,US,140", "2026-09-01,JP,100"),
    {},
    /column Country is not part of the format YouTube Studio totals,/,
  ],
  [
    "songs by day",
    "a.csv",
    lines("song,date,streams,saves", "Beta,2026-09-01,140,1", "Beta,2026-09-02,100,2"),
    {},
    /column date is not part of the format/,
  ],
  [
    "songs by store, in Chinese",
    "a.csv",
    lines("歌曲,平台,播放量,收藏", "海盐,QQ音乐,6500,1", "海盐,酷狗,1200,2"),
    {},
    /column 平台 is not part of/,
  ],
  [
    "a statement without a column",
    "a.tsv",
    statement(sale("0.5")).replace("\tCountry of Sale", "\tLand"),
    {},
    /Its columns are .*Land.* The closest format is the DistroKid statement, which also has the country of sale\..*--map "Title=Title,ISRC=ISRC,Month=Sale Month,Quantity=Quantity,Amount=Earnings \(USD\),Store=Store/,
  ],
  [
    "lines above the header, one of them with a quote",
    "a-timeline.csv",
    `Export of "Mira Lin"\n\n"all, days"\n${timeline("2026-09-01", "2026-09-02")}`,
    {},
    ["20"],
  ],
  [
    "line ends of three kinds",
    "a-timeline.csv",
    "date,streams\r\n2026-09-01,10\n2026-09-02,11\r2026-09-03,12\r\n",
    {},
    ["33"],
  ],
];

for (const [title, name, content, options, expected] of CASES) {
  test(`${title}: ${expected instanceof RegExp ? "the file is refused with the reason" : "the sums are right"}`, async (t) => {
    const { take } = await importer(t);
    const [report] = await take({ [name]: content }, options);
    if (expected instanceof RegExp) {
      assert.equal(report?.status, "refused");
      assert.match(report.reason ?? "", expected);
      return;
    }
    assert.equal(report?.status, "imported", report?.reason ?? "");
    const sums = report.receipt?.sums ?? [];
    assert.deepEqual(
      sums.map(({ stored }) => stored),
      expected,
    );
    assert.deepEqual(
      sums.map(({ file }) => file),
      expected,
    );
  });
}

test("a decision is kept with its file, so that the next import reads it the same", async (t) => {
  const { take, listed } = await importer(t);
  await take({ "a.tsv": statement(sale("1,234"), sale("2,500")) }, { decimal: "comma" });
  await take({ "b-timeline.csv": timeline("2026-09-01") });
  const [first] = await listed();
  assert.deepEqual(first?.receipt.sums[1], { column: "earnings", file: "3.734", stored: "3.734" });
});

test("a statement that a spreadsheet has saved again counts once", async (t) => {
  const { take, ask } = await importer(t);
  await take({
    "a.tsv": statement(
      sale("0.50", { day: "2026-09-25", month: "2026-08" }),
      sale("1.25", { day: "2026-09-25", month: "2026-08" }),
    ),
  });
  const saved = [
    SALES,
    sale("0.5", { day: "9/25/2026", month: "Aug-26" }),
    sale("1.25", { day: "9/25/2026", month: "Aug-26" }),
  ];
  await take({ "a.csv": lines(...saved.map((row) => row.replaceAll("\t", ","))) });
  assert.match(await ask("income in August 2026"), /\| 1\.75 \|/);
});

test("sales of whole albums count, under a separate name", async (t) => {
  const { take, ask } = await importer(t);
  const album = sale("41.94").replace("Song", "Album").replace("Beta\t", "Beta\tTWA452300001");
  const [report] = await take({
    "a.tsv": statement(sale("3.50").replace("Beta\t", "Beta\tTWA452300001"), album),
  });
  assert.deepEqual(report?.receipt?.sums[1], { column: "earnings", file: "45.44", stored: "45.44" });
  assert.match(await ask("income by song in June 2026"), /Beta \(album\).*41\.94/);
});

test("omitted rows are reported with their reason and their sum", async (t) => {
  const { take } = await importer(t);
  const [report] = await take({
    "a-timeline.csv": lines("date,streams", "2026-09-01,140", "2026-09-32,100", "2026-09-03,7,7"),
    "Totals.csv": lines("Date,Views", "Total,200", "2026-09-01,100"),
  });
  assert.deepEqual(report?.receipt, {
    rows: 3,
    encoding: "utf-8",
    decimal: "point",
    dates: null,
    currencies: [],
    sums: [{ column: "streams", file: "240", stored: "140" }],
    leftOut: [
      { reason: "the date is not a date", rows: 1, sums: [{ column: "streams", sum: "100" }] },
      { reason: "the number of cells differs from the header", rows: 1, sums: [] },
    ],
  });
});

test("rows of an export that are a part of its sum row are marked", async (t) => {
  const { host, run } = await own(t, {});
  await writeFile(
    join(host.environment.workingFolder, "Totals.csv"),
    lines("Date,Views", "Total,200", "2026-09-01,100"),
  );
  const { text } = await run<ImportOutput>("music-gateway", "import", { files: ["Totals.csv"] });
  assert.match(
    text,
    /stored: views 100\n.*left out: 1 row, because the row repeats.*\(views 200\)\n.*only 50\.0 % of its views/,
  );
  const { text: files } = await run<FilesOutput>("music-gateway", "files", {});
  assert.match(files, /stored: views 100\n/);
});

test("downloads of one timeline are one song, whatever a browser or system appends to its name", async (t) => {
  const { take, run } = await importer(t);
  const ends = [
    "",
    "-2",
    " (3)",
    " copy",
    " copy 2",
    " - Kopie",
    " - Copy (2)",
    "_20251129_180552",
    " 副本",
    " のコピー",
  ];
  const files = ends.map((end, place) => [
    `Beta-timeline${end}.csv`,
    timeline("2026-09-01", `2026-09-${10 + place}`),
  ]);
  for (const { status } of await take(Object.fromEntries(files))) assert.equal(status, "imported");
  const { songs } = await run<{ readonly songs: readonly unknown[] }>("music-analysis", "songs", {
    refresh: true,
  });
  assert.equal(songs.length, 1);
});

/** Text in an older encoding: its bytes, in hexadecimal digits where Node has no encoder. */
const ENCODED: readonly (readonly [encoding: string, song: string, bytes: string])[] = [
  ["gb18030", "海盐", "baa3d1ce"],
  ["gb18030", "晚安", "cdedb0b2"],
  ["big5", "後來的海", "abe1a8d3aabaaefc"],
  ["shift_jis", "夜に咲く", "96e982c98de782ad"],
  ["windows-1252", "Café déjà", "436166e92064e96ae0"],
];

for (const [encoding, song, bytes] of ENCODED) {
  test(`${song} in ${encoding} is read as it is written`, async (t) => {
    const { take, ask } = await importer(t);
    const table = Buffer.concat([
      Buffer.from("song,listeners,streams,saves,release_date\r\n"),
      Buffer.from(bytes, "hex"),
      Buffer.from(",1,2,3,2024-03-15\r\n"),
    ]);
    const [report] = await take({ "songs.csv": table });
    assert.deepEqual([report?.status, report?.receipt?.encoding], ["imported", encoding]);
    assert.ok((await ask("top songs by streams in all time")).includes(song));
  });
}

test("text in an unknown encoding is refused", async (t) => {
  const { take } = await importer(t);
  const cells = Buffer.from([0x81, 0xff, 0xfe, 0x80, 0x90, 0x2c]);
  const [report] = await take({
    "songs.csv": Buffer.concat([Buffer.from("song,streams,saves\n"), cells, Buffer.from("1,2\n")]),
  });
  assert.match(report?.reason ?? "", /The encoding of its text is unclear/);
});

test("sales of a quarter count in its last month, and payouts are left out with their reason", async (t) => {
  const { take, ask } = await importer(t);
  const header = "PERIOD,TITLE NAME,PERF SOURCE,COUNTRY OF PERFORMANCE,ROYALTY AMOUNT,PERF PERIOD";
  await take({ "bmi.csv": lines(header, "3Q2026,Beta,Spotify,Japan,1.25,1Q2026") });
  assert.match(await ask("income by month in 2026"), /2026-03.*1\.25/);
  const [report] = await take({
    "bandcamp.csv": lines(
      "date,item type,item name,currency,quantity,net amount",
      "11/25/26 5:45pm,track,Beta,USD,1,6.22",
      "11/26/26 5:45pm,payout,,USD,,-6.22",
    ),
  });
  assert.deepEqual(report?.receipt?.leftOut, [
    {
      reason: "a payout is not a sale",
      rows: 1,
      sums: [
        { column: "quantity", sum: "0" },
        { column: "net amount", sum: "-6.22" },
      ],
    },
  ]);
  assert.equal(report.refusedRows, 0);
});

test("dates that begin with a year of two digits are refused", async (t) => {
  const { take } = await importer(t);
  const [report] = await take({ "a-timeline.csv": timeline("26/09/01", "26/09/30") });
  assert.match(report?.reason ?? "", /Its date "26\/09\/01" does not end in a year/);
});

test("the receipt has the same shape in the report of an import and in the list of files", () => {
  const { type: _, description: __, ...imported } = importOutput.properties.files.items.properties.receipt;
  const { type: ___, description: ____, ...listed } = filesOutput.properties.files.items.properties.receipt;
  assert.deepEqual(imported, listed);
});

test("listeners and saves that an export of all time lacks are not 0", async (t) => {
  const { take, ask } = await importer(t);
  const header = "song,listeners,streams,saves,release_date";
  await take({ "Mira-songs-all.csv": lines(header, "Beta,0,140,0,2024-03-15", "Gamma,0,9,0,2024-03-16") });
  assert.match(await ask("top songs by plays"), /Beta.*140/);
  assert.doesNotMatch(await ask("listeners by song"), /\| 0 \|/);
  const [report] = await take({ "Nils-songs-all.csv": lines(header, "Delta,0,100,7,2026-01-01") });
  assert.equal(report?.status, "imported");
  assert.match(await ask("saves by song"), /Delta.*\| 7 \|/);
});
