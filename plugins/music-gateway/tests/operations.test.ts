/** Rankings within groups, bounds, refunds, release days, distributors, currencies and exclusion, compared with the made-up figures. */
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { AnswerOutput, Query } from "../contract.ts";
import { own } from "./doors-harness.ts";
import { exportFiles } from "./questions/export-files.ts";
import { audienceDays, RELEASES, sales, songDays } from "./questions/exports.ts";

type Row = Readonly<Record<string, unknown>>;

function rowsOf({ tables, text }: AnswerOutput): readonly Row[] {
  const { columns, rows } = tables[0] ?? assert.fail(text);
  return rows.map((row) => Object.fromEntries(columns.map(({ name }, place) => [name, row[place]])));
}

const title = (row: Row): string => String(row["song"]).slice(1, -1);

/** Sums by a key, as sorted pairs, the largest first. */
function sums<One>(
  all: readonly One[],
  key: (one: One) => string,
  value: (one: One) => number,
): readonly (readonly [string, number])[] {
  const found = new Map<string, number>();
  for (const one of all) found.set(key(one), (found.get(key(one)) ?? 0) + value(one));
  return [...found].toSorted(([, a], [, b]) => b - a);
}

const SEPTEMBER = sales.filter(({ month }) => month === "2026-09");
const currencyOf = { DistroKid: "USD", TuneCore: "EUR" } as const;
const income = ({ micros }: (typeof sales)[number]): number => micros / 1_000_000;
const rounded = (value: number): string => value.toFixed(2);

