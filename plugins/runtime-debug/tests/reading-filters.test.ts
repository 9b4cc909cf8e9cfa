/** A filter applies to every part of an answer, and an answer states what it covers. */
import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import {
  coldInput,
  coldLogs,
  readingHarness,
  type LogQuery,
  type ReadingHarness,
} from "./reading-harness.ts";
import { debugHost } from "./serving.ts";

interface Answer {
  readonly run: string;
  readonly events: number;
  readonly bytes?: number;
  readonly first: string;
  readonly last: string;
}

async function answerOf(harness: ReadingHarness, asked: LogQuery): Promise<Answer> {
  const { status, text } = await harness.get(asked);
  assert.equal(status, 200, text);
  assert.deepEqual((await harness.cold(coldInput(asked))).result, JSON.parse(text));
  return JSON.parse(text) as Answer;
}

/** Six events before a fix and six after it, all at one place. */
async function twoRuns(harness: ReadingHarness): Promise<void> {
  const event = (runId: string, at: number): object => ({
    runId,
    location: "a.ts:1",
    hypothesisId: "A",
    data: { [runId]: at, kept: runId },
  });
  await harness.send(...[0, 1, 2, 3, 4, 5].map((at) => event("pre", at)));
  harness.host.clock.advance(60_000);
  await harness.send(...[0, 1, 2, 3, 4, 5].map((at) => event("post", at)));
}

describe("a filtered answer", () => {
  it("of one run does not reveal counts, times or bytes of the other", async (t) => {
    const harness = await readingHarness(t);
    await twoRuns(harness);
    const all = await answerOf(harness, { format: "summary" });
    assert.ok((all.bytes ?? 0) > 0);
    const { events, bytes, first } = await answerOf(harness, {
      format: "summary",
      runId: "post",
    });
    const { _at: at } = JSON.parse(
      (await harness.get({ runId: "post", format: "ndjson" })).text.split("\n")[0] ?? "",
    ) as { _at: number };
    assert.deepEqual([events, bytes, first], [6, undefined, new Date(at).toISOString()]);
  });
});

describe("a filter by value", () => {
  it("finds events by numbers, texts and nested values, over HTTP and from the files", async (t) => {
    const harness = await readingHarness(t);
    await harness.send(
      { msg: "one", data: { total: 9, name: "tea", item: { price: 1 } } },
      { msg: "two", data: { total: 10, name: "cup", "item.price": 2, isNew: true } },
      { msg: "three", data: { total: "100", name: "tea", list: [1] }, location: "a.ts:7" },
      { msg: "four", data: { total: null, name: "" }, total: 1 },
      { msg: "five" },
    );
    for (const [where, found] of [
      ["total>9", [2, 3]],
      ["total <= 10", [1, 2]],
      ["total=10.0", [2]],
      ["total!=10", [1, 3, 4]],
      ["total=null", [4]],
      ["name=tea", [1, 3]],
      ["name>d", [1, 3]],
      ["name=", [4]],
      ["item.price>=1", [1, 2]],
      ["isNew=true", [2]],
      ["list=[1]", [3]],
      ["location=a.ts:7", [3]],
      ["nothing!=1", []],
    ] as const) {
      const { text } = await harness.get({ where });
      const numbers = (JSON.parse(text) as { _seq: number }[]).map(({ _seq: seq }) => seq);
      assert.deepEqual(numbers, found, where);
      assert.equal((await harness.cold({ where: [where] })).count, found.length, where);
    }
    const both = await harness.cold({ where: ["total>9", "name=tea"] });
    assert.match(both.text, /^#3 [^\n]*$/m);
    assert.equal(both.count, 1);
    assert.equal((await answerOf(harness, { format: "summary", where: "total>9" })).events, 2);
    assert.equal((await harness.get({ where: "total" })).status, 400);
    await assert.rejects(harness.cold({ where: ["=1"] }), { code: "INPUT_INVALID" });
  });
});

describe("a summary", () => {
  it("names the same run over HTTP and from the files, also before its first event", async (t) => {
    const harness = await readingHarness(t);
    await harness.send({ runId: "third", location: "a" });
    await harness.runNamed("post");
    assert.equal((await answerOf(harness, { format: "summary" })).run, "post-fix");
  });
});

describe("GET /logs", () => {
  it("answers at most 4 MiB, and Debug-More leads to the rest", async (t) => {
    const harness = await readingHarness(t);
    const most = 4 * 1024 * 1024;
    const long = "x".repeat(60_000);
    for (let sent = 0; sent < 10; sent += 1)
      await harness.send(...Array.from({ length: 14 }, (_, at) => ({ at: sent * 14 + at, long })));
    for (const format of ["json", "ndjson"]) {
      const seen: number[] = [];
      const answers: number[] = [];
      for (let next: string | undefined = ""; next !== undefined;) {
        const answer: Response = await fetch(`${harness.url}/logs?format=${format}&${next}`);
        const text = await answer.text();
        answers.push(text.length);
        seen.push(...[...text.matchAll(/"at":(\d+)/g)].map(([, at]) => Number(at)));
        next = answer.headers.get("debug-more") ?? undefined;
      }
      assert.ok(answers.length > 1 && Math.max(...answers) <= most, answers.join(" "));
      assert.deepEqual(
        seen,
        Array.from({ length: 140 }, (_, at) => at),
      );
    }
  });
});

describe("the command logs", () => {
  it("continues before the place that Debug-More names, until every event was returned once", async (t) => {
    const harness = await readingHarness(t);
    await harness.send(...Array.from({ length: 25 }, (_, at) => ({ at })));
    const seen: number[] = [];
    for (let asked: LogQuery = { last: 25, limit: 10 }, rounds = 0; rounds < 3; rounds++) {
      const words = Object.entries(asked).map(([name, value]) => `${name}=${value}`);
      const answer = await fetch(`${harness.url}/logs?${words.join("&")}`);
      seen.unshift(...((await answer.json()) as { at: number }[]).map(({ at }) => at));
      const before = /^before=(\d+)$/.exec(answer.headers.get("debug-more") ?? "")?.[1];
      assert.equal(before === undefined, rounds === 2);
      asked = { ...asked, before: Number(before) };
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 25 }, (_, at) => at),
    );
  });

  it("reads lines that other programs have added, and omits an unfinished line", async (t) => {
    const harness = await readingHarness(t);
    await harness.send({ hypothesisId: "A", location: "a.ts:1" });
    await harness.clear();
    await harness.send({ hypothesisId: "A", location: "a.ts:2" });
    await harness.server.stop();
    const event = { hypothesisId: "A", location: "new.ts:1", _seq: 900, _run: "pre-fix", _src: "event" };
    appendFileSync(harness.server.info.log_file, `${JSON.stringify(event)}\n{"hypothesisId":"A","_se`);
    const asked = coldInput({ hypothesisId: "A", runId: "pre-fix", last: 1, format: "json" });
    assert.deepEqual((await harness.cold(asked)).events, [event]);
  });

  it("finds the session from a folder below, as the doctor does", async (t) => {
    const host = await debugHost(t);
    const above = join(host.environment.workingFolder, "..", ".dbg");
    const harness = await readingHarness(t, { outdir: above }, host);
    await harness.send({ msg: "above" });
    assert.equal((await coldLogs(host, {})).count, 1);
    await assert.rejects(coldLogs(host, { outdir: ".dbg" }), { code: "DEBUG_NO_LOG" });
  });
});
