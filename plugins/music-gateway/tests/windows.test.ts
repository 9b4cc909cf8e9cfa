/** Tables of sums: each has a window, and figures of two windows are never combined. */
import assert from "node:assert/strict";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { AnswerOutput, FilesOutput, ImportOutput } from "../contract.ts";
import { own } from "./doors-harness.ts";

const songs = (...rows: readonly string[]): string =>
  `song,listeners,streams,saves,release_date\n${rows.map((row) => `${row},2024-03-15\n`).join("")}`;

const DAYS_28 = songs("Alpha,10,100,5", "Beta,20,200,7");
const YEAR = songs("Alpha,90,1500,40", "Beta,80,1400,30", "Gamma,70,1300,20");
const ALL = songs("Alpha,0,9000,0", "Beta,0,8000,0", "Gamma,0,7000,0", "Delta,0,10,0");
const TABLES: Readonly<Record<string, string>> = {
  "Me-songs-28day.csv": DAYS_28,
  "Me-songs-1year.csv": YEAR,
  "Me-songs-all.csv": ALL,
};

/** A person who imports the files one by one, in this order. */
async function imported(context: TestContext, files: Readonly<Record<string, string>>, now?: string) {
  const person = await own(context, {}, now);
  const take = async (name: string, content: string, more: object = {}): Promise<ImportOutput> => {
    await writeFile(join(person.host.environment.workingFolder, name), content);
    return person.run("music-gateway", "import", { files: [name], ...more });
  };
  for (const [name, content] of Object.entries(files)) await take(name, content);
  const query = (input: object): Promise<AnswerOutput> => person.run("music-gateway", "query", input);
  const explained = (question: string): Promise<AnswerOutput> =>
    person.run("music-gateway", "explain", { question });
  return { ...person, take, query, explained };
}

/** The figures of a measure in the first table of an answer. */
function figures({ tables, refusals }: AnswerOutput, name: string): readonly unknown[] {
  assert.deepEqual(refusals, []);
  const [table] = tables;
  const place = table?.columns.findIndex((column) => column.name === name || column.name === "value") ?? -1;
  assert.ok(place >= 0, JSON.stringify(table));
  return (table?.rows ?? []).map((row) => row[place]);
}

test("an unpacked zip folder gives its window to the tables in it", async (context) => {
  const { query, host, run } = await imported(context, {});
  for (const [days, views] of [
    ["2026-09-01_2026-09-30", 50],
    ["2026-10-01_2026-10-31", 60],
  ] as const) {
    const folder = join(host.environment.workingFolder, "youtube", `Geography ${days} Me`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "Table data.csv"), `Geography,Views\nJP,${views}\n`);
  }
  await run("music-gateway", "import", { files: ["youtube"] });
  for (const [period, views] of [
    ["2026-09", 50],
    ["2026-10", 60],
  ] as const)
    assert.deepEqual(figures(await query({ measures: ["views"], split: "country", period }), "views"), [
      views,
    ]);
});

const ORDERS = [Object.keys(TABLES), Object.keys(TABLES).toReversed()];

for (const order of ORDERS)
  test(`songs tables of three windows are kept apart when imported as ${order.join(", ")}`, async (context) => {
    const files = Object.fromEntries(order.map((name) => [name, TABLES[name] ?? ""]));
    const { query, explained, ask } = await imported(context, files);
    const plays = { measures: ["plays"], split: "song", order: "most" };
    for (const [period, wanted, name, words] of [
      [undefined, [200, 100], "Me-songs-28day.csv", "last 28 days"],
      ["P28D", [200, 100], "Me-songs-28day.csv", "last 28 days"],
      ["P12M", [1500, 1400, 1300], "Me-songs-1year.csv", "last 12 months"],
      ["all", [9000, 8000, 7000, 10], "Me-songs-all.csv", "all time"],
    ] as const) {
      const answer = await query({ ...plays, ...(period !== undefined && { period }) });
      assert.deepEqual(figures(answer, "plays"), wanted, period);
      assert.deepEqual(answer.tables[0]?.files, [name]);
      assert.match(answer.understood, new RegExp(words));
      assert.equal(answer.query?.period, period ?? "P28D");
    }
    for (const [question, period] of [
      ["How many saves per song in the last 12 months?", "P12M"],
      ["plays by song, all time", "all"],
      ["过去12个月每首歌的收藏量", "P12M"],
      ["最近28天每首歌的收藏量", "P28D"],
    ] as const)
      assert.equal((await explained(question)).query?.period, period, question);
    assert.match(await ask("过去12个月一共有多少收藏？"), /最近 12 个月[^]*\b90\b/);
  });

