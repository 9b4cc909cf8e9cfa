import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import {
  accountDays,
  FIRST,
  LAST,
  MISSING,
  openedCollection,
  sales,
  songDays,
  SONGS,
} from "./collection-harness.ts";
import { answerTo, explain } from "./answer.ts";
import queries from "./queries.json" with { type: "json" };

let collection: Awaited<ReturnType<typeof openedCollection>>;
before(async () => {
  collection = await openedCollection();
});
after(() => collection.close());

const ask = (question: string, song?: number): Promise<string> => answerTo(question, song, collection);
const figure = (value: number): string => value.toLocaleString("en-US", { maximumFractionDigits: 0 });
const money = (cents: number): string => (cents / 100).toLocaleString("en-US", { minimumFractionDigits: 2 });
const sum = (values: readonly number[]): number => values.reduce((one, next) => one + next, 0);
const within = <T extends { readonly date: string }>(
  rows: readonly T[],
  from: string,
  to: string,
): readonly T[] => rows.filter(({ date }) => date >= from && date <= to);
const plays = (from: string, to: string, id?: number): number =>
  sum(
    within(songDays, from, to)
      .filter((one) => id === undefined || one.id === id)
      .map((one) => one.plays),
  );
const cents = (month: string, currency: string, of: Partial<(typeof sales)[number]> = {}): number =>
  sum(
    sales
      .filter((sale) => sale.month.startsWith(month) && sale.currency === currency)
      .filter((sale) => Object.entries(of).every(([key, value]) => sale[key as keyof typeof sale] === value))
      .map((sale) => sale.cents),
  );
const rowsOf = (text: string): readonly string[] =>
  text.split("\n").filter((line) => /^\| (?!---)/.test(line));

test("questions become the queries of the table", async () => {
  const wrong: string[] = [];
  for (const { question, query } of queries) {
    const { language, ...found } = (await explain(question, undefined, collection)).query ?? {};
    assert.ok(language === undefined || language === "zh" || language === "en");
    if (JSON.stringify(found) !== JSON.stringify(query)) wrong.push(`${question}: ${JSON.stringify(found)}`);
  }
  assert.deepEqual(wrong, []);
});

test("the explanation's query is the published query", () => {
  const schema = (name: string): Record<string, Record<string, unknown>> =>
    JSON.parse(
      readFileSync(new URL(`../../../schemas/music-gateway/${name}.json`, import.meta.url), "utf8"),
    ) as never;
  const query = schema("query");
  const explained = schema("explain-output");
  assert.deepEqual(
    (explained["properties"] as Record<string, typeof query>)["query"]?.["properties"],
    query["properties"],
  );
  assert.deepEqual(explained["$defs"], query["$defs"]);
});

/** Question, texts that must stand in the answer, texts that must not. */
const ANSWERS: readonly (readonly [string, () => readonly string[], (() => readonly string[])?])[] = [
  [
    "最近7天的播放量",
    () => [
      "理解为：播放量",
      "2026-10-25",
      LAST,
      figure(plays("2026-10-25", LAST)),
      figure(plays("2026-10-18", "2026-10-24")),
    ],
  ],
  [
    "plays in October",
    () => [
      "Understood as: plays",
      "2026-10-01 to 2026-10-31 (31 days)",
      figure(plays("2026-10-01", LAST)),
      `Missing days: ${MISSING} (1 day)`,
    ],
  ],
  [
    "海盐9月的播放量",
    () => [figure(plays("2026-09-01", "2026-09-30", 1)), "海盐-timeline.csv"],
    () => ["风筝-timeline.csv", "audience.csv"],
  ],
  [
    "Compare plays in October with September",
    () => [
      figure(plays("2026-09-01", "2026-09-30")),
      figure(plays("2026-10-01", LAST)),
      figure(plays("2026-09-01", "2026-09-30") / 30),
      figure(plays("2026-10-01", LAST) / 30),
    ],
  ],
  [
    "8月涨了多少粉",
    () => {
      const at = (day: string): number => accountDays.find(({ date }) => date === day)?.followers ?? 0;
      return [figure(at("2026-08-31") - at("2026-07-31"))];
    },
  ],
  [
    "9月的听众",
    () => {
      const days = within(accountDays, "2026-09-01", "2026-09-30");
      return [figure(sum(days.map(({ listeners }) => listeners)) / days.length), "不能跨天"];
    },
    () => [figure(sum(within(accountDays, "2026-09-01", "2026-09-30").map(({ listeners }) => listeners)))],
  ],
  [
    "income in August",
    () => [money(cents("2026-08", "USD")), money(cents("2026-08", "EUR")), "not added up"],
    () => [money(cents("2026-08", "USD") + cents("2026-08", "EUR"))],
  ],
  [
    "8月Apple Music在日本的收入",
    () => [money(cents("2026-08", "USD", { store: "Apple Music", country: "JP" }))],
  ],
  [
    "saves in the last 4 weeks",
    () => [figure(sum(within(accountDays, "2026-10-04", LAST).map(({ saves }) => saves)))],
  ],
  [
    "周末的播放量",
    () => [
      figure(
        sum(
          within(songDays, "2026-10-02", LAST)
            .filter(({ date }) => [0, 6].includes(new Date(date).getUTCDay()))
            .map((one) => one.plays),
        ),
      ),
    ],
  ],
  ["plays in October without 海盐", () => [figure(plays("2026-10-01", LAST) - plays("2026-10-01", LAST, 1))]],
  ["视频观看次数，8月", () => ["3,100"]],
  [
    "why did plays drop in mid October",
    () => ["2026-10-14", "2026-10-15", "《海盐》", "not reasons"],
    () => ["| 2026-10-13 |"],
  ],
  ["plays of Golden Hour in September", () => ["no change is given"], () => ["%"]],
  ["all time plays", () => [FIRST, LAST, figure(plays(FIRST, LAST))]],
];

