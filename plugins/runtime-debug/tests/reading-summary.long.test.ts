/** The answer that stays small whatever the log holds. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readingHarness, type ReadingHarness } from "./reading-harness.ts";

const MOST_BYTES = 4_096;
const HOSTILE = '\u001b[2J\u202e\u{e0041}\u2028"\\\ud800'.repeat(4);
const LONG = HOSTILE.repeat(40);

interface CountRow {
  readonly run: string;
  readonly hypothesis: string;
  readonly location?: string;
  readonly probe?: string;
  readonly events: number;
}

interface Summary {
  readonly events: number;
  readonly rejected: number;
  readonly run: string;
  readonly hypotheses: readonly { readonly hypothesis: string; readonly events: number }[];
  readonly counts: readonly CountRow[];
  readonly more?: string;
}

async function summaryOf(harness: ReadingHarness, asked = {}): Promise<Summary> {
  const { status, text } = await harness.get({ ...asked, format: "summary" });
  assert.equal(status, 200, text);
  assert.ok(Buffer.byteLength(text) < MOST_BYTES, `${Buffer.byteLength(text)} bytes`);
  const cold = await harness.cold({ ...asked, format: "summary" });
  const served = JSON.parse(text) as Summary;
  assert.deepEqual(cold.result, served);
  return served;
}

async function sendMany(harness: ReadingHarness, count: number, make: (at: number) => object): Promise<void> {
  for (let from = 0; from < count; from += 1_000) {
    const events = Array.from({ length: Math.min(1_000, count - from) }, (_, at) => make(from + at));
    await harness.send(...events);
  }
}

describe("the summary", () => {
  test("counts by run, hypothesis and place", async (t) => {
    const harness = await readingHarness(t);
    await sendMany(harness, 600, (at) => ({
      hypothesisId: "AB"[at % 2],
      runId: at < 300 ? "pre" : "post",
      location: `place-${at % 3}`,
      data: { step: at, fixed: "x" },
    }));
    const { counts, events, hypotheses } = await summaryOf(harness);
    assert.equal(events, 600);
    assert.deepEqual(hypotheses, [
      { hypothesis: "A", events: 300 },
      { hypothesis: "B", events: 300 },
    ]);
    const seen = counts.map(
      ({ run, hypothesis, location, events: n }) => `${run} ${hypothesis} ${location} ${n}`,
    );
    const all = ["pre-fix", "post-fix"].flatMap((run) =>
      ["A", "B"].flatMap((name) => [0, 1, 2].map((place) => `${run} ${name} place-${place} 50`)),
    );
    assert.deepEqual(new Set(seen), new Set(all));
    assert.equal(seen.length, all.length);
    const some = await summaryOf(harness, { hypothesisId: ["A"], runId: ["pre"] });
    assert.deepEqual([some.events, some.counts.length], [150, 3]);
    assert.deepEqual(some.hypotheses, [{ hypothesis: "A", events: 150 }]);
  });

  test("stays under 4 KB with 10,000 places, huge values and hostile text, and counts every event", async (t) => {
    const harness = await readingHarness(t);
    await sendMany(harness, 10_000, (at) => ({
      hypothesisId: `H${at % 50}`,
      location: `${HOSTILE}${at}`,
      data: { value: at },
    }));
    for (let at = 0; at < 20; at++)
      await harness.send({
        location: "huge",
        msg: LONG,
        data: { [LONG]: LONG, long: "y".repeat(20_000) + at, at, ...Object.fromEntries(wide(at)) },
      });
    const { events, counts, more = "" } = await summaryOf(harness);
    assert.equal(events, 10_020);
    const [, left = "0", rest = "0"] = /and (\d+) more, (\d+) events/.exec(more) ?? [];
    const shown = counts.reduce((sum, row) => sum + row.events, 0);
    assert.deepEqual([shown + Number(rest), counts.length + Number(left)], [10_020, 10_001]);
    // The commonest comes first.
    assert.deepEqual([counts[0]?.location, counts[0]?.events], ["huge", 20]);
  });

  test("of no events says so", async (t) => {
    const { events, counts } = await summaryOf(await readingHarness(t));
    assert.deepEqual([events, counts], [0, []]);
  });
});

function wide(at: number): readonly (readonly [string, string])[] {
  return Array.from({ length: 50 }, (_, field) => [`field-${field}`, `${HOSTILE}${at}`] as const);
}
