/** Each word of a question is used or named as not understood; "last month" is counted from today. */
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { AnswerOutput } from "../contract.ts";
import { own } from "./doors-harness.ts";

const lines = (...rows: readonly string[]): string => `${rows.join("\n")}\n`;
/** All of April and May 2026. */
const DAYS = Array.from({ length: 61 }, (_, place) =>
  new Date(Date.UTC(2026, 3, 1 + place)).toISOString().slice(0, 10),
);
const timeline = (plays: (day: string) => number): string =>
  lines("date,streams", ...DAYS.map((day) => `${day},${plays(day)}`));
const sale = (month: string, title: string, country: string, amount: string, store = "Spotify"): string =>
  ["2026-06-01", month, store, "Me", title, "", 1, "Song", country, amount].join("\t");
const isSunday = (day: string): boolean => new Date(day).getUTCDay() === 0;
const isMay = (day: string): boolean => day > "2026-05";

const FILES = {
  "Me-audience-timeline.csv": lines(
    "date,listeners,monthly listeners,streams,followers",
    ...DAYS.map((day) => `${day},${isSunday(day) ? 70 : 35},500,${isSunday(day) ? 140 : 130},1000`),
  ),
  // Home loses the most plays; Germany has few and loses a larger share of them.
  "Home-timeline.csv": timeline((day) => (isMay(day) ? 90 : 100)),
  "Germany-timeline.csv": timeline((day) => (isMay(day) ? 10 : 14)),
  "Only You-timeline.csv": timeline(() => 20),
  "May-timeline.csv": timeline((day) => (isMay(day) ? 11 : 10)),
  "statement.tsv": lines(
    "Reporting Date\tSale Month\tStore\tArtist\tTitle\tISRC\tQuantity\tSong/Album\tCountry of Sale\tEarnings (USD)",
    sale("2026-01", "Home", "JP", "10.00"),
    sale("2026-02", "Home", "JP", "20.00"),
    sale("2026-04", "Germany", "DE", "30.00"),
    sale("2026-04", "Home", "DE", "40.00"),
    sale("2026-04", "Home", "FR", "20.00", "Deezer"),
  ),
};

