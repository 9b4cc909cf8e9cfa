import assert from "node:assert/strict";
import { before, after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { gatewayIn } from "./tests/gateway-harness.ts";

/**
 * The figures of the answers against a DuckDB session of the test's own, which reads the sample's files with
 * read_csv and other SQL, and none of the plugin's readers or tables.
 */
const FOLDER = fileURLToPath(new URL("../../skills/music-gateway/sample/", import.meta.url));
/** The ids are fixed: the order of the statement, then of the songs table. */
const SONG_IDS: Readonly<Record<string, number>> = {
  晚安: 1,
  海盐: 2,
  风筝: 3,
  "Blue River": 4,
  夜に咲く: 5,
  文艺复兴: 6,
  "Golden Hour": 7,
  "Paper _ Planes": 8,
  "Where Are You_": 9,
  "晚安 [TWA452600010]": 10,
  "Blue River (Live)": 11,
  "文艺复兴 (Remix)": 12,
  星の手紙: 13,
  后来的海: 14,
};

let instance: DuckDBInstance;
let session: DuckDBConnection;
let gateway: Awaited<ReturnType<typeof gatewayIn>>;
let closeGateway: () => Promise<void>;

before(async () => {
  gateway = await gatewayIn({ after: (action) => (closeGateway = action) });
  instance = await DuckDBInstance.create(":memory:");
  session = await instance.connect();
  const quotedFolder = FOLDER.replaceAll("'", "''");
  await session.run(`
    CREATE VIEW timelines AS SELECT regexp_extract(filename, '([^/\\\\]+)-timeline\\.csv$', 1) AS song, "date" AS d, streams AS n
      FROM read_csv('${quotedFolder}*-timeline.csv', filename = true, union_by_name = true) WHERE listeners IS NULL;
    CREATE VIEW audience AS SELECT * FROM read_csv('${quotedFolder}Mira Lin-audience-timeline.csv');
    CREATE VIEW statement AS SELECT * FROM read_csv('${quotedFolder}DistroKid_statement.tsv', delim = '\t', all_varchar = true)
      WHERE "Song/Album" = 'Song';
  `);
});

after(async () => {
  await closeGateway();
  session.closeSync();
  instance.closeSync();
});

async function rows(sql: string): Promise<readonly (readonly (string | number | null)[])[]> {
  const reader = await session.runAndReadAll(sql);
  return reader.getRowsJS().map((row) => row.map(cellOf));
}

function cellOf(value: unknown): string | number | null {
  if (typeof value === "bigint") return Number(value);
  assert.ok(typeof value === "number" || typeof value === "string" || value === null);
  return value;
}

const thousands = (value: unknown): string => (value === null ? "—" : Number(value).toLocaleString("en-US"));
const percent = (now: unknown, was: unknown): string => {
  if (was === null || now === null || Number(was) === 0) return "—";
  const value = (Number(now) / Number(was) - 1) * 100;
  return `${value > 0.05 ? "+" : ""}${value.toFixed(1)}%`;
};

/** The cells of the tables of an answer, without header and rule. */
function tables(markdown: string): readonly (readonly (readonly string[])[])[] {
  return markdown
    .split(/\n\n+/)
    .filter((block) => block.startsWith("|"))
    .map((block) =>
      block
        .split("\n")
        .slice(2)
        .map((line) =>
          line
            .slice(2, -2)
            .split(/(?<!\\)\s\|\s/)
            .map((cell) => cell.replaceAll("\\|", "|")),
        ),
    );
}

async function answered(question: string, songId?: number): Promise<string> {
  const content = await gateway.engine.answer(question, songId);
  assert.ok(content !== undefined);
  return content;
}

const DAYS = (from: string, to: string): string => `BETWEEN DATE '${from}' AND DATE '${to}'`;

test("plays equal an independent query", async () => {
  for (const [question, title] of [
    ["最近30天播放量怎么样", "整体播放表现"],
    ["How many plays in the last 30 days?", "Plays"],
  ] as const) {
    const content = await answered(question);
    const [[now, was, best, bestDay, average, averageBefore] = []] = await rows(`
      SELECT (SELECT sum(streams) FROM audience WHERE date ${DAYS("2026-10-02", "2026-10-31")}), (SELECT sum(n) FROM timelines WHERE d ${DAYS("2026-09-02", "2026-10-01")}),
        (SELECT max(streams) FROM audience WHERE date >= DATE '2026-10-02'),
        (SELECT min(date) FROM audience WHERE streams = (SELECT max(streams) FROM audience WHERE date >= DATE '2026-10-02') AND date >= DATE '2026-10-02')::VARCHAR,
        (SELECT round(avg(streams)) FROM audience WHERE date >= DATE '2026-10-02'),
        (SELECT round(avg(streams)) FROM audience WHERE date ${DAYS("2026-09-02", "2026-10-01")})`);
    const [figures] = tables(content);
    assert.deepEqual(
      figures?.map((row) => row.slice(1)),
      [
        [thousands(now), thousands(was), percent(now, was)],
        [thousands(average), thousands(averageBefore), "—"],
        [`${thousands(best)} (${String(bestDay)})`, "—", "—"],
      ],
      question,
    );
    assert.match(content, new RegExp(`^## (?:一、|1\\. )${title}\n`), question);
    assert.match(content, /2026-10-12/, `${question}: the missing day is named`);
  }
});

test("the song ranking equals an independent query", async () => {
  for (const question of ["2026年7月歌曲排行", "Top songs in July 2026"]) {
    const [ranking] = tables(await answered(question));
    const sums = await rows(`
      SELECT song, sum(CASE WHEN month(d) = 7 THEN n END) AS now, sum(CASE WHEN d ${DAYS("2026-05-31", "2026-06-30")} THEN n END)
      FROM timelines GROUP BY song`);
    const total = sums.reduce((sum, [, now]) => sum + Number(now), 0);
    const expected = sums
      .map(([song, now, was]) => ({ id: SONG_IDS[String(song)] ?? 0, song: String(song), now, was }))
      .sort((left, right) => Number(right.now ?? -1) - Number(left.now ?? -1) || left.id - right.id)
      .map(({ id, song, now, was }, index) => {
        const name = song
          .replace(" [TWA452600010]", "")
          .replace("Paper _", "Paper |")
          .replace("You_", "You?");
        const part = now === null ? "—" : `${((Number(now) / total) * 100).toFixed(1)}%`;
        return [String(index + 1), `《${name}》`, String(id), thousands(now), part, percent(now, was)];
      });
    assert.equal(expected.length, 14, question);
    assert.deepEqual(ranking, expected, question);
  }
});

test("a daily trend equals an independent query", async () => {
  for (const question of [
    "2026-09-01至2026-09-14每天播放趋势",
    "Daily trend from 2026-09-01 to 2026-09-14",
  ]) {
    const [sum, days] = tables(await answered(question));
    const expected = await rows(`
      SELECT now.date::VARCHAR, now.streams, was.streams FROM audience now LEFT JOIN audience was ON was.date = now.date - 14
      WHERE now.date ${DAYS("2026-09-01", "2026-09-14")} ORDER BY now.date`);
    assert.equal(expected.length, 14, question);
    assert.deepEqual(
      days,
      expected.map(([day, now, was]) => [day, thousands(now), thousands(was), percent(now, was)]),
      question,
    );
    const [[now, was] = []] =
      await rows(`SELECT sum(streams) FILTER (date >= DATE '2026-09-01'), sum(streams) FILTER (date < DATE '2026-09-01')
      FROM audience WHERE date ${DAYS("2026-08-18", "2026-09-14")}`);
    assert.deepEqual(sum?.[0]?.slice(1), [thousands(now), thousands(was), percent(now, was)], question);
  }
});

test("a weekly trend of one song equals an independent query", async () => {
  for (const question of ["最近21天每周趋势", "Weekly trend of the last 21 days"]) {
    const [, weeks] = tables(await answered(question, 2));
    const expected = await rows(`
      SELECT w::INTEGER, (SELECT sum(n) FROM timelines WHERE song = '海盐' AND d BETWEEN DATE '2026-10-11' + w::INTEGER * 7 AND DATE '2026-10-17' + w::INTEGER * 7),
        (SELECT sum(n) FROM timelines WHERE song = '海盐' AND d BETWEEN DATE '2026-09-20' + w::INTEGER * 7 AND DATE '2026-09-26' + w::INTEGER * 7)
      FROM range(3) r(w) ORDER BY w`);
    assert.deepEqual(
      weeks?.map((row) => row.slice(1)),
      expected.map(([, now, was]) => [thousands(now), thousands(was), percent(now, was)]),
      question,
    );
    assert.match(weeks?.[0]?.[0] ?? "", /^2026-10-11 (?:至|to) 2026-10-17$/, question);
  }
});

test("regions equal an independent query", async () => {
  for (const question of ["2026年7月到8月播放量的地区分布", "Plays by country from July to August 2026"]) {
    const [regions] = tables(await answered(question));
    const sums = await rows(`
      SELECT "Country of Sale", sum(CASE WHEN "Sale Month" IN ('2026-07', '2026-08') THEN Quantity::INT END) AS now,
        sum(CASE WHEN "Sale Month" IN ('2026-05', '2026-06') THEN Quantity::INT END), sum(now) OVER ()
      FROM statement GROUP BY 1 ORDER BY now DESC`);
    const expected = sums.map(([code, now, was, all], index) => [
      String(index + 1),
      String(code),
      thousands(now),
      `${((Number(now) / Number(all)) * 100).toFixed(1)}%`,
      percent(now, was),
    ]);
    assert.equal(expected.length, 7, question);
    assert.deepEqual(
      regions?.map(([rank, place, ...rest]) => [rank, /\((..)\)$/.exec(place ?? "")?.[1], ...rest]),
      expected,
      question,
    );
  }
});

test("income by month and song equals an independent query, to the cent", async () => {
  const [months, songs] = tables(await answered("2026年7月到8月的收入"));
  const expected = await rows(`
    SELECT "Sale Month", 'USD', sum(Quantity::INT), printf('%.2f', sum("Earnings (USD)"::DECIMAL(20, 8))) FROM statement
    WHERE "Sale Month" >= '2026-07' GROUP BY 1 ORDER BY 1`);
  assert.deepEqual(
    months,
    expected.map(([month, currency, quantity, amount]) => [
      month,
      currency,
      thousands(quantity),
      String(amount).replace(/\B(?=(?:\d{3})+\.)/g, ","),
    ]),
  );
  const [best] =
    await rows(`SELECT Title, printf('%.2f', sum("Earnings (USD)"::DECIMAL(20, 8))) FROM statement
    WHERE "Sale Month" >= '2026-07' GROUP BY ISRC, Title ORDER BY sum("Earnings (USD)"::DECIMAL(20, 8)) DESC LIMIT 1`);
  assert.deepEqual([songs?.[0]?.[1], songs?.[0]?.[4]], [`《${String(best?.[0])}》`, best?.[1]]);
});

test("fans and listeners equal an independent query, and listeners are not added up", async () => {
  const [figures] = tables(await answered("最近7天粉丝怎么样"));
  const [[followers, gained, monthly, average, best] = []] = await rows(`
    SELECT last(followers ORDER BY date), last(followers ORDER BY date) - first(followers ORDER BY date),
      last("monthly listeners" ORDER BY date), round(avg(listeners)), max(listeners)
    FROM audience WHERE date >= DATE '2026-10-25'`);
  assert.deepEqual(
    figures?.map(([, now]) => now?.split(" ")[0]),
    [followers, gained, monthly, average, best].map(thousands),
  );
});

test("days that nobody has are named for the period and for the one it is compared with", async () => {
  assert.match(await answered("上周播放量"), /缺失日期（含对比区间）：2026-10-12（共 1 天）/);
  assert.match(await answered("plays in October"), /Missing days \(both periods\): 2026-10-12 \(1 in all\)/);
  assert.match(await answered("plays on 2026-10-20"), /Missing days \(both periods\): none/);
});

test("a song's answer speaks of that song only", async () => {
  const content = await answered("看看这首歌的整体表现", 11);
  assert.deepEqual([...new Set(content.match(/《[^》]+》/gu))], ["《Blue River (Live)》"]);
  assert.match(await answered("粉丝情况", 11), /不分歌曲/);
  const unsold = await answered("Income of this song", 14);
  assert.match(unsold, /nothing for this song/);
});

test("the overview names every song with its id, and says what can be asked", async () => {
  const content = await answered("看看我的整体歌曲表现");
  for (const id of Object.values(SONG_IDS))
    assert.match(content, new RegExp(`^\\| \\d+ \\| 《.+》 \\| ${id} \\| `, "m"));
  assert.match(content, /Paper \\\| Planes/);
  assert.match(content, /可以问：/);
  assert.doesNotMatch(content, /没有完全理解/);
  assert.match(await answered("What is the meaning of life?"), /not fully understood[^]*You can ask about/);
});

test("a period without data, and one that cannot be, are answered with a plain sentence", async () => {
  assert.match(await answered("2026-02-30的播放量"), /您说的日期不存在/);
  assert.match(await answered("plays from July 15 to July 1"), /The end date lies before the start date/);
  assert.match(
    await answered("去年的播放量"),
    /您问的时间（2025-01-01 至 2025-12-31）没有数据，现有数据的区间是 2026-04-01 至 2026-10-31/,
  );
  assert.match(
    await answered("regions in October 2026"),
    /There are no figures for 2026-10-01 to 2026-10-31/,
  );
  assert.match(
    await answered("今年播放量"),
    /您问的是 2026-01-01 至 2026-10-31，其中有数据的是 2026-04-01 至 2026-10-31/,
  );
  assert.match(await answered("我的播放量"), /问题里没有提到时间，按最近 30 天统计。/);
});

test("the same question gets the same bytes from another engine", async (context) => {
  const other = await gatewayIn(context);
  for (const question of ["看看我的整体歌曲表现", "regions", "income"]) {
    assert.equal(await other.engine.answer(question, undefined), await answered(question));
  }
});