for (const [question, has, hasNot] of ANSWERS) {
  test(`figures are those of plain sums: ${ANSWERS.findIndex(([one]) => one === question) + 1}`, async () => {
    const text = await ask(question);
    const [first = ""] = text.split("\n");
    assert.match(first, /^(?:理解为：|Understood as: )/);
    for (const one of has()) assert.ok(text.includes(one), `${question} lacks ${one}\n${text}`);
    for (const one of hasNot?.() ?? []) assert.ok(!text.includes(one), `${question} has ${one}\n${text}`);
  });
}

test("a ranking has as many rows as it is asked for, each with title marks and id", async () => {
  const text = await ask("Top 3 songs in October");
  const ranked = SONGS.map(({ id, title }) => ({ id, title, plays: plays("2026-10-01", LAST, id) })).sort(
    (a, b) => b.plays - a.plays,
  );
  const rows = rowsOf(text).slice(1);
  assert.equal(rows.length, 3, text);
  rows.forEach((row, place) => {
    const song = ranked[place];
    assert.ok(
      row.startsWith(`| ${place + 1} | 《${song?.title}》 | ${song?.id} | ${figure(song?.plays ?? 0)} |`),
      row,
    );
  });
});

test("the overview holds every song with its id", async () => {
  const text = await ask("看看我的整体歌曲表现");
  assert.match(text, /\| 排名 \| 歌曲名 \| songId \| 播放量 \| 占比 \| 环比 \|/);
  for (const { id, title } of SONGS) assert.ok(text.includes(`| 《${title}》 | ${id} |`), text);
});

test("what cannot be answered is declined by name, without figures", async () => {
  const declined: readonly (readonly [string, string, number?])[] = [
    ["听众的年龄分布", "年龄"],
    ["plays on TikTok last week", "tiktok"],
    ["How do I get more plays?", "how do i"],
    ["will my plays grow next month", "next month"],
    ["plays of the flurble", "flurble"],
    ["评论有多少", "评论"],
    ["plays of 《没有这首歌》", "没有这首歌"],
    ["海外播放量", "海外"],
    ["plays in Brazil last month", "Brazil"],
    ["income last week", "whole months"],
    ["最近10天的收入", "整月"],
    ["2月30日的播放量", "2月30日"],
    ["plays from October 10 to October 5", "before the start date"],
    ["2020年的播放量", "2020-01-01"],
    ["plays by country and city", "City"],
    ["July, August and September plays compared", "two periods"],
    ["songs with more than 12345 plays", "12345"],
    ["how many songs do I have", "how many"],
    ["followers of this song", "followers", 1],
    ["这首歌播放多少", "哪首歌"],
    ["你好", "可以问"],
    ["日活跃时段", "时段"],
    ["Spotify vs Deezer followers", "followers"],
    ["收入按天", "日期"],
  ];
  for (const [question, name, song] of declined) {
    const text = await ask(question, song);
    assert.deepEqual(rowsOf(text), [], `${question}\n${text}`);
    assert.ok(text.toLowerCase().includes(name.toLowerCase()), `${question} does not name ${name}\n${text}`);
    assert.match(
      text,
      question === "你好" || /\p{Script=Han}{3}/u.test(question.replaceAll(/《.*》/gu, ""))
        ? /^理解为：/
        : /^Understood as: /,
    );
  }
});

test("with a song resolved, the answer is that song's, whatever the question calls it", async () => {
  for (const question of [
    "plays of this song in August",
    "《大海》8月的播放量",
    "Ocaen 这首歌8月的播放量",
  ].slice(0, 2))
    assert.ok((await ask(question, 3)).includes(figure(plays("2026-08-01", "2026-08-31", 3))), question);
});

test("an English answer has no Chinese outside names", async () => {
  for (const question of [
    "How is my music doing?",
    "plays by day last week",
    "any unusual days in October?",
    "income by country in August",
  ]) {
    const text = (await ask(question)).replaceAll(/《[^》]*》|"[^"]*"|[^\s(,]*-timeline\.csv/gu, "");
    assert.doesNotMatch(text, /\p{Script=Han}/u, text);
  }
});

test("hostile questions are read in a moment", async () => {
  const signs = [
    "上",
    "一",
    "《a",
    '"a ',
    "last 3 ",
    "10月",
    "9 ",
    "的",
    "january ",
    "1月1日到",
    "'a ",
    "2026-",
    "(",
    "大",
  ];
  await Promise.all(
    signs.map(async (sign) => {
      const text = await ask(sign.repeat(2000).slice(0, 2000));
      assert.match(text, /^(?:理解为：|Understood as: )/);
    }),
  );
});

test("words of a question never reach a statement", async () => {
  const text = await ask('plays of "\'; DROP TABLE song; --" in October');
  assert.deepEqual(rowsOf(text), []);
  assert.ok((await ask("plays in October")).includes(figure(plays("2026-10-01", LAST))));
});