describe("a question", async () => {
  const { run, ask } = await own({ after }, FILES, "2026-05-31T09:00:00Z");
  const explain = (question: string, song?: number): Promise<AnswerOutput> =>
    run("music-gateway", "explain", { question, ...(song !== undefined && { song }) });
  const named = await ask("all my songs by plays");
  const idOf = (title: string): number =>
    Number(new RegExp(`《${title}》 \\| (\\d+)`).exec(named)?.[1] ?? assert.fail(named));

  const read: readonly (readonly [question: string, understood: RegExp, song?: string])[] = [
    ["plays in May 2026", /^Understood as: plays; 2026-05-01 to 2026-05-31/],
    ['plays of "May" in May 2026', /plays; song "May"; 2026-05-01 to 2026-05-31/],
    ["Plays of Only You in May 2026", /plays; song "Only You"; 2026-05-01/],
    ["plays of the song Germany", /plays; song "Germany"; 2026/, "Germany"],
    ["its income in Germany", /income; song "Germany"; country Germany \(DE\)/, "Germany"],
    ["plays up to 5 May 2026", /plays; 2026-04-01 to 2026-05-05/],
    ["plays by 5 May 2026", /plays; 2026-04-01 to 2026-05-05/],
    ["plays on or before 5 May 2026", /plays; 2026-04-01 to 2026-05-05/],
    ["plays from 5 May 2026", /plays; 2026-05-05 to 2026-05-31/],
    ["plays on the day before 5 May 2026", /plays; 2026-05-04 \(1 day\)/],
    ["plays in the week after 5 May 2026", /plays; 2026-05-06 to 2026-05-12/],
    ["plays in the week starting 4 May 2026", /plays; 2026-05-04 to 2026-05-10/],
    ["plays week over week", /plays; by week; period-over-period change; 2026-05-02/],
    ["plays from Tuesday to Thursday in May 2026", /only Tuesday, Wednesday, Thursday; /],
    ["Which song was played most in total?", /highest first; 2026-04-01 to 2026-05-31/],
    ["一共播放了多少", /播放量；2026-04-01 至 2026-05-31/],
    ["Home's share of plays in May 2026", /song "Home"; by song; 2026-05-01/, "Home"],
    ["plays of my videos", /^Understood as: video views/],
    ["whats the most played song in May 2026", /^Understood as: plays; by song; highest first; /],
    [
      "which store gives me the most income in April 2026",
      /^Understood as: income; by store; highest first; /,
    ],
    ["followers rn", /^Understood as: followers; /],
    ["how many plays tho, in May 2026 pls", /^Understood as: plays; 2026-05-01/],
    [
      "compare April n May plays",
      /^Understood as: plays; 2026-05-01 to 2026-05-31 .*; compared with 2026-04-01/,
    ],
    ["plays of Home n Only You in May 2026", /plays; songs "Home", "Only You"; by song/],
    ["plays of my vids", /^Understood as: video views/],
    ["which song made the most $ in April 2026", /^Understood as: income; by song; highest first; /],
    ["4月日本跟德国哪边收入高", /收入；国家或地区 .*；按国家或地区；从高到低/],
    ["Home和Only You加起来5月播放了多少", /播放量；歌曲 《Home》、《Only You》；2026-05-01/],
    ["2026年5月Home、May合计播放", /播放量；歌曲 .*；2026-05-01/],
    ["4月德国和法国一共赚了多少", /收入；国家或地区 .*；2026-04-01/],
    ["plays of Home and Only You combined in May 2026", /plays; songs "Home", "Only You"; 2026-05-01/],
    ["Spotify and Deezer together, income in April 2026", /income; stores .*; 2026-04-01/],
    ["most plays in a single day", /plays; by date; highest first/],
    [
      "plays and income of Home last month",
      /plays, income; song "Home"; 2026-04-01 to 2026-04-30 \(30 days\)$/,
    ],
  ];
  for (const [question, understood, song] of read)
    test(`"${question}" is understood completely`, async () => {
      const found = await explain(question, song === undefined ? undefined : idOf(song));
      assert.match(found.understood, understood);
    });

  const misspelt: readonly (readonly [question: string, understood: RegExp])[] = [
    ["income by contry in April 2026", /by country or region; 2026-04-01 .*; "contry" read as "country"$/],
    ["strems of Home in May 2026", /^Understood as: plays; song "Home"; .*"strems" read as "streams"/],
    ["lisetners in May 2026", /^Understood as: listeners; .*"lisetners" read as "listeners"/],
    ["plays in Apirl 2026", /plays; 2026-04-01 to 2026-04-30 .*"apirl" read as "april"/],
    ["whihc song has the most plays in May 2026", /plays; by song; highest first; .*"whihc" read as "which"/],
    ["montly listners in May 2026", /^Understood as: monthly listeners; /],
    ["plays of Home since relase", /plays; song "Home"; .*"relase" read as "release"/],
    ["income in Frnace in April 2026", /country France \(FR\); .*"frnace" read as "france"/],
    ["5月的strems", /^理解为：播放量；.*；“strems”视为“streams”$/],
    ["4月的incom", /^理解为：收入；.*；“incom”视为“income”$/],
  ];
  for (const [question, understood] of misspelt)
    test(`"${question}" is read with the misspelt word corrected`, async () => {
      const found = await explain(question);
      assert.deepEqual(found.refusals, []);
      assert.match(found.understood, understood);
    });

  for (const question of [
    "plays of Homme in May 2026",
    "income in Germny in April 2026",
    "plays by tempo in May 2026",
    "monthy listeners in May 2026",
    "plyas by mooood in May 2026",
    "plays in 20266",
  ])
    test(`"${question}" is not guessed at`, async () => {
      const found = await explain(question);
      assert.notDeepEqual(found.refusals, []);
      assert.doesNotMatch(found.understood, /read as/);
    });

  const refused: readonly (readonly [question: string, refusal: RegExp])[] = [
    ["plays this week compared to the same week last year", /2025-05-25 to 2025-05-31/],
    ["plays of the artist Home in May 2026", /Not understood: "artist"/],
    ["income by artist", /Not understood: "by", "artist"/],
    ["plays yesterday vs the same day last week", /Not understood: "the same day"/],
    ["plays on this day last year", /Not understood: "this day"/],
    ["what rank is Home in plays", /Not understood: "rank"/],
    ["how many days had plays in May 2026", /Not understood: "how many"/],
    ["songs with more plays than Home in May 2026", /Not understood: "more"/],
    ["哪首歌比《Home》播放多", /没有理解：“多”/],
    ["比《Home》播放多的歌", /没有理解：“多”/],
    ["why did plays drop by month in May 2026", /Not understood: "by month"/],
    ["cumulative plays by song in May 2026", /Not understood: "cumulative"/],
    ["cumulative listeners by day in May 2026", /do not have “Listeners” as a running total/],
    ["n plays in May 2026", /Not understood: "n"/],
    ["how many plays am I gonna get", /there are no predictions \("gonna"\)/],
    ["when did income drop in 2026", /do not have “Income” by date/],
    ["average growth of plays per month in 2026", /Not understood: "average"/],
    ["plays in May 2026 compared to the average", /Not understood: "average"/],
    ["trend of plays by song in May 2026", /Not understood: "trend"/],
    ["上周二到周四的播放", /没有理解：“周四”/],
  ];
  for (const [question, refusal] of refused)
    test(`"${question}" is refused with the word that is not understood`, async () => {
      assert.match((await explain(question)).refusals.join("\n"), refusal);
    });

  test("with words that are not understood offers the question that can be answered", async () => {
    const median = await explain("median daily plays in May 2026");
    assert.deepEqual(median.notUnderstood, ["median"]);
    assert.equal(median.nearest, "daily plays in May 2026");
    assert.equal((await explain("2026年5月播放量的中位数")).nearest, "2026年5月播放量");
    assert.equal((await explain("weather in May 2026")).nearest, undefined);
    assert.equal((await explain("plays in May 2026 compared to blorbs")).nearest, "plays in May 2026");
    // Without a word that another one needs, the rest is not a question.
    for (const question of [
      "how many plays did Blorb Night get in May 2026",
      "plays of my most blorbish country in May 2026",
      "plays in May 2026 versus blorbs by week",
      "2026年5月播放量和天气",
      "2026年5月最咸的国家的播放量",
    ])
      assert.equal((await explain(question)).nearest, undefined, question);
    assert.match(await ask("acoustic plays in May 2026"), /can be answered: "plays in May 2026"/);
  });

  test("with a misspelt title offers the title, and one with a bare number finds the song of that name", async (t) => {
    assert.match(await ask("plays of onli you in May 2026"), /Did you mean 《Only You》\?/);
    const own404 = await own(t, {
      "404-timeline.csv": timeline(() => 4),
      "Home-timeline.csv": timeline(() => 1),
    });
    assert.match(await own404.ask("plays of 404 in May 2026"), /plays; song "404"; .*[^]*\| Plays \| 124 \|/);
    assert.match(await own404.ask("2026年5月404的播放量"), /歌曲 《404》/);
    // A number that another recogniser claims does not count.
    assert.match(await own404.ask("top 404 songs in May 2026"), /by song; highest first; 404 rows/);
  });

  test("finds a title that is a year, a title without its punctuation, and one by the text of its brackets", async (t) => {
    const day = (count: number): string => timeline(() => count);
    const named = await own(
      t,
      {
        "1999-timeline.csv": day(3),
        "2026-timeline.csv": day(2),
        "Neon River-timeline.csv": day(5),
        "Neon River (KITO Remix)-timeline.csv": day(7),
        "Salt & Honey-timeline.csv": day(11),
        "Rock and Roll-timeline.csv": day(13),
        "Wait, What!-timeline.csv": day(17),
        "Harbour (Live at Dawn)-timeline.csv": day(19),
        "Meadow (Demo)-timeline.csv": day(23),
      },
      "2026-05-31T09:00:00Z",
    );
    const read: readonly (readonly [question: string, understood: RegExp])[] = [
      ["biggest single day for 1999", /plays; song "1999"; by date; highest first/],
      ["1999 plays in May 2026", /plays; song "1999"; 2026-05-01/],
      ["1999这首歌5月播放多少", /播放量；歌曲 《1999》；2026-05-01/],
      ["5月1999的播放量", /播放量；歌曲 《1999》；2026-05-01/],
      ["plays in 1999", /^(?!.*song)/],
      ["1999年的播放量", /^(?!.*歌曲)/],
      ["plays in May 1999", /^(?!.*song)/],
      ["plays 2026", /^(?!.*song).*2026-04-01/],
      ["kito remix plays in May 2026", /song "Neon River \(KITO Remix\)"; 2026-05-01/],
      ["neon river kito remix plays in May 2026", /song "Neon River \(KITO Remix\)"; 2026-05-01/],
      ["neon river vs kito remix in May 2026", /songs "Neon River", "Neon River \(KITO Remix\)"; by song/],
      ["5月kito remix的播放量", /歌曲 《Neon River \(KITO Remix\)》/],
      ["plays of live at dawn in May 2026", /song "Harbour \(Live at Dawn\)"/],
      ["salt honey plays in May 2026", /song "Salt & Honey"/],
      ["5月salt and honey的播放", /歌曲 《Salt & Honey》/],
      ["plays of rock & roll in May 2026", /song "Rock and Roll"/],
      ["wait what plays in May 2026", /song "Wait, What!"/],
    ];
    for (const [question, understood] of read) {
      const found = await named.run<AnswerOutput>("music-gateway", "explain", { question });
      assert.match(found.understood, understood, question);
      if (/song|歌曲/.test(found.understood)) assert.deepEqual(found.refusals, [], question);
    }
    assert.match(await named.ask("kito remix plays in May 2026"), /\| Plays \| 217 \|/);
    assert.match(await named.ask("demo plays in May 2026"), /Not understood: "demo"/);
  });

  test("distinguishes two songs with the same name by release day or ISRC", async (t) => {
    const { ask: askTwins } = await own(t, {
      "statement.tsv": lines(
        "Reporting Date\tSale Month\tStore\tArtist\tTitle\tISRC\tQuantity\tSong/Album\tCountry of Sale\tEarnings (USD)",
        "2026-06-01\t2026-05\tSpotify\tMe\tTwin\tQZNF02600001\t1\tSong\tJP\t1.00",
        "2026-06-01\t2026-05\tSpotify\tMe\tTwin\tQZNF02600002\t1\tSong\tJP\t0.004",
      ),
    });
    const answer = await askTwins("income by song in May 2026");
    assert.match(answer, /《Twin》 songId \d+, QZNF02600001, 《Twin》 songId \d+, QZNF02600002/);
    // An amount below a cent keeps the digits that it has.
    assert.match(answer, /\| USD \| 0\.004 \|/);
  });

  test("compares songs by their release days, and names those without one", async (t) => {
    const { ask: askAged } = await own(t, {
      "Me-songs-28day.csv": lines(
        "song,listeners,streams,saves,release_date",
        "Young,9,50,7,2026-05-03",
        "Old,9,60,5,2024-06-01",
      ),
      "Young-timeline.csv": timeline(() => 3),
      "Old-timeline.csv": timeline(() => 2),
      "Undated-timeline.csv": timeline(() => 1),
    });
    const young = await askAged("plays of my newest song in May 2026");
    assert.match(young, /plays; song "Young"; [^]*were not compared: "?《?Undated/);
    assert.match(await askAged("2026年5月最早的歌播放量"), /歌曲 《Old》/);
    // A part of a month is not the month, and several months are not the one before.
    for (const question of [
      "plays in the first week of this month compared to last",
      "plays in May 2026 compared to previous months",
    ])
      assert.doesNotMatch(await askAged(question), /compared with 2026-04-01/, question);
  });

  const TWINS = lines(
    "song,listeners,streams,saves,release_date",
    "Twin,9,50,7,2026-05-03",
    "Twin,9,60,5,2024-06-01",
  );
  const ofTwin = (isrc: string, from: string): Readonly<Record<string, string>> => ({
    [`Twin [${isrc}]-timeline.csv`]: lines(
      "date,streams",
      ...DAYS.filter((day) => day >= from).map((day) => `${day},1`),
    ),
  });
  const statementOf = (isrc: string): string =>
    lines(
      "Reporting Date\tSale Month\tStore\tArtist\tTitle\tISRC\tQuantity\tSong/Album\tCountry of Sale\tEarnings (USD)",
      `2026-06-01\t2026-05\tSpotify\tMe\tTwin\t${isrc}\t1\tSong\tJP\t1.00`,
    );
  const paired: readonly (readonly [string, Readonly<Record<string, string>>, readonly RegExp[]])[] = [
    [
      "gives a song of a shared title the release day that its first day with plays allows",
      {
        "statement.tsv": statementOf("QZNF02400002"),
        ...ofTwin("QZNF02400001", "2026-04-01"),
        ...ofTwin("QZNF02400002", "2026-05-03"),
      },
      [/2026-05-03 \| 2026-05-03/, /2024-06-01 \| 2026-04-01/],
    ],
    [
      "gives a song of a shared title the release day that the year of its ISRC allows",
      { "statement.tsv": statementOf("QZNF02600002") },
      [/2026-05-03 \| —/],
    ],
    [
      "keeps a release day that several songs of a title may have as a song of its own",
      { ...ofTwin("QZNF02300001", "2026-04-04"), ...ofTwin("QZNF02300002", "2026-04-05") },
      [/2026-05-03 \| —/, /2024-06-01 \| —/, /— \| 2026-04-04/, /— \| 2026-04-05/],
    ],
  ];
  for (const [title, files, rows] of paired)
    test(title, async (t) => {
      const { ask: askTwins } = await own(t, { ...files, "Me-songs-28day.csv": TWINS });
      const days = await askTwins("release dates of my songs");
      for (const row of rows) assert.match(days, row);
      const id = / (\d+) \| 2026-05-03/.exec(days)?.[1] ?? "";
      assert.match(await askTwins("saves by song"), new RegExp(`《Twin》 \\| ${id} \\| 7 \\|`));
    });

  test("compares a month with that of the year before, or with the same days of a named year", async (t) => {
    const years = ["2025", "2026"].flatMap((year) =>
      DAYS.map((day) => `${day.replace("2026", year)},${year === "2025" ? 10 : 15}`),
    );
    const { ask: askYears } = await own(
      t,
      { "Me-audience-timeline.csv": lines("date,streams", ...years) },
      "2026-05-31T09:00:00Z",
    );
    for (const asked of [
      "5月播放同比去年",
      "5月播放量和2025年同期比",
      "5月播放比去年",
      "2026年5月播放与去年同期相比",
    ])
      assert.match(await askYears(asked), /\| 播放量 \| 465 \| 310 \| \+155 \| \+50\.0% \|/, asked);
    for (const asked of [
      "plays in May vs last year",
      "May 2026 plays yoy",
      "plays in May against the same month in 2025",
    ])
      assert.match(await askYears(asked), /\| Plays \| 465 \| 310 \| \+155 \| \+50\.0% \|/, asked);
    // "More than last month" is of this month.
    assert.match(
      await askYears("more plays than last month?"),
      /2026-05-01 to 2026-05-31 .*compared with 2026-04-01/,
    );
  });

  test("counts months from today, and offers the last complete one where the files end earlier", async (t) => {
    const { ask: askLater } = await own(t, FILES, "2026-07-10T09:00:00Z");
    assert.match(
      await askLater("plays last month"),
      /no figures for 2026-06-01 to 2026-06-30; .* The last complete period of that kind is May 2026/,
    );
    assert.match(await askLater("上个月的收入"), /最近一段数据完整的同类时间是 2026年4月/);
    // The month on offer has figures of Japan, whose statements end earlier than the others.
    const offered =
      /complete period of that kind is ([^;]+);/.exec(
        await askLater("Spotify income in Japan last month"),
      )?.[1] ?? "";
    assert.equal(offered, "February 2026");
    assert.match(await askLater(`Spotify income in Japan in ${offered}`), /\| Income \(USD\) \| 20\.00 \|/);
    assert.match(await askLater("plays yesterday"), /no figures for 2026-07-09; .* is 2026-05-31/);
    assert.match(await askLater("plays this week"), /is 2026-05-25 to 2026-05-31/);
    assert.match(await askLater("plays this quarter"), /2026-07-01 to 2026-07-10/);
    // On its first day, a month, quarter, year or week is as long as any day.
    const { ask: askFirst } = await own(t, FILES, "2026-07-01T09:00:00Z");
    assert.match(await askFirst("plays this month"), /no figures for 2026-07-01; .* kind is May 2026/);
    // The data do not cover a whole quarter.
    assert.doesNotMatch(await askFirst("plays this quarter"), /of that kind/);
    assert.match(await askFirst("plays today"), /kind is 2026-05-31/);
    // Statements have months only.
    for (const asked of ["income today", "income yesterday", "income this week", "今天的收入"])
      assert.doesNotMatch(await askFirst(asked), /of that kind|同类时间/, asked);
    const { ask: askMonday } = await own(t, FILES, "2026-06-15T09:00:00Z");
    assert.match(await askMonday("plays this week"), /kind is 2026-05-25 to 2026-05-31/);
    // The second period would be missing too.
    assert.doesNotMatch(await askFirst("Compare plays this month with plays last month"), /of that kind/);
    // June has begun, so it is this year's, though the files end before it.
    assert.match(await askLater("plays in June"), /no figures for 2026-06-01 to 2026-06-30/);
    // "Last 7 days" are the last ones that the files have, and the answer names them.
    assert.match(await askLater("plays in the last 7 days"), /2026-05-25 to 2026-05-31 \(7 days\)/);
  });

  test("about several songs, countries or stores together is answered with their sum", async () => {
    assert.match(await ask("Home和Only You加起来5月播放了多少"), /\| 播放量 \| 3,410 \|/);
    assert.match(await ask("plays of Home and Only You together in May 2026"), /\| Plays \| 3,410 \|/);
    assert.match(await ask("4月德国和法国一共赚了多少"), /\| 90(?:\.00)? \|/);
  });

  const differences: readonly (readonly [question: string, shown: readonly RegExp[]])[] = [
    [
      "how many more plays in April than in May of the song Home",
      [/\| Plays \| 2,790 \| 3,000 \| -210 \| -7\.0% \|/],
    ],
    ["《Home》4月和5月播放差多少", [/\| 播放量 \| 2,790 \| 3,000 \| -210 \| -7\.0% \|/]],
    ["2月收入比1月多多少", [/\| 收入 \(USD\) \| 20\.00 \| 10\.00 \| \+10\.00 \| \+100\.0% \|/]],
    [
      "income difference between Japan and France in 2026",
      [/Japan \(JP\) is ahead of France \(FR\) by 10\.00 USD\./],
    ],
    ["spotify和deezer 2026年收入差多少", [/Spotify比Deezer多 80\.00 USD。/]],
    [
      "difference in plays between Home and Only You in May 2026",
      [/\| Plays \| 2,790 \|/, /\| Plays \| 620 \|/, /《Home》 is ahead of 《Only You》 by 2,170\./],
    ],
    ["《Home》和《Only You》5月播放差多少", [/《Home》比《Only You》多 2,170。/]],
  ];
  test("shows a difference and both of its figures", async () => {
    for (const [question, shown] of differences) {
      const answer = await ask(question);
      for (const row of shown) assert.match(answer, row, question);
    }
  });

  test("about all income without a period uses the last month that nearly all stores have, and names the missing ones", async (t) => {
    const sales = ["2026-02", "2026-03", "2026-04"].flatMap((month) =>
      ["Spotify", "Apple Music"].flatMap((store) => [
        sale(month, "Home", "JP", "10.00", store),
        sale(month, "Home", "DE", "20.00", store),
      ]),
    );
    const columns = FILES["statement.tsv"].split("\n")[0] ?? "";
    const late = [
      sale("2026-04", "Home", "JP", "5.00", "Bandcamp"),
      sale("2026-05", "Home", "JP", "1.00", "Bandcamp"),
    ];
    const { ask: askLate } = await own(
      t,
      { "statement.tsv": lines(columns, ...sales, ...late) },
      "2026-05-31T09:00:00Z",
    );
    const answer = await askLate("my income");
    assert.match(
      answer,
      /2026-04-01 to 2026-04-30 \(30 days; no period was named: the last month that nearly all stores have/,
    );
    assert.match(
      answer,
      /Left out: 2026-05-01 to 2026-05-31, which not all stores have reported yet \(only Bandcamp\)/,
    );
    assert.match(answer, /\| Income \(USD\) \| 65\.00 \| 60\.00 \|/);
    assert.match(answer, /all statements \(2026-02-01 to 2026-05-31\) \| 186\.00 \|/);
    assert.match(await askLate("bandcamp income"), /\| Income \(USD\) \| 1\.00 \| 5\.00 \|/);
    assert.match(await askLate("income in May 2026"), /\| Income \(USD\) \| 1\.00 \|/);
  });

  test("about a movable holiday uses the day of its own calendar", async () => {
    for (const [holiday, day] of [
      ["Easter 2026", "2026-04-05"],
      ["Easter 2024", "2024-03-31"],
      ["2025年中秋节", "2025-10-06"],
      ["春节当天 2025", "2025-01-29"],
      ["除夕", "2026-02-16"],
      ["端午节", "2025-05-31"],
      ["Thanksgiving 2024", "2024-11-28"],
      ["Black Friday last year", "2025-11-28"],
      ["Mother's Day", "2026-05-10"],
    ] as const) {
      const { understood, refusals } = await explain(`${holiday}播放量`);
      assert.ok(
        understood.includes(day) || refusals.join("").includes(day),
        `${holiday}: ${understood} ${refusals.join(" ")}`,
      );
    }
  });

  test("about two rankings at once is refused, and none of them is dropped", async () => {
    const { refusals } = await explain("the top song and the top country in 2026");
    assert.match(refusals.join("\n"), /split one way at a time/);
  });

  test("is answered by the difference for the greatest loss, and by per cent for the fastest fall", async () => {
    const first = (answer: string): string | undefined => /\| 1 \| 《([^》]+)》/.exec(answer)?.[1];
    assert.equal(first(await ask("Which song lost the most plays in May 2026?")), "Home");
    const fastest = await ask("which song is falling fastest in May 2026");
    assert.equal(first(fastest), "Germany");
    // A song that rose is not among those that fell.
    assert.doesNotMatch(fastest, /《May》 \|/);
  });

  test("about weekdays is answered by the day, and an average is not divided again", async () => {
    const answer = await ask("which weekday has the most plays from 1 April 2026 to 31 May 2026");
    assert.match(answer, /--- \|\n\| Sunday \| 1,260 \| 140 \|/);
    assert.match(await ask("listeners by weekday in May 2026"), /\| Weekday \| Listeners \|\n/);
  });

  test("about statements names the months without a statement, and the places without data", async () => {
    assert.match(
      await ask("How much did I earn in the first quarter of 2026?"),
      /No statement of 2026-03 \(1 month\)/,
    );
    const places = await ask("income in Germany and Norway in April 2026");
    assert.match(places, /Germany \(DE\) \| USD \| 70\.00/);
    assert.match(places, /Norway \(NO\) \| — \| — \|/);
    const stores = await ask("Spotify and Deezer income in Japan in 2026");
    assert.match(stores, /Spotify \| USD \| 30\.00 .*\n\| 2 \| Deezer \| — \| — \|/);
    assert.match(
      await ask("average monthly income in 2026"),
      /Average by month: 40\.00 USD \(of 3 with figures\)/,
    );
  });
});
