/** Queries and their rows, over the host, the command line and MCP. */
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { SkillError } from "skillctl";
import { PROGRAM } from "../../../contract-tests/command-line.ts";
import { connect } from "../../../core/surfaces/mcp/tests/mcp-harness.ts";
import { ownFolder } from "../../../core/surfaces/cli/fixture-command-line.ts";
import type { AnswerOutput, FigureTable, Query } from "../contract.ts";
import { own } from "./doors-harness.ts";
import { exportFiles } from "./questions/export-files.ts";
import { say } from "./serving.ts";

/** The rows of a table as objects, by the names of its columns. */
function objectsOf(table: FigureTable | undefined): readonly Readonly<Record<string, unknown>>[] {
  const { columns, rows } = table ?? assert.fail("there is no table");
  return rows.map((row) => Object.fromEntries(columns.map(({ name }, place) => [name, row[place]])));
}

describe("a query", async () => {
  const { run, ask } = await own({ after });
  const query = (input: Query): Promise<AnswerOutput> => run("music-gateway", "query", input);

  test("gives rows with names, units, days and files", async () => {
    const { tables, text } = await query({
      measures: ["plays"],
      split: "song",
      period: "2026-05-10/2026-05-16",
    });
    const [table] = tables;
    assert.deepEqual(
      objectsOf(table).map(({ song, plays, plays_before }) => [song, plays, plays_before]),
      [
        ["《风筝》", 1259, 35],
        ["《海盐》", 913, 420],
      ],
    );
    assert.deepEqual(table?.days, { from: "2026-05-10", to: "2026-05-16" });
    assert.equal(table?.grain, "day");
    assert.deepEqual(
      table?.columns.find(({ name }) => name === "plays"),
      {
        name: "plays",
        label: "Plays",
        unit: "count",
      },
    );
    assert.ok(table?.files.includes("风筝-timeline.csv"));
    assert.match(text, /\| 1 \| 《风筝》 \| \d+ \| 1,259 \|/);
  });

  test("takes any number of names, and gives the figures of those that the files have", async () => {
    const unknown = Array.from({ length: 300 }, (_, index) => `Nowhere's "${index}"`);
    const asked: Query = { measures: ["income"], split: "country", period: "2026-05" };
    const tablesOf = async (filters: NonNullable<Query["filters"]>) =>
      (await query({ ...asked, filters })).tables;
    const all = await tablesOf({});
    const [store = ""] = objectsOf((await query({ ...asked, split: "store" })).tables[0]).map((row) =>
      String(row["store"]),
    );
    const named = await tablesOf({ withoutStores: [store] });
    assert.notDeepEqual(named, all);
    assert.deepEqual(await tablesOf({ withoutStores: [store, ...unknown] }), named);
    assert.deepEqual(await tablesOf({ withoutStores: unknown }), all);
    const songs = Array.from({ length: 300 }, (_, index) => 1e12 + index);
    assert.deepEqual(await tablesOf({ withoutSongs: songs }), all);
    assert.deepEqual(await tablesOf({ songs: [...songs, 1] }), await tablesOf({ songs: [1] }));
  });

  test("with unknown names in many filters is refused in time proportional to their number", async () => {
    const timeOf = async (count: number): Promise<number> => {
      const names = Array.from({ length: count }, (_, index) => `Nowhere ${index}`);
      const places = { cities: names, stores: names, distributors: names };
      const filters = { ...places, songs: [1e12], countries: ["ZZ"], currencies: ["XXA"] };
      const { user, system } = process.cpuUsage();
      const { tables } = await query({ measures: ["saves", "followers"], filters });
      assert.deepEqual(tables, []);
      const taken = process.cpuUsage({ user, system });
      return taken.user + taken.system;
    };
    await timeOf(1);
    const [one, two] = [Math.max(10_000, await timeOf(1)), await timeOf(2)];
    assert.ok(two < 6 * one, `${one} and ${two} µs`);
  });

  test("adds up income by currency, and names the unit of each row of totals", async () => {
    const { tables } = await query({ measures: ["income"], period: "2026-05" });
    assert.deepEqual(
      objectsOf(tables[0]).map(({ measure, currency, unit, value }) => [measure, currency, unit, value]),
      [
        ["income", "EUR", "money", 2.5],
        ["income", "USD", "money", 1.81],
      ],
    );
  });

  test("has measures of one period and split in one table, each with its derived figures", async () => {
    const { tables, text } = await query({
      measures: ["plays", "listeners"],
      split: "day",
      growth: true,
      period: "2026-05-15/2026-05-16",
    });
    assert.equal(tables.length, 1);
    assert.deepEqual(
      objectsOf(tables[0]).map(({ day, plays, plays_difference, listeners, listeners_difference }) => [
        day,
        plays,
        plays_difference,
        listeners,
        listeners_difference,
      ]),
      [
        ["2026-05-15", 1500, 100, 150, 10],
        ["2026-05-16", 1600, 100, 160, 10],
      ],
    );
    assert.match(
      text,
      /^\| Date \| Plays \| Plays: Difference \| Plays: Change from previous \| Listeners \|/mu,
    );
  });

  test("shows counts next to the money of one currency, and apart from that of several", async () => {
    const both = async (period: string): Promise<readonly unknown[]> =>
      (await query({ measures: ["units", "income"], split: "country", period })).tables.map((table) =>
        objectsOf(table).map(({ country_key, currency, units, income }) => [
          country_key,
          currency,
          units,
          income,
        ]),
      );
    assert.deepEqual(await both("2026-04"), [[["US", "USD", 7, 0.07]]]);
    assert.deepEqual(await both("2026-05"), [
      [
        ["US", undefined, 130, undefined],
        ["JP", undefined, 50, undefined],
        ["DE", undefined, 10, undefined],
      ],
      [["DE", "EUR", undefined, 2.5]],
      [
        ["US", "USD", undefined, 1.3],
        ["JP", "USD", undefined, 0.51],
      ],
    ]);
  });

  test("shows the days of two periods next to each other, place by place", async () => {
    const { tables } = await query({
      measures: ["plays"],
      split: "day",
      period: "2026-05-10/2026-05-11",
      comparison: { with: "period", from: "2026-05-02", to: "2026-05-04" },
    });
    assert.deepEqual(
      objectsOf(tables[0]).map(({ day, day_before, plays, plays_before, plays_change }) => [
        day,
        day_before,
        plays,
        plays_before,
        plays_change,
      ]),
      [
        ["2026-05-10", "2026-05-02", 1000, 200, 400],
        ["2026-05-11", "2026-05-03", 1100, 300, 266.666666667],
        [null, "2026-05-04", null, 400, null],
      ],
    );
  });

  test("takes days, months and years of ISO 8601, and the same as an object", async () => {
    const days = async (period: NonNullable<Query["period"]>): Promise<unknown> =>
      (await query({ measures: ["plays"], period })).tables[0]?.days;
    assert.deepEqual(await days("2026-05-02"), { from: "2026-05-02", to: "2026-05-02" });
    assert.deepEqual(await days("2026-05"), { from: "2026-05-01", to: "2026-05-16" });
    assert.deepEqual(await days("2026"), { from: "2026-05-01", to: "2026-05-16" });
    assert.deepEqual(await days({ from: "2026-05-02", to: "2026-05-03" }), {
      from: "2026-05-02",
      to: "2026-05-03",
    });
    const { refusals, tables } = await query({ measures: ["plays"], period: "2026-02-30" });
    assert.match(refusals.join(), /There is no such date \(2026-02-30\)/);
    assert.deepEqual(tables, []);
  });

  test("without a measure, split or period is the overview", async () => {
    const { understood, tables } = await query({ language: "zh" });
    assert.match(understood, /^理解为：整体概览/);
    assert.ok(tables.length > 2);
  });

  test("is answered with the rows of the question it was made from", async () => {
    const questions = [
      "最近7天的歌曲排行",
      "plays by day in May 2026",
      "2026年5月各国家收入",
      "which songs grew most in the last 7 days",
      "plays of 2026-05-10 to 2026-05-16 against 2026-05-03 to 2026-05-09",
      "why did my plays rise in the last 7 days",
      "when did I pass 5,000 plays",
      "cumulative plays by week",
      "看看我的整体歌曲表现",
    ];
    for (const question of questions) {
      const explained = await run<AnswerOutput>("music-gateway", "explain", { question });
      const answered = await query(explained.query ?? assert.fail(question));
      assert.ok(answered.tables.length > 0, question);
      assert.deepEqual(answered.tables, explained.tables, question);
      assert.deepEqual(answered.query?.measures, explained.query?.measures, question);
    }
  });

  test("that the schema does not allow is refused, and changes no answer to a question", async () => {
    await assert.rejects(query({ measures: ["applause" as "plays"] }), (caught) => {
      assert.ok(caught instanceof SkillError);
      return caught.code === "INPUT_INVALID";
    });
    await query({ measures: ["income"], period: "2026-05" });
    assert.match(await ask("那4月呢"), /理解为：/);
  });
});