test("sums of a window are not used for another period, and the refusal names the windows", async (context) => {
  const { query, explained } = await imported(context, TABLES);
  for (const question of [
    "How many saves did I have in the last 30 days?",
    "How many saves did I have in September 2026?",
    "How many saves did I have last week?",
    "Compare saves in the last 28 days with the 28 days before.",
  ]) {
    const { tables, refusals } = await explained(question);
    assert.deepEqual(tables, [], question);
    assert.match(refusals.join(" "), /last 28 days, last 12 months/, question);
    assert.doesNotMatch(refusals.join(" "), /all time/, "the table of all time has no saves");
  }
  const named = await explained("saves in september 2026");
  assert.match(named.refusals.join(" "), /so there are no figures for September 2026/);
  const absent = await explained("saves on february 30");
  assert.match(absent.refusals.join(" "), /no such date \(February 30\)|no figures for February 30/);
  const { understood } = await explained("How many saves did I have in total?");
  assert.match(understood, /last 12 months \(the longest window in the files, not all time\)/);
  const { refusals } = await query({ measures: ["plays"], period: "2026-10" });
  assert.match(refusals.join(" "), /last 28 days, last 12 months, all time/);
});

test("a period that has the length of a window only on the day of the question is not that window", async (context) => {
  const { explained } = await imported(context, { "Me-songs-28day.csv": DAYS_28 }, "2026-06-15T09:00:00Z");
  const { tables } = await explained("How many saves since 19 May 2026?");
  assert.deepEqual(tables, []);
});

test("a zero for saves in the table of all time does not count as a figure", async (context) => {
  const { query, run } = await imported(context, { "songs.csv": ALL });
  const { refusals, tables } = await query({ measures: ["saves"] });
  assert.deepEqual(tables, []);
  assert.equal(refusals.length, 1);
  const { files } = await run<FilesOutput>("music-gateway", "files", {});
  assert.equal(files[0]?.span, "all");
});

for (const order of [
  ["Me-songs-28day.csv", "Me-songs-28day (1).csv"],
  ["Me-songs-28day (1).csv", "Me-songs-28day.csv"],
])
  test(`a later download of one window replaces the whole table when imported as ${order.join(", ")}`, async (context) => {
    const contents: Readonly<Record<string, string>> = {
      "Me-songs-28day.csv": DAYS_28,
      "Me-songs-28day (1).csv": songs("Alpha,30,300,9", "Gamma,40,400,8"),
    };
    const files = Object.fromEntries(order.map((name) => [name, contents[name] ?? ""]));
    const { query, run } = await imported(context, files);
    const asked = { measures: ["plays"], split: "song", order: "most" };
    const answer = await query(asked);
    assert.deepEqual(figures(answer, "plays"), [400, 300]);
    assert.deepEqual(answer.tables[0]?.files, ["Me-songs-28day (1).csv"]);
    await run("music-gateway", "remove", { files: ["Me-songs-28day (1).csv"] });
    assert.deepEqual(figures(await query(asked), "plays"), [200, 100]);
  });

test("tables of two artists with one window are added up", async (context) => {
  const { query } = await imported(context, {
    "Ada-songs-28day.csv": songs("Alpha,10,100,5", "Both,1,11,1"),
    "Bo-songs-28day.csv": songs("Beta,20,200,7", "Both,1,11,1"),
  });
  assert.deepEqual(figures(await query({ measures: ["plays"] }), "plays"), [311]);
});

