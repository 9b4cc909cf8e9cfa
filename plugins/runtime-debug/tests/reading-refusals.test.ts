/** Invalid questions to a log, and characters with an effect where an answer is shown. */
import assert from "node:assert/strict";
import * as fs from "node:fs";
import { describe, test } from "node:test";
import { ask } from "./client.ts";
import { coldLogs, readingHarness, type LogQuery, type ReadingHarness } from "./reading-harness.ts";
import { debugHost, serving } from "./serving.ts";
import logQuery from "../../../schemas/runtime-debug/log-query.json" with { type: "json" };

const WRONG: readonly (readonly [name: string, asked: LogQuery])[] = [
  ["last", { last: "many" }],
  ["limit", { limit: 100_001 }],
  ["limitt", { limitt: 10 }],
  ["since", { since: -1 }],
  ["before", { before: 0 }],
  ["segment", { segment: 0 }],
  ["format", { format: "xml" }],
  ["hypothesisId", { hypothesisId: "" }],
];
const PARAMETERS = Object.keys(logQuery.properties).filter((name) => name !== "k");

/** Control characters but line feed and tab, half pairs, and what turns, hides or tags text. */
const UNSAFE =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\p{Surrogate}|[\u{e0000}-\u{e007f}]/u;
const HOSTILE = "\u001b[2J\u0007\u009b\u202e\u200b\u2066\ufeff\u{e0041}\u2028\u007f\r\ud800";

/** The answer of `GET /logs` to a wrong question, which names the parameter. */
async function refused(
  { get }: ReadingHarness,
  name: string,
  asked: LogQuery,
): Promise<{ readonly hint: string; readonly text: string }> {
  const { status, text } = await get(asked);
  const { ok, error, message, hint } = JSON.parse(text) as Readonly<Record<string, unknown>>;
  assert.deepEqual([status, ok, error], [400, false, "bad_query"], `${name}: ${text}`);
  assert.match(String(message), new RegExp(`\\b${name}\\b`));
  return { hint: String(hint), text };
}

describe("a question to a log", () => {
  test("with a wrong name or value is refused with the place and every valid name", async (t) => {
    const harness = await readingHarness(t);
    for (const [name, asked] of WRONG) {
      const { hint, text } = await refused(harness, name, asked);
      for (const parameter of PARAMETERS) assert.match(hint, new RegExp(`\\b${parameter}\\b`), text);
    }
  });

  test("for a part of a summary is refused, and names the parameters that narrow it", async (t) => {
    const harness = await readingHarness(t);
    for (const name of ["last", "limit"]) {
      const { hint } = await refused(harness, name, { [name]: 5, format: "summary" });
      assert.match(hint, /^Leave it out, or narrow .* since, before, runId, hypothesisId or where\.$/);
    }
  });

  test("for a missing segment is refused by server and command, which name the existing ones", async (t) => {
    const harness = await readingHarness(t);
    await harness.send({ msg: "one" });
    const { status, text } = await harness.get({ segment: 7 });
    assert.deepEqual([status, /no segment 7.*these segments: 1\./s.test(text)], [400, true], text);
    await assert.rejects(harness.cold({ segment: "7" }), { code: "INPUT_INVALID", pointer: "/segment" });
  });

  test("to no log at all is DEBUG_NO_LOG, and to an empty one has no events", async (t) => {
    await assert.rejects(coldLogs(await debugHost(t), {}), { code: "DEBUG_NO_LOG" });
    const harness = await readingHarness(t);
    assert.equal((await harness.get()).text.trim(), "[]");
    assert.equal((await harness.get({ format: "ndjson" })).text, "");
    assert.equal((await harness.cold()).text, "No event matches.");
    assert.deepEqual((await harness.cold({ format: "json" })).events, []);
  });

  test("is answered without raw control characters, even from a foreign log", async (t) => {
    const host = await debugHost(t);
    const first = await serving(host);
    await first.stop();
    const { log_file: log, log_dir: outdir } = first.info;
    const event = {
      hypothesisId: HOSTILE,
      location: `a${HOSTILE}`,
      msg: HOSTILE,
      data: { [HOSTILE]: HOSTILE },
    };
    // As another tool would write it: only what JSON itself forbids is escaped.
    fs.appendFileSync(log, `${JSON.stringify({ ...event, _seq: 9 })}\r\n{"msg":\t"tabs"}\n`);
    const { info } = await serving(host);
    for (const format of ["json", "ndjson", "summary"]) {
      const { status, text } = await ask(info.base_url, { path: `/logs?format=${format}` });
      assert.equal(status, 200);
      assert.doesNotMatch(text, UNSAFE, format);
    }
    for (const format of ["text", "json", "ndjson", "summary"] as const) {
      const cold = await coldLogs(host, { outdir, format });
      assert.doesNotMatch(cold.text, UNSAFE, format);
    }
    const events = (await coldLogs(host, { outdir, format: "json" })).events;
    assert.deepEqual(
      events,
      fs
        .readFileSync(log, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as object),
    );
  });
});
