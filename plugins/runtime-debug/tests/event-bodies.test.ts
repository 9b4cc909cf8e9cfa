import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { Stamper } from "../store/event/stamper.ts";
import type { Stamped } from "../store/event/stamped.ts";
import { effort } from "../../../contract-tests/effort.ts";

const STAMP = { firstSeq: 1, at: 1_766_000_000_000, run: "pre-fix", source: "event" } as const;
const stamper = new Stamper({ session: "login-timeout", keepSecrets: true });

function stamp(body: string | Uint8Array): Stamped {
  return stamper.stamp(Buffer.from(body as string), STAMP);
}

function linesOf({ lines }: Stamped): readonly string[] {
  return Buffer.from(lines).toString().split("\n").slice(0, -1);
}

function codes({ rejected }: Stamped): readonly string[] {
  return rejected.map(({ code }) => code);
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
/** A lone brace may begin an object over many lines, and takes the rest of the body with it. */
const anyBadLine = fc.constantFrom(...BAD_LINES.filter(([line]) => line !== "{"));
const anyBreak = fc.constantFrom("\n", "\r\n", "\n\n", " \n\t\r\n");

describe("bodies of events", () => {
  it("stores the good lines, in order, and names each bad one", () => {
    const anyLine = fc.oneof(
      fc.integer({ min: 0, max: 99 }).map((n) => [`{"n":${n}}`, ""] as const),
      anyBadLine,
    );
    fc.assert(
      fc.property(
        fc.array(anyLine, { minLength: 1, maxLength: 12 }),
        anyBreak,
        fc.boolean(),
        fc.boolean(),
        (lines, ends, last, marked) => {
          const body = (marked ? "\ufeff" : "") + lines.map(([line]) => line).join(ends) + (last ? ends : "");
          const stamped = stamp(body);
          const good = lines.filter(([, code]) => code === "");
          const bad = lines.filter(([, code]) => code !== "");
          assert.equal(stamped.count, good.length);
          assert.deepEqual(
            linesOf(stamped).map((line) => line.split(",")[0]),
            good.map(([line]) => line.slice(0, -1)),
          );
          assert.deepEqual(
            codes(stamped),
            bad.map(([, code]) => code),
          );
          assert.deepEqual(
            stamped.rejected.map(({ bytes }) => Buffer.from(bytes).toString().trim()),
            bad.map(([line]) => line),
          );
        },
      ),
      { numRuns: effort(33, 600) },
    );
  });

  it("says which line is none, and at which character", () => {
    const sentences = (body: string): readonly string[] =>
      stamp(body).rejected.map(({ sentence }) => sentence);
    assert.deepEqual(sentences('{"a":1}\n\n{"a":x}\n[1]'), [
      "Line 3 is no JSON (character 6).",
      "Element 1 of the array is no object.",
    ]);
    assert.deepEqual(sentences('{"a":x}'), ["The body is no JSON (character 6)."]);
    assert.deepEqual(sentences('[{"a":1},{"a":1} {"a":1}]'), ["The array is no JSON."]);
  });

  it("takes an array whole or not at all", () => {
    const stored = stamp('{"a":0}\n[ {"a":1} ,\n{"a":2}]\n{"a":3}');
    assert.deepEqual([stored.count, codes(stored)], [4, []]);
    const refused = stamp('{"a":0}\n[{"a":1},{"a":2},3]');
    assert.deepEqual([refused.count, codes(refused)], [1, ["DEBUG_NOT_OBJECT"]]);
    assert.match(linesOf(refused)[0] ?? "", /^\{"a":0,.*"_seq":1,/);
    for (const body of [
      "[]",
      "[",
      '[{"a":1}',
      '[{"a":1},]',
      '[{"a":1}}',
      "[[]]",
      '[{"sessionId":"a/b"},{}]',
    ]) {
      const { count, rejected } = stamp(body);
      assert.deepEqual([count, rejected.length], [0, 1], body);
      assert.equal(Buffer.from(rejected[0]?.bytes ?? []).toString(), body);
    }
  });

  it("refuses a body without anything in it", () => {
    for (const body of ["", " ", "\r\n\t", "\ufeff", "\ufeff\n"])
      assert.deepEqual(codes(stamp(body)), ["DEBUG_BAD_JSON"], JSON.stringify(body));
  });

  it("numbers events without a gap where others were refused", () => {
    const stamped = stamp("{}\nnope\n{}\n[{},{},1]\n");
    assert.deepEqual(
      linesOf(stamped).map((line) => (JSON.parse(line) as { _seq: number })._seq),
      [1, 2],
    );
  });

  it("refuses what is not UTF-8, alone", () => {
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
      const stamped = stamp(Buffer.concat([good, bad, good]));
      assert.deepEqual([stamped.count, codes(stamped)], [2, ["DEBUG_BAD_JSON"]], String(bytes));
      assert.match(stamped.rejected[0]?.sentence ?? "", /^Line 2 is not UTF-8/);
      assert.deepEqual(Buffer.from(stamped.rejected[0]?.bytes ?? []), bad.subarray(0, -1));
    }
  });
});
