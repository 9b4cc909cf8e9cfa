import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { EventWriter, type Stamped } from "../store/event/event-writer.ts";
import { Redaction } from "../store/event/redaction.ts";

const STAMP = { firstSeq: 1, at: 1_766_000_000_000, run: "pre-fix", source: "event" } as const;
const MOST_STRING = 65_536;
const BODY = 1_048_576;

type Line = Readonly<Record<string, unknown>>;

function stamp(body: string): Stamped {
  return new EventWriter({ session: "login-timeout", redaction: new Redaction() }).write(
    Buffer.from(body),
    STAMP,
  );
}

function linesOf({ lines }: Stamped): readonly Line[] {
  return lines.map((text) => JSON.parse(text) as Line);
}

function codes({ rejection }: Stamped): readonly string[] {
  return rejection ? [rejection.code] : [];
}

function nested(levels: number, open: string, close: string): string {
  return open.repeat(levels) + close.repeat(levels);
}

describe("limits of events", () => {
  it("takes 32 levels and no more", () => {
    assert.deepEqual(codes(stamp(`{"a":${nested(31, "[", "]")}}`)), []);
    assert.deepEqual(codes(stamp(`{"a":${nested(32, "[", "]")}}`)), ["DEBUG_TOO_DEEP"]);
    const objects = (levels: number): string =>
      nested(levels - 1, '{"a":', "}").replace('{"a":}', '{"a":{}}');
    assert.deepEqual(codes(stamp(objects(32))), []);
    assert.deepEqual(codes(stamp(objects(33))), ["DEBUG_TOO_DEEP"]);
    assert.deepEqual(codes(stamp("[".repeat(100_000))), ["DEBUG_TOO_DEEP"]);
  });

  it("takes 10,000 keys on all levels and no more", () => {
    const keys = (count: number): string =>
      `{"deep":{${Array.from({ length: count - 1 }, (_, key) => `"k${key}":0`).join(",")}}}`;
    const whole = stamp(keys(10_000));
    assert.deepEqual(codes(whole), []);
    assert.equal(Object.keys(linesOf(whole)[0]?.["deep"] as object).length, 9_999);
    assert.equal(linesOf(whole)[0]?.["_flags"], undefined);
    assert.deepEqual(codes(stamp(keys(10_001))), ["DEBUG_TOO_DEEP"]);
    const event = `{"text":"${'\\"a\\":'.repeat(20_000)}","k":1}`;
    assert.deepEqual(codes(stamp(`[${event},${keys(9_999)}]`)), []);
  });

  it("refuses 60,000 keys before a parser has made an object of them, which took 140 ms", (t) => {
    const parse = t.mock.method(JSON, "parse");
    const body = `{${Array.from({ length: 60_000 }, (_, key) => `"k${key}" : 1`).join(",")}}`;
    assert.deepEqual(codes(stamp(body)), ["DEBUG_TOO_DEEP"]);
    assert.deepEqual(codes(stamp(`{}\n${body}`)), ["DEBUG_TOO_DEEP"]);
    assert.equal(parse.mock.callCount(), 0);
  });

  it("takes 1,000 events and no more, bad ones counted", () => {
    const lines = (count: number): string => "{}\n".repeat(count);
    const array = (count: number): string => `[${Array.from({ length: count }, () => "{}").join(",")}]`;
    for (const body of [lines(1000), array(1000), `${lines(500)}${array(500)}`])
      assert.equal(stamp(body).lines.length, 1000);
    for (const body of [
      lines(1001),
      array(1001),
      `${lines(500)}${array(501)}`,
      `${lines(500)}${"x\n".repeat(501)}`,
    ]) {
      const { lines: stored, rejection } = stamp(body);
      assert.deepEqual(
        [stored.length, rejection?.code, rejection?.bytes.length],
        [0, "DEBUG_TOO_MANY", Math.min(4096, body.length)],
      );
    }
  });

  it("cuts a string over 64 KiB and says how many bytes are missing", () => {
    const cut = (text: string): unknown => linesOf(stamp(JSON.stringify({ data: [text] })))[0];
    const kept = cut("a".repeat(MOST_STRING)) as Line;
    assert.deepEqual([kept["data"], kept["_flags"]], [["a".repeat(MOST_STRING)], undefined]);
    const one = cut("a".repeat(MOST_STRING + 1)) as Line;
    assert.deepEqual(one["data"], [`${"a".repeat(MOST_STRING)}…(+1 bytes)`]);
    assert.deepEqual(one["_flags"], ["cut"]);
    const wide = cut(`a${"é".repeat(40_000)}`) as Line;
    assert.deepEqual(wide["data"], [`a${"é".repeat(32_767)}…(+${(40_000 - 32_767) * 2} bytes)`]);
    const faces = cut("😀".repeat(20_000)) as Line;
    assert.deepEqual(faces["data"], [`${"😀".repeat(16_384)}…(+${(20_000 - 16_384) * 4} bytes)`]);
  });

  it("cuts a key over 64 KiB as it cuts a text", () => {
    const long = "k".repeat(MOST_STRING + 2);
    const [line] = linesOf(stamp(JSON.stringify({ data: { [long]: 1 } })));
    assert.deepEqual(line?.["data"], { [`${"k".repeat(MOST_STRING)}…(+2 bytes)`]: 1 });
    assert.deepEqual(line?.["_flags"], ["cut"]);
  });

  it("counts what an escaped string means, not how it is written", () => {
    const escaped = `{"data":"${"\\n".repeat(40_000)}"}`;
    assert.equal(linesOf(stamp(escaped))[0]?.["_flags"], undefined);
    assert.deepEqual(linesOf(stamp(`{"data":"${"\\n".repeat(70_000)}"}`))[0]?.["_flags"], ["cut"]);
  });

  it("refuses an event that would be longer than 1 MiB once it is harmless", () => {
    const text = "\u00ad".repeat(30_000);
    const harmless = 6 * 30_000 + 3;
    const fits = Math.floor((BODY - 10) / harmless);
    const event = (count: number): string => JSON.stringify({ a: Array.from({ length: count }, () => text) });
    assert.deepEqual(codes(stamp(event(fits))), []);
    assert.deepEqual(codes(stamp(`{}\n${event(fits + 1)}`)), ["BODY_TOO_LARGE"]);
  });

  it("takes a body of 1 MiB in one event", () => {
    const filler = Array.from({ length: 18 }, () => "x".repeat(58_000));
    const large = stamp(JSON.stringify({ message: "m", filler }));
    assert.deepEqual(linesOf(large)[0]?.["filler"], filler);
  });

  it("does not write over the next event when a run is a long list", () => {
    const run = JSON.stringify({ runId: Array.from({ length: 150_000 }, () => "") });
    const stamped = stamp(`${run}\n{"n":1,"location":"a.ts:1"}\n{"n":2}`);
    assert.deepEqual(codes(stamped), []);
    const [first, second, third] = linesOf(stamped);
    assert.equal((first?.["runId"] as unknown[] | undefined)?.length, 150_000);
    assert.equal(first?.["_run"], "pre-fix");
    assert.deepEqual([second?.["n"], second?.["location"], third?.["n"]], [1, "a.ts:1", 2]);
  });

  it("keeps the fields of an event with many keys", () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, key) => [`key${key}`, key]));
    const stamped = stamp(
      JSON.stringify({ ...many, runId: "post", hypothesisId: "B", sessionId: "mine", ts: 5 }),
    );
    const [line] = linesOf(stamped);
    assert.deepEqual(
      [line?.["runId"], line?.["sessionId"], line?.["ts"], line?.["_run"]],
      ["post", "mine", 5, "post-fix"],
    );
    assert.deepEqual([line?.["_flags"], line?.["hypothesisId"]], [undefined, "B"]);
  });
});
