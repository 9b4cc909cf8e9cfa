import assert from "node:assert/strict";
import { test } from "node:test";
import { OVERALL, catalogue, type Song } from "./asking-service.ts";
import { withHarness } from "./conversation-harness.ts";
import { about, plain, talk, unsupported, type Step } from "./conversation-talk.ts";
import { answered, refused } from "../../../contract-tests/fake-service.ts";

const ALL: readonly Song[] = [
  ["海盐", 7],
  ["风筝(伴奏)", 8],
  ["风筝(Live)", 9],
  ["山雀", 10],
];
const NOTHING_WAITS: Step = { say: "1", gets: "INPUT_INVALID", sent: [] };
const TWO = "比较《风筝》和《山雀！》";
const SEVERAL: readonly { readonly title: string; readonly steps: readonly Step[] }[] = [
  {
    title: "both similar: one choice after the other, then one question for each",
    steps: [
      { say: TWO, gets: "choice", sent: [OVERALL], candidates: ["风筝(伴奏)", "风筝(Live)"] },
      { say: "2", gets: "choice", sent: [], candidates: ["山雀"] },
      { say: "1", gets: "song", sent: [about(TWO, 9), about(TWO, 10)] },
      NOTHING_WAITS,
    ],
  },
  {
    title:
      "both similar, and the second question failed: the first answer is shown, and nothing is asked again",
    steps: [
      { say: TWO, gets: "choice", sent: [OVERALL] },
      { say: "2", gets: "choice", sent: [] },
      {
        say: "1",
        gets: "song",
        answers: ({ songId }) => (songId === 10 ? refused(-1, "") : answered("ok")),
        sent: [about(TWO, 9), about(TWO, 10)],
        shown: "ok",
      },
      NOTHING_WAITS,
    ],
  },
  {
    title: "the first similar, the second exact: the choice, then one question for each",
    steps: [
      { say: "比较《风筝》和《海盐》", gets: "choice", sent: [OVERALL] },
      {
        say: "1",
        gets: "song",
        sent: [about("比较《风筝》和《海盐》", 8), about("比较《风筝》和《海盐》", 7)],
      },
    ],
  },
  {
    title: "the first exact, the second similar: the choice, then one question for each",
    steps: [
      { say: "比较《海盐》和《风筝》", gets: "choice", sent: [OVERALL] },
      {
        say: "1",
        gets: "song",
        sent: [about("比较《海盐》和《风筝》", 7), about("比较《海盐》和《风筝》", 8)],
      },
    ],
  },
  {
    title: "the first similar, the second none: the choice, then the line of tier C, and nothing waits",
    steps: [
      { say: "比较《风筝》和《星图》", gets: "choice", sent: [OVERALL] },
      { say: "1", gets: "unsupported", sent: [], shown: unsupported("星图") },
      NOTHING_WAITS,
    ],
  },
  {
    title: "the first none: the line of tier C, and nothing waits",
    steps: [
      { say: "比较《星图》和《风筝》", gets: "unsupported", sent: [OVERALL], shown: unsupported("星图") },
      NOTHING_WAITS,
    ],
  },
  {
    title: "two names that turn out to be one song are one question",
    steps: [
      { say: "比较《风筝》和《风筝！》", gets: "choice", sent: [OVERALL] },
      { say: "1", gets: "choice", sent: [] },
      { say: "1", gets: "song", sent: [about("比较《风筝》和《风筝！》", 8)] },
    ],
  },
];

for (const { title, steps } of SEVERAL) {
  test(`two songs in one question, ${title}`, () =>
    withHarness(catalogue({ overall: ALL }), (harness) => talk(harness, steps)));
}

const TWINS: readonly Song[] = [
  ["海盐", 7],
  ["海盐", 6],
];

test("songs of the same title are two equal lines, and the number decides", () =>
  withHarness(catalogue({ overall: [], listed: TWINS }), async (harness) => {
    const question = "海盐最近30天播放量";
    await talk(harness, [
      { say: question, gets: "choice", sent: [plain(question)], shown: /1\. 《海盐》\n2\. 《海盐》\n/ },
      { say: "海盐", gets: "choice", sent: [], candidates: ["海盐", "海盐"] },
      { say: "2", gets: "song", sent: [about(question, 7)] },
    ]);
    const { focus } = await (await harness.host()).songs({ conversation: "talk" });
    assert.deepEqual(focus, { name: "海盐", songId: 7 });
  }));

test("a chosen song is asked about with its id even when it has been given another name meanwhile", () =>
  withHarness(catalogue({ overall: TWINS }), async (harness) => {
    const question = "海盐的听众画像";
    await talk(harness, [
      { say: "分析《星图》", gets: "unsupported", sent: [OVERALL] },
      { say: question, gets: "choice", sent: [], candidates: ["海盐", "海盐"] },
    ]);
    harness.service.answer = catalogue({
      overall: [
        ["海盐 一", 7],
        ["海盐 二", 6],
      ],
    });
    await (await harness.host()).songs({ conversation: "talk", refresh: true });
    await talk(harness, [{ say: "1", gets: "song", sent: [about(question, 6)] }]);
  }));
