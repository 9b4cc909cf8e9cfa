import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { GAP_START } from "../log/gap-line.ts";
import { lineFacts } from "./line-facts.ts";
import { LineScanner } from "./line-scanner.ts";
import { effort } from "../../../../contract-tests/effort.ts";

const NAMES = [
  "hypothesisId",
  "_run",
  "runId",
  "location",
  "msg",
  "message",
  "_seq",
  "_at",
  "traceId",
  "data",
];
const name = fc.oneof({ arbitrary: fc.constantFrom(...NAMES), weight: 4 }, fc.string({ unit: "binary" }));
const text = fc.oneof(
  fc.constantFrom("", "A,D", "pre", "[DEBUG] seen", '"', "\\", "é", "\u2028"),
  fc.string({ unit: "binary" }),
);
const number = fc.oneof(
  fc.constantFrom("-0", "0", "9007199254740993", "1e3", "0.5", "-7", "01", "1.", "12345678901234567890"),
  fc.nat().map(String),
);
const value: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: text.map((one) => JSON.stringify(one)), weight: 4 },
  { arbitrary: number, weight: 2 },
  fc.constantFrom("null", "true", "false", "nul", '"\\u0041"', '"\\x"'),
  fc.json({ maxDepth: 3 }),
  fc.array(text).map((list) => JSON.stringify(list)),
);
const key = fc.oneof(
  { arbitrary: name.map((one) => JSON.stringify(one)), weight: 9 },
  fc.constantFrom('"\\u005fseq"', '"_ru\\u006e"', '"trace\\u0049d"'),
);
const blank = fc.constantFrom("", "", "", " ", "\t", "\r ");
const member = fc
  .tuple(blank, key, blank, value, blank)
  .map(([a, called, b, one, c]) => `${a}${called}${b}:${one}${c}`);
const object = fc.array(member, { maxLength: 12 }).map((members) => `{${members.join(",")}}`);
const line = fc.oneof(
  { arbitrary: object, weight: 5 },
  object.map((one) => `${GAP_START}","_gap":{"events":3,"toSeq":2,"counts":[]},"data":${one}}`),
  value,
);
/** A byte somewhere in a line that is another one, or missing, as after a torn write. */
const harm = fc.option(fc.record({ at: fc.nat(), byte: fc.nat(255), cut: fc.boolean() }), { freq: 2 });

function bytesOf(
  lines: readonly { text: string; harm: { at: number; byte: number; cut: boolean } | null }[],
) {
  return lines.map(({ text: whole, harm: done }) => {
    const bytes = Buffer.from(whole.replaceAll("\n", " "));
    if (!done || bytes.length === 0) return bytes;
    const at = done.at % bytes.length;
    if (done.cut) return bytes.subarray(0, at);
    bytes[at] = done.byte === 10 ? 0 : done.byte;
    return bytes;
  });
}

describe("LineScanner", () => {
  it("never tells of a line what reading all of it would not tell", () => {
    let told = 0;
    const scanner = new LineScanner();
    fc.assert(
      fc.property(fc.array(fc.record({ text: line, harm }), { minLength: 1, maxLength: 8 }), (made) => {
        const lines = bytesOf(made);
        const bytes = Buffer.concat(lines.flatMap((one) => [one, Buffer.from("\n")]));
        scanner.begin(bytes);
        let start = 0;
        for (const one of lines) {
          const facts = scanner.facts(start, start + one.length);
          start += one.length + 1;
          if (!facts) continue;
          told += 1;
          assert.deepEqual(facts, lineFacts(one.toString()));
        }
      }),
      { numRuns: effort(500, 9_000) },
    );
    assert.ok(told > 100, `${told} lines`);
  });

  it("tells of a stored line without the slow way", () => {
    const stored =
      '{"hypothesisId":["A","D"],"location":"a.ts:1","msg":"x","traceId":"t","_seq":7,"_at":9,"_run":"pre"}';
    const scanner = new LineScanner();
    scanner.begin(Buffer.from(`${stored}\n`));
    assert.deepEqual(scanner.facts(0, stored.length), lineFacts(stored));
    assert.equal(lineFacts(stored).kind, "event");
  });
});
