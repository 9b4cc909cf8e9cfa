/** Questions to a log, over HTTP and from its files, against one who parses every line. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { coldInput, harnessIn, type ReadingHarness } from "./reading-harness.ts";
import { answerOf, storedLines, type Asked } from "./reading-oracle.ts";
import { debugHost } from "./serving.ts";
import { effort } from "../../../contract-tests/effort.ts";

const some = fc.constantFrom;
const missing = undefined;
const NAMES = [
  "hypothesisId",
  "runId",
  "traceId",
  "location",
  "q",
  "since",
  "before",
  "last",
  "limit",
  "segment",
] as const;

const event = fc.record({
  hypothesisId: some<unknown>(
    "A",
    "B",
    "C",
    "A,C",
    "A-D",
    "H1-H3",
    "H2",
    "2",
    2,
    ["A", "D"],
    "",
    null,
    missing,
  ),
  runId: some<unknown>("pre", "pre-fix", "post", "post-fix", "run-7", 7, missing),
  traceId: some<unknown>("t-1", "t-2", 5, "5", missing),
  location: some<unknown>("a.ts:1", "a.ts:10", "b/c.ts:2", "*", 3, missing),
  msg: some<unknown>("seen", "Ünïcode ΣΑΣ", "line\nbreak", missing),
  data: some<unknown>(1, { name: "Needle" }, "\u202e\u0007", missing),
});

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: some("send" as const), events: fc.array(event, { maxLength: 12 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: some("clear" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: some("run" as const), name: some("pre-fix", "post-fix", "third") }),
  },
);

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

const values = fc.record({
  hypothesisId: some("A", "B,D", "A-C", "H1-H2", "H3", "2", "A,C", "Z"),
  runId: some("pre", "pre-fix", "post", "post-fix", "pre,7", "run-7", "third", "none"),
  traceId: some("t-1", "t-1,5", "none"),
  location: some("a.ts:1", "a.ts*", "b/*,a.ts:10", "*", "3", "none"),
  q: some("needle", "ünï", "σας", "seen", "\\n", "none"),
  since: fc.nat(40),
  before: fc.integer({ min: 1, max: 40 }),
  last: fc.integer({ min: -2, max: 12 }),
  limit: fc.integer({ min: 1, max: 15 }),
  segment: some("current", "all", "1"),
});

/** Few of them together, so that most questions find something. */
const question: fc.Arbitrary<Asked> = fc
  .tuple(values, fc.shuffledSubarray([...NAMES], { maxLength: 3 }))
  .map(([all, names]) => Object.fromEntries(names.map((name) => [name, all[name]])));

describe("a question to a log", () => {
  test("is answered by the server and by the command as by one who parses every line", async (t) => {
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 10 }),
      fc.array(question, { minLength: 20, maxLength: 20 }),
      async (steps, questions) => {
        const harness = await harnessIn(host, `test-session${(session += 1)}`);
        try {
          await agrees(harness, steps, questions);
        } finally {
          await harness.server.stop();
        }
      },
    );
    const host = await debugHost(t);
    let session = 0;
    await fc.assert(property, { numRuns: effort(10, 90), includeErrorInReport: true });
  });
});

async function agrees(
  harness: ReadingHarness,
  steps: readonly Step[],
  questions: readonly Asked[],
): Promise<void> {
  for (const one of steps) {
    if (one.do === "clear") await harness.clear();
    else if (one.do === "run") await harness.runNamed(one.name);
    else if (one.events.length > 0) await harness.send(...one.events);
  }
  const lines = storedLines(harness.server.info.log_file);
  for (const asked of questions) {
    const expected = answerOf(lines, asked);
    const [json, ndjson, cold] = await Promise.all([
      harness.get(asked),
      harness.get({ ...asked, format: "ndjson" }),
      harness.cold({ ...coldInput(asked), format: "ndjson" }),
    ]);
    const what = JSON.stringify(asked);
    assert.equal(ndjson.text, expected.map(({ text }) => `${text}\n`).join(""), what);
    assert.deepEqual(
      JSON.parse(json.text),
      expected.map(({ event: stored }) => stored),
      what,
    );
    assert.equal(cold.text, ndjson.text, what);
    assert.equal(cold.count, expected.length, what);
  }
}