test("queries are answered alike on the command line and over MCP", async (t) => {
  const home = await ownFolder(t);
  const words = [
    "run",
    "music-gateway",
    "query",
    "--measures",
    "plays",
    "--split",
    "song",
    "--period",
    "2026-10",
  ];
  const { out } = await say([...words, "--json"], { home });
  const { output } = JSON.parse(out) as { readonly output: AnswerOutput };
  const json = JSON.stringify({ measures: ["plays"], split: "song", period: "2026-10" });
  const whole = await say(["run", "music-gateway", "query", json, "--json"], { home });
  assert.equal(whole.out, out);
  const broken = await say(["run", "music-gateway", "query", '{"measures":'], { home });
  assert.match(broken.err, /must be one JSON document/);
  assert.ok(objectsOf(output.tables[0]).length > 10);
  await using opened = await connect({ folder: home, start: PROGRAM });
  const tools = await opened.client.listTools();
  assert.ok(tools.tools.some(({ name }) => name === "music-gateway_query"));
  const result = await opened.client.callTool({
    name: "music-gateway_query",
    arguments: { measures: ["plays"], split: "song", period: "2026-10" },
  });
  assert.deepEqual((result.structuredContent as AnswerOutput).tables, output.tables);
});

test("an answer of music-analysis carries the rows of its query, for each song its own, and no filtered name", async (t) => {
  const lines = (...rows: readonly string[]): string => `${rows.join("\n")}\n`;
  const { run } = await own(t, {
    "Suno Days-timeline.csv": lines("date,streams", "2026-05-01,10", "2026-05-02,20"),
    "风筝-timeline.csv": lines("date,streams", "2026-05-01,1", "2026-05-02,2"),
  });
  interface Reply {
    readonly answers: readonly { readonly tables?: AnswerOutput["tables"] }[];
  }
  const question = "songs by plays in May 2026";
  const asked = await run<Reply>("music-analysis", "ask", { question });
  assert.deepEqual(
    objectsOf(asked.answers[0]?.tables?.[0]).map(({ song, plays }) => [song, plays]),
    [
      ["《 Days》", 30],
      ["《风筝》", 3],
    ],
  );
  const song = await run<Reply>("music-analysis", "ask", { question: "《风筝》5月2日的播放量" });
  assert.deepEqual(
    objectsOf(song.answers[0]?.tables?.[0]).map(({ measure, value }) => [measure, value]),
    [["plays", 2]],
  );
});

test("the rows of questions about many exports are those of their queries", async (t) => {
  const { run } = await own(t, exportFiles(), "2026-10-31T09:00:00Z");
  for (const question of [
    "上个月各平台收入",
    "save rate by month",
    "total watch time",
    "top 3 countries by income",
  ]) {
    const explained = await run<AnswerOutput>("music-gateway", "explain", { question });
    const answered = await run<AnswerOutput>(
      "music-gateway",
      "query",
      explained.query ?? assert.fail(question),
    );
    assert.ok(answered.tables.length > 0, question);
    assert.deepEqual(answered.tables, explained.tables, question);
  }
});
