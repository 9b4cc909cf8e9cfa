import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { EventWriter, type Stamp, type Stamped } from "../store/event/event-writer.ts";
import { Redaction } from "../store/event/redaction.ts";

const STAMP: Stamp = { firstSeq: 1, at: 1_766_000_000_000, run: "pre-fix", source: "event" };

function stamp(body: string, changed: Partial<Stamp> = {}): Stamped {
  const writer = new EventWriter("login-timeout", new Redaction());
  return writer.write(Buffer.from(body), { ...STAMP, ...changed });
}

function line(body: unknown, changed: Partial<Stamp> = {}): string {
  return stamp(JSON.stringify(body), changed).lines.join("");
}

describe("the storage of an event", () => {
  it("adds only missing fields, and its own at the end", () => {
    const tail = '"_seq":1,"_at":1766000000000,"_run":"pre-fix","_src":"event"}\n';
    assert.equal(line({}), `{"sessionId":"login-timeout","ts":1766000000000,"runId":"pre-fix",${tail}`);
    const full = { ts: "2026-01-01T00:00:00Z", runId: "pre", sessionId: "other", msg: null };
    assert.equal(line(full), `${JSON.stringify(full).slice(0, -1)},${tail}`);
  });

  it("accepts a probe of Cursor with message, timestamp, and the session of the header", () => {
    const probe = { location: "a.js:1", message: 'm " é', data: {}, timestamp: 1_766_000_000_001 };
    const stored = JSON.parse(line(probe, { session: "3f2a91", source: "ingest" })) as Record<
      string,
      unknown
    >;
    assert.deepEqual(
      [stored["msg"], stored["ts"], stored["sessionId"], stored["_src"]],
      [probe.message, probe.timestamp, "3f2a91", "ingest"],
    );
    assert.deepEqual([stored["message"], stored["timestamp"]], [probe.message, probe.timestamp]);
  });

  it("uses the server's time if a timestamp is not in whole milliseconds", () => {
    for (const timestamp of ["2026-01-01", 1.5, -1, null, [1], "1766000000001"]) {
      assert.match(line({ timestamp }), /"ts":1766000000000,/);
    }
  });

  it("lets the event name its session, then the header, then the server", () => {
    assert.match(line({ sessionId: "own" }, { session: "header" }), /^\{"sessionId":"own",/);
    assert.match(line({}, { session: "header" }), /^\{"sessionId":"header",/);
    assert.match(line({}, { session: "" }), /^\{"sessionId":"login-timeout",/);
  });

  it("reads pre as pre-fix and post as post-fix, and an unknown name as the current run", () => {
    const runs = {
      pre: "pre-fix",
      "pre-fix": "pre-fix",
      "pre-fix-2": "pre-fix-2",
      post: "post-fix",
      "post-fix": "post-fix",
      "post-fix-2": "post-fix-2",
      "post-fix3": "post-fix3",
      "post-fix-2-kept": "post-fix-2-kept",
      doctor: "doctor",
      run1: "served",
      Pre: "served",
      "pre-fixed": "served",
      "": "served",
    };
    for (const [runId, normal] of Object.entries(runs)) {
      const stored = line({ runId }, { run: "served" });
      assert.ok(stored.startsWith(`{"runId":"${runId}",`));
      assert.match(stored, new RegExp(`"_run":"${normal}"`));
    }
    for (const runId of [7, ["pre"], {}, false])
      assert.match(line({ runId }, { run: "served" }), /"_run":"served"/);
    assert.match(line({ runId: null }, { run: "post" }), /"runId":null,.*"_run":"post-fix"/);
    assert.match(line({}, { run: "post" }), /"runId":"post",.*"_run":"post-fix"/);
  });

  it("keeps the sent text byte for byte except for line ends, with its numbers, escapes and spaces", () => {
    const sent = '{ "m":1.10, "e":"\\u00e9\\/", "o":{"a" :[1 ,2e3]}}';
    const [, stored = ""] = stamp(`{}\n${sent}`).lines;
    assert.ok(stored.startsWith(sent.slice(0, -1)), stored);
    assert.ok((stamp(sent.replace(", ", ",\r\n\t  ")).lines[0] ?? "").startsWith('{ "m":1.10,"e"'));
  });

  it("stores a number that readers of JSON would change as a text with its digits", () => {
    const numbers = ["12345678901234567890", "1e400", "-0", "0.12345678901234567890", "1e-400"];
    const sent = `{"n":[${numbers.join()},1.50,2e3,9007199254740991],"x":"12345678901234567890"}`;
    for (const body of [sent, `[${sent}]`]) {
      const stored = JSON.parse(stamp(body).lines[0] ?? "") as Record<string, unknown>;
      assert.deepEqual(stored["n"], [...numbers, 1.5, 2000, 9_007_199_254_740_991]);
      assert.deepEqual(stored["_flags"], ["number"]);
    }
    const secret = JSON.parse(stamp('{"cvv":12345678901234567890}').lines[0] ?? "") as Record<
      string,
      unknown
    >;
    assert.equal(secret["cvv"], "[redacted]");
  });

  it("uses the last value of a repeated field, as readers of the line do", () => {
    const sent = '{"runId":"a","password":"hunter2","runId":"post","password":null}';
    const [stored = ""] = stamp(sent).lines;
    assert.match(stored, /^\{"runId":"post","password":null,"sessionId".*"_run":"post-fix"/);
  });

  it("renames fields that only the server writes, on the first level only", () => {
    const stored = JSON.parse(line({ _seq: 99, _flags: ["x"], _gap: {}, data: { _seq: 5 } })) as Record<
      string,
      unknown
    >;
    assert.deepEqual(
      [stored["_seq"], stored["__seq"], stored["__flags"], stored["__gap"], stored["data"]],
      [1, 99, ["x"], {}, { _seq: 5 }],
    );
    assert.deepEqual(stored["_flags"], ["renamed"]);
  });

  it("gives every event of the body the flags of the request, after its own", () => {
    const flags = ["foreign-origin"];
    const texts = stamp('{}\n{"n":1e400}', { flags }).lines;
    assert.match(texts[0] ?? "", /"_flags":\["foreign-origin"\]\}\n$/);
    assert.match(texts[1] ?? "", /"_flags":\["number","foreign-origin"\]\}\n$/);
  });

  it("refuses a session that could be a path, wherever it is named", () => {
    for (const session of ["../x", "a/b", "a\\b", "..", ".", "a\0b", "C:\\x", "a\nb", "a".repeat(300)]) {
      const own = stamp(JSON.stringify({ sessionId: session }));
      assert.equal(own.rejection?.code, "DEBUG_BAD_SESSION", session);
      const named = stamp('{"a":1}\n{"a":2}', { session });
      assert.deepEqual([named.lines.length, named.rejection?.code], [0, "DEBUG_BAD_SESSION"]);
    }
    for (const session of ["debug-session", "a.b", "...", "会话", "a b", 1, null, ["../x"]])
      assert.equal(stamp(JSON.stringify({ sessionId: session })).lines.length, 1);
  });
});