const VIDEO = "Content,Video title,Video publish time,Views\n";
/** Tables whose window is in the file's name: before, after, and the question that each answers. */
const OTHERS = [
  ["places", "Geography,Views\nUS,50\nJP,20\n", "Geography,Views\nUS,60\nFR,30\n", "views", "country"],
  [
    "cities",
    "City name,Cities,Views\nTaipei,0x1,50\nOsaka,0x2,20\n",
    "City name,Cities,Views\nTaipei,0x1,60\nParis,0x3,30\n",
    "views",
    "city",
  ],
  [
    "traffic",
    "Traffic source,Views\nYouTube search,50\nExternal,20\n",
    "Traffic source,Views\nYouTube search,60\nPlaylists,30\n",
    "views",
    "traffic_source",
  ],
  [
    "ages",
    "Viewer age,Views (%)\n18–24 years,50\n25–34 years,20\n",
    "Viewer age,Views (%)\n18–24 years,60\n35–44 years,30\n",
    "view_share",
    "age",
  ],
  [
    "playlists",
    "title,author,listeners,streams\nOne,Me,1,50\nTwo,Me,1,20\n",
    "title,author,listeners,streams\nOne,Me,1,60\nThree,Me,1,30\n",
    "plays",
    "playlist",
  ],
  [
    "videos",
    `${VIDEO}a,A,2026-01-01,50\nb,B,2026-01-01,20\n`,
    `${VIDEO}a,A,2026-01-01,60\nc,C,2026-01-01,30\n`,
    "views",
    "video",
  ],
  [
    "Apple places",
    "Country or Region,Plays,Shazams\nJapan,50,1\nFrance,20,1\n",
    "Country or Region,Plays,Shazams\nJapan,60,1\nSpain,30,1\n",
    "plays",
    "country",
  ],
] as const;

for (const [name, before, after, measure, split] of OTHERS)
  for (const isReversed of [false, true])
    test(`a table of ${name} is used for its own window, the ${isReversed ? "later" : "earlier"} one imported first`, async (context) => {
      const pair = [
        ["Table 2026-09-01_2026-09-30.csv", before],
        ["Table 2026-10-01_2026-10-31.csv", after],
      ] as const;
      const { query } = await imported(context, Object.fromEntries(isReversed ? pair.toReversed() : pair));
      for (const [period, wanted] of [
        ["2026-09", [50, 20]],
        ["2026-10", [60, 30]],
        [undefined, [60, 30]],
      ] as const) {
        const answer = await query({ measures: [measure], split, order: "most", ...(period && { period }) });
        assert.deepEqual(figures(answer, measure), wanted, period);
        assert.match(answer.understood, period === "2026-09" ? /2026-09-01/ : /2026-10-01/);
        assert.equal(answer.tables[0]?.files.length, 1);
      }
      const { refusals } = await query({ measures: [measure], split, period: "2026-08" });
      assert.match(refusals.join(" "), /2026-10-01 to 2026-10-31, 2026-09-01 to 2026-09-30/);
    });

const CITIES =
  "City,Country or Region,Plays,Shazams\nTaipei,Taiwan,400,2\nKyoto,Japan,100,1\nTokyo,Japan,900,7\n";
const COUNTRIES = "Country or Region,Plays,Shazams\nTaiwan,500,3\nJapan,1380,9\n";

test("the tables of cities and of countries are not added up", async (context) => {
  const { explained } = await imported(context, {
    "Cities 2026-10-01_2026-10-31.csv": CITIES,
    "Countries 2026-10-01_2026-10-31.csv": COUNTRIES,
  });
  assert.deepEqual(figures(await explained("plays by country"), "plays"), [1380, 500]);
  assert.deepEqual(figures(await explained("plays in Japan"), "plays"), [1380]);
  assert.deepEqual(figures(await explained("plays by city"), "plays"), [900, 400, 100]);
  assert.deepEqual(figures(await explained("top cities in Japan by plays"), "plays"), [900, 100]);
});

test("cities alone are not used for their country, and the refusal names the data of the files", async (context) => {
  const { explained } = await imported(context, {
    "Cities 2026-10-01_2026-10-31.csv": CITIES,
    "Table data.csv": "City name,Cities,Views\nTaipei,0x1,50\n",
  });
  for (const question of ["plays in Japan", "plays by country", "views in Japan", "views"]) {
    const { refusals, tables } = await explained(question);
    assert.deepEqual(tables, [], question);
    assert.match(refusals.join(), /The files have “(Plays|Video views)” only by city/, question);
  }
});