describe("a question or query", async () => {
  const { run } = await own({ after }, exportFiles(), "2026-10-31T09:00:00Z");
  const explain = (question: string): Promise<AnswerOutput> => run("music-gateway", "explain", { question });
  const query = (input: Query): Promise<AnswerOutput> => run("music-gateway", "query", input);
  const figures = (question: string): Promise<readonly Row[]> => explain(question).then(rowsOf);

  for (const [question, rows] of [
    ["top song in each country by income in September 2026", 1],
    ["2026年9月每个国家收入最高的前2首歌", 2],
    ["top songs in each country by income in September 2026", 3],
  ] as const)
    test(`"${question}" ranks the songs within each country, separately for each currency`, async () => {
      const found = await figures(question);
      const wanted = [...new Set(SEPTEMBER.map(({ country }) => country))].toSorted().flatMap((country) =>
        (["DistroKid", "TuneCore"] as const)
          .map((distributor) =>
            SEPTEMBER.filter((one) => one.country === country && one.distributor === distributor),
          )
          .flatMap((own) => sums(own, (one) => one.title, income).slice(0, rows))
          .map(([song, value]) => `${country} ${song} ${rounded(value)}`),
      );
      const said = found.map(
        (row) => `${String(row["country_key"])} ${title(row)} ${rounded(Number(row["income"]))}`,
      );
      assert.deepEqual(said.toSorted(), wanted.toSorted());
    });

  for (const question of ["每个月播放最多的歌", "top song each month by plays"])
    test(`"${question}" ranks the songs within each month of the files`, async () => {
      const months = [...new Set(songDays.map(({ date }) => date.slice(0, 7)))].toSorted();
      const wanted = months.map((month) => {
        const own = songDays.filter(({ date }) => date.startsWith(month));
        return [
          month,
          ...(sums(
            own,
            (one) => one.title,
            ({ plays }) => plays,
          )[0] ?? []),
        ];
      });
      const found = await figures(question);
      assert.deepEqual(
        found.map((row) => [row["month"], title(row), row["plays"]]),
        wanted,
      );
    });

  test("about growth within groups is refused, and so is one about two rankings at once", async () => {
    for (const question of ["growth by month and store", "the top song and the top country in 2026"]) {
      const { refusals, tables } = await explain(question);
      assert.deepEqual(tables, [], question);
      assert.equal(refusals.length, 1, question);
    }
  });

  test("by city is refused if no table with the figure has cities", async () => {
    for (const question of ["income by city", "income by country and city", "各城市收入"]) {
      const { refusals, tables } = await explain(question);
      assert.match(refusals.join(), /by city|按城市/, question);
      assert.deepEqual(tables, [], question);
    }
  });

  for (const question of ["days without plays", "哪些天没有播放", "days with no plays"])
    test(`"${question}" lists the days without plays in all of the files`, async () => {
      const found = await figures(question);
      assert.deepEqual(
        found.map((row) => [row["day"], row["plays"]]),
        [
          ["2026-03-17", null],
          ["2026-08-09", null],
        ],
      );
    });

  for (const question of [
    "days with at least 10,000 plays",
    "哪些天的播放量超过1万",
    "which days exceeded 10k plays",
  ])
    test(`"${question}" lists the days from that figure on`, async () => {
      const wanted = audienceDays
        .filter(({ plays }) => plays >= 10_000)
        .map(({ date, plays }) => [date, plays]);
      assert.ok(wanted.length > 1);
      const found = await figures(question);
      assert.deepEqual(
        found.map((row) => [row["day"], row["plays"]]),
        wanted,
      );
    });

  test("with 万 and 千 in one number uses both", async () => {
    const { query: read } = await explain("日播放量超过1万2千的有哪些天");
    assert.deepEqual(
      [read?.atLeast, read?.period],
      [12_000, { from: "2025-11-01", to: "2026-10-31", by: "default" }],
    );
  });

  for (const question of ["songs without plays in January 2026", "2026年1月没有播放的歌曲"])
    test(`"${question}" lists the song that was not released yet`, async () => {
      const found = await figures(question);
      assert.deepEqual(
        found.map((row) => [title(row), row["plays"]]),
        [["Lantern", null]],
      );
    });

  for (const question of ["release dates of my songs", "所有歌曲的发行日期"])
    test(`"${question}" lists the release days, the latest first`, async () => {
      const found = await figures(question);
      assert.deepEqual(Object.fromEntries(found.map((row) => [title(row), row["released_on"]])), RELEASES);
      const days = found.map((row) => String(row["released_on"]));
      assert.deepEqual(days, days.toSorted().toReversed());
    });

  test("about one song's release gives its day", async () => {
    for (const question of ["when was Lantern released?", "《Lantern》是什么时候发行的？"]) {
      const [row, ...others] = await figures(question);
      assert.deepEqual([row?.["released_on"], others], [RELEASES.Lantern, []], question);
    }
  });

  for (const [question, distributor] of [
    ["income from TuneCore in September 2026", "TuneCore"],
    ["2026年9月DistroKid的收入", "DistroKid"],
    ["income except TuneCore in September 2026", "DistroKid"],
    ["income in euros in September 2026", "TuneCore"],
    ["2026年9月的美元收入", "DistroKid"],
  ] as const)
    test(`"${question}" is about that distributor or currency only`, async () => {
      const [row, ...others] = await figures(question);
      const own = SEPTEMBER.filter((one) => one.distributor === distributor);
      const wanted = own.reduce((sum, one) => sum + income(one), 0);
      assert.equal(row?.["currency"], currencyOf[distributor]);
      assert.equal(rounded(Number(row?.["value"])), rounded(wanted));
      assert.deepEqual(others, []);
    });

  test("of one distributor names its statement as the source, and no other", async () => {
    const { tables } = await query({
      measures: ["income"],
      filters: { distributors: ["TuneCore"] },
      period: "2026-09",
    });
    assert.deepEqual(tables[0]?.files, ["TuneCore_sales.csv"]);
  });

  for (const question of ["plays without Remix in September 2026", "2026年9月播放量，不要Remix"])
    test(`"${question}" leaves out the songs with that word in their titles`, async () => {
      const wanted = songDays
        .filter(({ date, title: song }) => date.startsWith("2026-09") && !song.includes("Remix"))
        .reduce((sum, { plays }) => sum + plays, 0);
      assert.equal((await figures(question))[0]?.["value"], wanted);
    });

  test("by currency has a row for each, without a share of their sum", async () => {
    const found = await query({ measures: ["income"], split: "currency", period: "2026-09" });
    assert.deepEqual(
      rowsOf(found).map((row) => [row["currency"], rounded(Number(row["income"]))]),
      (["DistroKid", "TuneCore"] as const).map((distributor) => [
        currencyOf[distributor],
        rounded(
          SEPTEMBER.filter((one) => one.distributor === distributor).reduce(
            (sum, one) => sum + income(one),
            0,
          ),
        ),
      ]),
    );
    assert.ok(found.tables[0]?.columns.every(({ name }) => name !== "share"));
  });

  test("with a word that is not known names that word alone, and offers the question without it", async () => {
    for (const [question, word, nearest] of [
      ["plays by flavour", "flavour", "plays"],
      ["plays of each planet", "planet", "plays"],
      ["按口味的播放量", "口味", "播放量"],
    ] as const) {
      const { notUnderstood, nearest: offered } = await explain(question);
      assert.deepEqual([notUnderstood, offered], [[word], nearest], question);
    }
  });
});

const COLUMNS =
  "Reporting Date\tSale Month\tStore\tArtist\tTitle\tISRC\tQuantity\tSong/Album\tCountry of Sale\tEarnings (USD)";
const sale = (song: string, units: number, amount: string, month = "2026-05"): string =>
  ["2026-06-01", month, "Spotify", "Me", song, "", units, "Song", "US", amount].join("\t");

