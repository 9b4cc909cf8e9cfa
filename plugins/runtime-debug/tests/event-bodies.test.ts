import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { EventWriter, type Stamped } from "../store/event/event-writer.ts";

const STAMP = { firstSeq: 1, at: 1_766_000_000_000, run: "pre-fix" } as const;
const writer = new EventWriter({ session: "login-timeout", redaction: undefined });

function written(body: string | Uint8Array): Stamped {
  return writer.write(Buffer.from(body as string), { ...STAMP, source: "event" });
}

const BAD_LINES: readonly (readonly [line: string, code: string])[] = [
  ["nope", "DEBUG_BAD_JSON"],
  ["{", "DEBUG_BAD_JSON"],
  ['{"a":}', "DEBUG_BAD_JSON"],
  ['{"a":01}', "DEBUG_BAD_JSON"],
  ['{"a":1,}', "DEBUG_BAD_JSON"],
  ['{"a":"\u0001"}', "DEBUG_BAD_JSON"],
  ['{"a":"\\x"}', "DEBUG_BAD_JSON"],
  ["{'a':1}", "DEBUG_BAD_JSON"],
  ["\0", "DEBUG_BAD_JSON"],
  ["12", "DEBUG_NOT_OBJECT"],
  ['"text"', "DEBUG_NOT_OBJECT"],
  ["null", "DEBUG_NOT_OBJECT"],
  [`${'{"a":'.repeat(33)}1${"}".repeat(33)}`, "DEBUG_TOO_DEEP"],
  ['{"sessionId":"../../x"}', "DEBUG_BAD_SESSION"],
];
describe("bodies of events", () => {
  it("are stored whole, or not at all where a line is no event", () => {
    for (const end of ["\n", "\r\n", "\n\n", " \n\t\r\n"])
      for (const [line, code] of BAD_LINES) {
        const good = `\ufeff{"n":1}${end}{"n":2}${end}`;
        assert.equal(written(good).lines.length, 2);
        const body = `${good}${line}${end}{"n":3}`;
        const { lines, rejection } = written(body);
        assert.deepEqual([lines.length, rejection?.code], [0, code], body);
        assert.equal(Buffer.from(rejection?.bytes ?? []).toString(), body);
      }
  });

  it("are refused with the line or element that is none", () => {
    const sentence = (body: string): string | undefined => written(body).rejection?.sentence;
    assert.equal(sentence('{"a":1}\n\n{"a":x}\n[1]'), "Line 3 is no JSON.");
    assert.equal(sentence('{"a":1}\n[{},1]'), "Element 2 of line 2 is no object.");
    assert.equal(sentence("[{},[]]"), "Element 2 of the array is no object.");
    const deep = `${'{"a":'.repeat(33)}1${"}".repeat(33)}`;
    const limit = "is nested deeper than 32 levels, or has more than 10,000 keys.";
    assert.equal(sentence(deep), `The body ${limit}`);
    assert.equal(sentence(`{}\n\n${deep}`), `Line 3 ${limit}`);
    assert.equal(sentence(`[{},${deep}]`), `Element 2 of the array ${limit}`);
    assert.equal(sentence(`{}\n[{},${deep}]`), `Line 2 ${limit}`);
    assert.equal(sentence('{"a":x}'), "The body is no JSON.");
    assert.equal(sentence('[{"a":1},{"a":1} {"a":1}]'), "The body is no JSON.");
    assert.equal(sentence("[]"), "The body is a list without events.");
    assert.equal(sentence(" "), "The body is empty.");
  });

  it("hold an object over many lines, an array, or both one a line", () => {
    const first = (body: string): readonly unknown[] =>
      written(body).lines.map((line) => (JSON.parse(line) as { a: unknown }).a);
    assert.deepEqual(first('{\n  "a": [\n    1,\r\n\t2 ]\n}\n'), [[1, 2]]);
    assert.deepEqual(first('[ {"a":"}],["} ,\n{"a":"\\\\\\""}]'), ["}],[", '\\"']);
    assert.deepEqual(first('{"a":0}\n[ {"a":1} ,{"a":2}]\n{"a":3}'), [0, 1, 2, 3]);
    assert.equal(written('{ "a" : 1.0 }').lines[0]?.slice(0, 13), '{ "a" : 1.0 ,');
  });

  it("that are not UTF-8 are refused", () => {
    const good = Buffer.from('{"a":"é"}\n');
    for (const bytes of [
      [0xff],
      [0xc3],
      [0xc0, 0x80],
      [0xed, 0xa0, 0x80],
      [0xf5, 0x80, 0x80, 0x80],
      [0xe2, 0x80],
    ]) {
      const bad = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}\n')]);
      const body = Buffer.concat([good, bad, good]);
      const { lines, rejection } = written(body);
      assert.deepEqual([lines.length, rejection?.code], [0, "DEBUG_BAD_JSON"]);
    }
  });
});