test('"since release" uses the table of all time if the days of a song begin later, and its first days use their window', async (context) => {
  const { explained } = await imported(context, {
    "Alpha-timeline.csv": "date,streams\n2026-10-01,7\n2026-10-02,8\n",
    "Beta-timeline.csv": "date,streams\n2026-10-01,5\n2026-10-02,6\n",
    "Me-songs-all.csv":
      "song,listeners,streams,saves,release_date\nAlpha,0,9000,0,2024-03-15\nBeta,0,99,0,2026-10-01\n",
    "Table 2026-10-01_2026-10-07.csv": "song,listeners,streams,saves,release_date\nBeta,3,11,4,2026-10-01\n",
  });
  for (const [question, measure, wanted, understood] of [
    ["plays of Alpha since release", "plays", 9000, /all time/],
    ["《Beta》发行以来的播放量", "plays", 11, /2026-10-01 至 2026-10-02/],
    ["saves of Beta in the first 7 days after release", "saves", 4, /2026-10-01 to 2026-10-07/],
  ] as const) {
    const answer = await explained(question);
    assert.equal(figures(answer, measure)[0], wanted, question);
    assert.match(answer.understood, understood);
  }
  const days = await explained("plays of Alpha since release by day");
  assert.deepEqual(figures(days, "plays"), [7, 8]);
});

test("a month that is named relative to today uses the window of that month only", async (context) => {
  const { explained } = await imported(context, {
    "Geography 2026-10-01_2026-10-31.csv": "Geography,Views\nUS,60\nFR,30\n",
    "Geography 2026-09-01_2026-09-30.csv": "Geography,Views\nUS,50\nJP,20\n",
  });
  const views = await explained("views by country last month");
  assert.deepEqual(figures(views, "views"), [60, 30]);
  for (const question of ["views by country this month", "views by country in August"])
    assert.deepEqual((await explained(question)).tables, [], question);
});

test("tables that do not state their window are not added up, and the others are named", async (context) => {
  const { query, run } = await imported(context, { "september.csv": DAYS_28, "october.csv": YEAR });
  const answer = await query({ measures: ["plays"] });
  assert.deepEqual(figures(answer, "plays"), [4200]);
  assert.match(answer.text, /september\.csv[^]*--window/);
  assert.match(answer.understood, /states no dates/);
  const { text } = await run<FilesOutput>("music-gateway", "files", {});
  assert.match(
    text,
    /october\.csv" \(spotify-songs, 3 rows, window not stated\)|october\.csv \(spotify-songs, 3 rows, window not stated\)/,
  );
});

test("--window states the window of a table, and the list of files names it", async (context) => {
  const { query, take, run } = await imported(context, {});
  await take("september.csv", DAYS_28, { window: "28 days" });
  await take("october.csv", YEAR, { window: "12 months" });
  await take("places.csv", "Country or Region,Plays,Shazams\nJapan,50,1\n", {
    window: "2026-10-01/2026-10-31",
  });
  const again = await take("september.csv", DAYS_28, { window: "12 months" });
  assert.match(
    again.text,
    /^september\.csv: is already there, and --window had no effect; remove the file first\.$/,
  );
  assert.deepEqual(figures(await query({ measures: ["saves"], period: "P12M" }), "saves"), [90]);
  assert.deepEqual(figures(await query({ measures: ["shazams"], period: "2026-10" }), "shazams"), [1]);
  const { files } = await run<FilesOutput>("music-gateway", "files", {});
  assert.deepEqual(
    files.map(({ span }) => span),
    ["P28D", "P12M", "2026-10-01/2026-10-31"],
  );
  await assert.rejects(take("x.csv", YEAR, { window: "a while" }), /window/);
});

test("a library of an earlier version is rebuilt with the windows of its files", async (context) => {
  const { query, host } = await imported(context, TABLES);
  const folder = join(host.environment.stateFolder, "music-gateway");
  for (const name of await readdir(folder))
    if (name.endsWith(".duckdb")) await rm(join(folder, name), { force: true });
  assert.deepEqual(figures(await query({ measures: ["saves"], period: "P12M" }), "saves"), [90]);
});
