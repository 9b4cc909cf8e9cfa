/** How a question becomes a query, and how hostile questions are handled. */
import assert from "node:assert/strict";
import { test } from "node:test";
import explained from "../../../schemas/music-gateway/answer-output.json" with { type: "json" };
import query from "../../../schemas/music-gateway/query.json" with { type: "json" };
import type { AnswerOutput } from "../contract.ts";
import { own } from "./doors-harness.ts";

const MAY = { from: "2026-05-01", to: "2026-05-16" };
const OPENED = 'plays of "\'; DROP TABLE song; --" on 10 May';

const QUERIES: readonly (readonly [question: string, song: number | undefined, query: object])[] = [
  [
    "top 3 songs by plays in mid May",
    undefined,
    {
      language: "en",
      kind: "figures",
      measures: ["plays"],
      split: "song",
      filters: {},
      period: { from: "2026-05-11", to: "2026-05-16", by: "question" },
      comparison: { from: "2026-05-05", to: "2026-05-10", with: "previous", by: "default" },
      order: "most",
      rows: 3,
    },
  ],
  [
    "这首歌5月的播放量",
    1,
    {
      language: "zh",
      kind: "figures",
      measures: ["plays"],
      filters: { songs: [1] },
      period: { ...MAY, by: "question" },
    },
  ],
];

test("a question, also one about a single song, becomes a query of the published schema", async (t) => {
  const { run } = await own(t);
  for (const [question, song, query] of QUERIES) {
    const input = { question, ...(song !== undefined && { song }) };
    assert.deepEqual((await run<AnswerOutput>("music-gateway", "explain", input)).query, query, question);
  }
});

const TRADITIONAL = [
  ["5月各音樂平台的結算金額是多少", "5月各音乐平台的结算金额是多少"],
  ["五月份哪個國家的銷量最高", "五月份哪个国家的销量最高"],
  ["帳號的新增關注者統計", "账号的新增关注者统计"],
  ["5月播放量異常波動是什麼導致的", "5月播放量异常波动是什么导致的"],
] as const;

test("a question in traditional characters is read like the same one in simplified characters", async (t) => {
  const { run } = await own(t);
  for (const [traditional, simplified] of TRADITIONAL) {
    const [one, other] = await Promise.all(
      [traditional, simplified].map((question) =>
        run<AnswerOutput>("music-gateway", "explain", { question }),
      ),
    );
    assert.notEqual(other?.query, undefined, simplified);
    assert.deepEqual([one?.query, one?.notUnderstood], [other?.query, other?.notUnderstood], traditional);
  }
});

test("the query of an explanation has the schema of the command's input", () => {
  const { days: _, ...definitions } = explained.$defs;
  assert.deepEqual(explained.properties.query.properties, query.properties);
  assert.deepEqual(definitions, query.$defs);
});

test("hostile questions are read quickly, and their words never reach a statement of SQL", async (t) => {
  const { run, ask } = await own(t);
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
  for (const sign of signs) {
    const question = sign.repeat(2000).slice(0, 2000);
    const { understood } = await run<AnswerOutput>("music-gateway", "explain", { question });
    assert.match(understood, /^(?:理解为：|Understood as: )/);
  }
  const { query } = await run<AnswerOutput>("music-gateway", "explain", { question: OPENED });
  assert.equal(query, undefined);
  assert.match(await ask("5月10日的播放量"), /1,000/);
});