test("refunds are the sales with negative amounts, by song too, and income is reduced by them", async (t) => {
  const statement = [
    COLUMNS,
    sale("Home", 10, "1.00"),
    sale("Home", -2, "-0.20"),
    sale("Ocean", 5, "0.50"),
    "",
  ];
  const { run } = await own(t, { "statement.tsv": statement.join("\n") });
  const total = await run<AnswerOutput>("music-gateway", "query", {
    measures: ["income", "refunds", "refunded_units"],
    period: "2026-05",
  });
  assert.deepEqual(
    rowsOf(total).map((row) => [row["measure"], row["value"]]),
    [
      ["income", 1.3],
      ["refunds", 0.2],
      ["refunded_units", 2],
    ],
  );
  for (const question of ["refunds by song in May 2026", "2026年5月各歌曲的退款"]) {
    const found = rowsOf(await run<AnswerOutput>("music-gateway", "explain", { question }));
    assert.deepEqual(
      found.map((row) => [title(row), row["refunds"]]),
      [
        ["Home", 0.2],
        ["Ocean", 0],
      ],
    );
  }
});

test("a ranking names the songs without figures in the files, and an overview has them in its list", async (t) => {
  const { ask } = await own(t, {
    "Home-timeline.csv": "date,streams\n2026-05-01,10\n",
    "Ocean-timeline.csv": "date,streams\n2026-05-01,4\n",
    "statement.tsv": [COLUMNS, sale("Home", 5, "1.50"), sale("Lighthouse", 5, "1.25"), ""].join("\n"),
  });
  const absent = /Omitted, because these files have no figures for them here: "(\w+)"\./;
  assert.equal(absent.exec(await ask("top songs by plays"))?.[1], "Lighthouse");
  assert.equal(absent.exec(await ask("income by song in May 2026"))?.[1], "Ocean");
  assert.doesNotMatch(await ask("which of Home and Ocean has more plays"), absent);
  assert.match(await ask("整体数据怎么样"), /\| 3 \| 《Lighthouse》 \| \d+ \| — \| — \|/);
  assert.match(await ask("分析歌曲《Lighthouse》的收入"), /\| 1\.25 \|/);
});

test("refunds without a period are those of all statements, with their number", async (t) => {
  const statement = [
    COLUMNS,
    sale("Home", -3, "-0.30", "2026-03"),
    sale("Home", 9, "0.90", "2026-04"),
    sale("Ocean", -2, "-0.20"),
    "",
  ];
  const { run } = await own(t, { "statement.tsv": statement.join("\n") });
  for (const question of ["how much was refunded?", "退款有多少"]) {
    const { tables } = await run<AnswerOutput>("music-gateway", "explain", { question });
    assert.deepEqual(tables[0]?.days, { from: "2026-03-01", to: "2026-05-31" });
    assert.deepEqual(
      tables[0].rows.map((row) => [row[0], row[4]]),
      [
        ["refunds", 0.5],
        ["refunded_units", 5],
      ],
    );
  }
  const april = await run<AnswerOutput>("music-gateway", "explain", { question: "refunds in April 2026" });
  assert.equal(april.tables[0]?.rows[0]?.[4], 0);
});

test("views by traffic source, age and gender come from the tables by these, and are not part of the total", async (t) => {
  const lines = (...rows: readonly string[]): string => `${rows.join("\n")}\n`;
  const { run } = await own(t, {
    "traffic.csv": lines(
      "Traffic source,Views,Watch time (hours)",
      "Total,100,9.5",
      "YouTube search,60,6",
      "External,30,2.5",
    ),
    "age.csv": lines("Viewer age,Views (%)", "18-24,40.5", "25-34,59.5"),
    "table.csv": lines(
      "Content,Video title,Video publish time,Views",
      "Total,,,1000",
      "a1,Home,2026-01-01,600",
      "a2,Ocean,2026-02-01,330",
    ),
  });
  const explain = (question: string): Promise<AnswerOutput> => run("music-gateway", "explain", { question });
  for (const question of ["views by traffic source", "各流量来源的视频观看次数"])
    assert.deepEqual(
      rowsOf(await explain(question)).map((row) => [row["traffic_source"], row["views"]]),
      [
        ["YouTube search", 60],
        ["External", 30],
      ],
      question,
    );
  for (const question of ["video views by age", "视频观看次数的年龄分布"])
    assert.deepEqual(
      rowsOf(await explain(question)).map((row) => [row["age"], row["view_share"]]),
      [
        ["25-34", 59.5],
        ["18-24", 40.5],
      ],
      question,
    );
  const { text } = await run<AnswerOutput>("music-gateway", "query", { measures: ["views"] });
  assert.match(text, /\| Video views \| 930 \|/);
  assert.match(text, /The rows of table\.csv hold 93\.0% of the video views in its total row\./);
  const traffic = await run<AnswerOutput>("music-gateway", "query", {
    measures: ["views"],
    split: "traffic_source",
  });
  assert.match(traffic.text, /The rows of traffic\.csv hold 90\.0% of the video views in its total row\./);
  assert.deepEqual(traffic.tables[0]?.files, ["traffic.csv"]);
  const byGender = await explain("views by gender");
  assert.match(byGender.refusals.join(), /“Share of video views” only by age/);
});
