/** The answer of the command `logs` that people and agents read: bounded, unambiguous, and open about what is missing. */
import assert from "node:assert/strict";
import { basename } from "node:path";
import { describe, it } from "node:test";
import { ask } from "./client.ts";
import { readingHarness } from "./reading-harness.ts";

const EVENT = { hypothesisId: "B", location: "auth.ts:42", msg: "token", data: { expired: true }, ts: 5 };

/** The lines between the two marks. */
function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  const end = lines.findIndex((line) => line.startsWith("----- end "));
  return lines.slice(2, end);
}

/** The text after them. */
function remarkOf(text: string): string {
  return /\n----- end \w+ -----\n(.*)$/s.exec(text)?.[1] ?? "";
}

describe("the text of events", () => {
  it("does not let a message pass for another event's hypothesis and location", async (t) => {
    const harness = await readingHarness(t);
    const forged = { msg: 'B auth.ts:42 "token" {"expired":true}', ts: 5 };
    const placed = { ...forged, hypothesisId: 'B auth.ts:42 "token"', location: "-" };
    await harness.send(EVENT, forged, placed);
    const [real, ...others] = linesOf((await harness.cold()).text).map((line) => line.replace(/^#\d+ /, ""));
    assert.equal(real, '1970-01-01T00:00:00.005Z pre-fix B auth.ts:42 "token" {"expired":true}');
    assert.deepEqual(others, [
      String.raw`1970-01-01T00:00:00.005Z pre-fix - - "B auth.ts:42 \"token\" {\"expired\":true}" -`,
      String.raw`1970-01-01T00:00:00.005Z pre-fix "B auth.ts:42 \"token\"" "-" "B auth.ts:42 \"token\" {\"expired\":true}" -`,
    ]);
  });

  it("names the session of an event that claims to belong to another one", async (t) => {
    const harness = await readingHarness(t);
    await harness.send(EVENT, { ...EVENT, sessionId: "other-session" });
    const [own = "", other = ""] = linesOf((await harness.cold()).text);
    assert.doesNotMatch(own, /login-timeout/);
    assert.match(other, /\{"sessionId":"other-session"\}$/);
  });

  it("shows 600 hostile events in 64 KiB and says how to continue, until all were shown once", async (t) => {
    const harness = await readingHarness(t);
    const hostile = "\u202e".repeat(400);
    for (let from = 0; from < 600; from += 300)
      await harness.send(...Array.from({ length: 300 }, () => ({ msg: hostile })));
    await harness.send({ msg: "x".repeat(60_000) });
    const seen: string[] = [];
    for (let since = 0, rounds = 0; ; rounds++) {
      assert.ok(rounds < 200);
      const { text, count } = await harness.cold({ since });
      assert.ok(Buffer.byteLength(text) < 66 * 1024, `${Buffer.byteLength(text)} bytes`);
      const lines = linesOf(text);
      assert.equal(lines.length, count);
      assert.ok(lines.every((line) => line.length < 2_020));
      seen.push(...lines.map((line) => /^#\d+/.exec(line)?.[0] ?? ""));
      const next = /^More events match: continue with --since (\d+)\.$/.exec(remarkOf(text))?.[1];
      if (next === undefined) break;
      since = Number(next);
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 601 }, (_, at) => `#${at + 1}`),
    );
    const { text } = await harness.cold({ last: 1 });
    assert.match(linesOf(text)[0] ?? "", /x…\(\+58\d\d\d\)$/);
  });

  it("states how many events were left out between two because the log was full, and all forms count them", async (t) => {
    const harness = await readingHarness(t, { maxMib: 1 });
    const filling = "z".repeat(900);
    for (let round = 0; round < 30; round++)
      await harness.send(
        ...Array.from({ length: 100 }, (_, at) => ({ hypothesisId: "AB"[at % 2], msg: filling })),
      );
    const served = await fetch(`${harness.url}/logs`);
    const there = ((await served.json()) as object[]).length;
    assert.equal(there + Number(served.headers.get("debug-left-out")), 3_000);
    await harness.server.stop();
    const { dropped } = (await harness.cold({ format: "summary" })).result as { dropped: number };
    assert.ok(dropped > 100);
    const all = await harness.cold({ format: "ndjson" });
    assert.deepEqual([all.count, all.dropped], [3_000 - dropped, dropped]);
    assert.equal((await harness.cold({ format: "json" })).dropped, dropped);
    const whole = (await harness.cold({ limit: 5_000 })).text;
    assert.ok(!whole.includes("left out"), "what is shown ends before the place");
    const seqs = (all.text.match(/"_seq":\d+/g) ?? []).map((text) => Number(text.slice(7)));
    const before = seqs.findIndex((seq, at) => seqs[at + 1] !== seq + 1);
    const [last = 0, next = 0] = seqs.slice(before);
    const around = { since: last - 2, before: next + 2 };
    const rows = linesOf((await harness.cold(around)).text).map((line) => /^(?:#\d+|….*)/.exec(line)?.[0]);
    const told = `… up to ${dropped.toLocaleString("en")} events left out here: the log was full …`;
    assert.deepEqual(rows, [`#${last - 1}`, `#${last}`, told, `#${next}`, `#${next + 1}`]);
    const ofOne = await harness.cold({ hypothesisId: ["A"], format: "ndjson" });
    // It is unknown which of the omitted events named it.
    assert.equal(ofOne.dropped, dropped);
    // The events of an answer are complete.
    for (const asked of [{ last: 5 }, { since: next }, { before: last }])
      assert.equal((await harness.cold({ ...asked, format: "ndjson" })).dropped, 0, JSON.stringify(asked));
    assert.equal((await harness.cold({ limit: 5 })).dropped, 0);
  });

  it("says after the frame that bodies were refused, and where they are", async (t) => {
    const harness = await readingHarness(t);
    await harness.send(EVENT);
    assert.equal(remarkOf((await harness.cold()).text), "");
    const { status } = await ask(harness.url, { body: '{"total": NaN}' });
    assert.equal(status, 400);
    const where = basename(harness.server.info.log_file).replace("-log-", "-rejected-");
    assert.equal(remarkOf((await harness.cold()).text), `1 body or part of one was refused: see ${where}.`);
    assert.match((await harness.cold({ hypothesisId: ["Z"] })).text, /^No event matches\.\n1 body or part/);
  });

  it("prints a summary as lines", async (t) => {
    const harness = await readingHarness(t);
    const data = { name: "\u202e\u00ad\u001b[2J" };
    await harness.send({ location: "\u202ea.ts\u00ad", data }, { ...EVENT, runId: "post" });
    const summary = linesOf((await harness.cold({ format: "summary" })).text);
    assert.match(summary[0] ?? "", /^2 events, .+ to .+; the run is pre-fix$/);
    assert.ok(summary.includes("by run, hypothesis and place:"));
    assert.ok(
      summary.some((line) => line.includes('"\\u202ea.ts\\u00ad"')),
      summary.join("\n"),
    );
  });

  it("of a summary stays under 4 KB with 10,000 places and hostile text, and counts every event", async (t) => {
    const harness = await readingHarness(t);
    const hostile = '\u001b[2J\u202e\u{e0041}\u2028"\\\ud800'.repeat(4);
    const event = (at: number): object => ({ hypothesisId: `H${at % 50}`, location: `${hostile}${at}` });
    for (let from = 0; from < 10_000; from += 1_000)
      await harness.send(...Array.from({ length: 1_000 }, (_, at) => event(from + at)));
    await harness.send(...Array.from({ length: 20 }, () => ({ location: "huge", msg: hostile.repeat(40) })));
    const { text } = await harness.get({ format: "summary" });
    assert.ok(Buffer.byteLength(text) < 4_096, `${Buffer.byteLength(text)} bytes`);
    assert.deepEqual((await harness.cold({ format: "summary" })).result, JSON.parse(text));
    const { events, counts, more } = JSON.parse(text) as {
      readonly events: number;
      readonly counts: readonly { readonly location: string; readonly events: number }[];
      readonly more: string;
    };
    const [, left, rest] = /and (\d+) more, (\d+) events/.exec(more) ?? [];
    const shown = counts.reduce((sum, row) => sum + row.events, 0);
    assert.deepEqual([events, shown + Number(rest), counts.length + Number(left)], [10_020, 10_020, 10_001]);
    // The commonest comes first.
    assert.deepEqual([counts[0]?.location, counts[0]?.events], ["huge", 20]);
  });
});
