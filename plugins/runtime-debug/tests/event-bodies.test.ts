import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { ANY_CHARACTER } from "../../../contract-tests/any-character.ts";
import { effort } from "../../../contract-tests/harness.ts";
import { EventWriter, type Stamped } from "../store/event/event-writer.ts";
import { Redaction } from "../store/event/redaction.ts";

const STAMP = { firstSeq: 1, at: 1_766_000_000_000, run: "pre-fix", source: "event" } as const;
const MOST_STRING = 65_536;
const writer = new EventWriter("login-timeout", new Redaction());

type Line = Readonly<Record<string, unknown>>;

const written = (body: string | Uint8Array): Stamped => writer.write(Buffer.from(body as string), STAMP);
const linesOf = ({ lines }: Stamped): readonly Line[] => lines.map((text) => JSON.parse(text) as Line);
const codeOf = (body: string | Uint8Array): string | undefined => written(body).rejection?.code;
const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
const withKeys = (count: number): string =>
  `{"deep":{${Array.from({ length: count - 1 }, (_, key) => `"k${key}":0`).join()}}}`;

const BAD_LINES: readonly (readonly [line: string, code: string])[] = [
  ["nope", "DEBUG_BAD_JSON"],
  ['{"a":01}', "DEBUG_BAD_JSON"],
  ['{"a":1,}', "DEBUG_BAD_JSON"],
  ['{"a":"\u0001"}', "DEBUG_BAD_JSON"],
  ['{"a":12345678901234567890.5.5}', "DEBUG_BAD_JSON"],
  ["12", "DEBUG_NOT_OBJECT"],
  ["null", "DEBUG_NOT_OBJECT"],
  [`[${"[".repeat(100_000)}`, "DEBUG_BAD_JSON"],
  ['{"sessionId":"../../x"}', "DEBUG_BAD_SESSION"],
];

describe("bodies of events", () => {
  it("are stored completely, or not at all if a line is not an event", () => {
    for (const end of ["\n", "\r\n", " \n\t\r\n"])
      for (const [line, code] of BAD_LINES) {
        const good = `\ufeff{"n":1}${end}{"n":2}${end}`;
        assert.equal(written(good).lines.length, 2);
        const { lines, rejection } = written(`${good}${line}${end}{"n":3}`);
        assert.deepEqual([lines.length, rejection?.code], [0, code], line);
      }
  });

  it("are refused with the line or element that is not an event", () => {
    const sentence = (body: string): string | undefined => written(body).rejection?.sentence;
    assert.equal(sentence('{"a":1}\n\n{"a":x}\n[1]'), "Line 3 is not JSON.");
    assert.equal(sentence('{"a":1}\n[{},1]'), "Element 2 of line 2 is not an object.");
    assert.equal(sentence("[{},[]]"), "Element 2 of the array is not an object.");
    assert.equal(sentence('[{"a":1},{"a":1} {"a":1}]'), "The body is not JSON.");
    assert.equal(sentence("[]"), "The body is a list without events.");
    assert.equal(sentence(" "), "The body is empty.");
  });

  it("are refused in linear time if a string of a megabyte has no end", () => {
    const begun = performance.now();
    assert.equal(codeOf(`{"a":"${'\\"'.repeat(500_000)}`), "DEBUG_BAD_JSON");
    assert.ok(performance.now() - begun < 3_000);
  });

  it("keep the digits of their numbers in the texts of events that are left out", () => {
    const body = '{"sessionId":"../x","big":12345678901234567890}';
    const { leftOut } = writer.write(Buffer.from(`[${body}]`), { ...STAMP, each: true });
    assert.match(leftOut?.[0]?.text ?? "", /"big":"12345678901234567890"/);
  });

  it("may be an object over many lines, an array, or a line for each of these", () => {
    const first = (body: string): readonly unknown[] => linesOf(written(body)).map(({ a }) => a);
    assert.deepEqual(first('{\n  "a": [\n    1,\r\n\t2 ]\n}\n'), [[1, 2]]);
    assert.deepEqual(first('[ {"a":"}],["} ,\n{"a":"\\\\\\""}]'), ["}],[", '\\"']);
    assert.deepEqual(first('{"a":0}\n[ {"a":1} ,{"a":2}]\n{"a":3}'), [0, 1, 2, 3]);
    assert.equal(written('{ "a" : 1.0 }').lines[0]?.slice(0, 13), '{ "a" : 1.0 ,');
  });

  it("that are not UTF-8 are refused", () => {
    for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x80]])
      assert.equal(
        codeOf(Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')])),
        "DEBUG_BAD_JSON",
      );
  });

  it("with any content are refused, or stored as lines that can be read", () => {
    const anyPart = fc.oneof(
      fc.constantFrom(...'{}[]:,"\\\n\r\t 01-.eE', "true", '"a"', '{"a":1}', '{"b":[{}]}', "\ufeff"),
      fc.string({ unit: ANY_CHARACTER, maxLength: 4 }),
      fc.json({ maxDepth: 2 }),
    );
    const property = fc.property(fc.array(anyPart, { maxLength: 14 }), (parts) => {
      const { lines, rejection } = written(parts.join(""));
      assert.equal(lines.length === 0, rejection !== undefined);
      for (const line of lines) {
        assert.equal(line.indexOf("\n"), line.length - 1);
        assert.equal((JSON.parse(line) as Line)["_src"], "event");
      }
    });
    fc.assert(property, { numRuns: effort(200, 6_000) });
  });
});

describe("limits of events", () => {
  it("are 32 levels and 10,000 keys in total: an event beyond them is cut, and the others are stored", () => {
    const flags = (body: string): readonly unknown[] =>
      linesOf(written(`{"n":1}\n${body}\n{"n":3}`)).map(({ _flags }) => _flags);
    for (const body of [deep(32), withKeys(10_000)])
      assert.deepEqual(flags(body), [undefined, undefined, undefined]);
    const both = written(`[${withKeys(9_000)},${withKeys(9_000)}]`);
    assert.deepEqual(
      linesOf(both).map(({ _flags }) => _flags),
      [undefined, undefined],
    );
    for (const body of [deep(33), `{"a":${"[".repeat(32)}${"]".repeat(32)}}`, withKeys(10_001)])
      assert.deepEqual(flags(body), [undefined, ["cut"], undefined]);
    assert.deepEqual(flags(`{${'"k":1,'.repeat(10_001)}"k":1}`), [undefined, ["cut", "doubled"], undefined]);
    const [nested = {}] = linesOf(written(`{"data":[1,${deep(60)},2],"hypothesisId":"A"}`));
    assert.deepEqual([nested["hypothesisId"], (nested["data"] as unknown[])[2]], ["A", 2]);
    assert.match(JSON.stringify(nested), /\{"a":"…\(\+\d+ bytes\)"\}/);
    const many = `{"data":{"first":${withKeys(10_001)},"next":[{"b":1}]},"more":[{"c":1}],"hypothesisId":"A"}`;
    const [wide = {}] = linesOf(written(`[{"n":1},${many}]`)).slice(1);
    assert.deepEqual([wide["more"], wide["hypothesisId"]], ["…(+9 bytes)", "A"]);
    const data = wide["data"] as Record<string, { deep: Record<string, unknown> }>;
    assert.deepEqual(Object.keys(data), ["first", "…"]);
    assert.equal(Object.keys(data["first"]?.deep ?? {}).at(-1), "…");
    assert.equal(codeOf("[".repeat(1_000)), "DEBUG_BAD_JSON");
  });

  it("are 1,000 events, including bad ones", () => {
    const lines = (count: number): string => "{}\n".repeat(count);
    const array = (count: number): string => `[${Array.from({ length: count }, () => "{}").join()}]`;
    for (const body of [lines(1000), array(1000), `${lines(500)}${array(500)}`])
      assert.equal(written(body).lines.length, 1000);
    for (const body of [lines(1001), array(1001), `${lines(500)}${array(501)}`, "x\n".repeat(1001)])
      assert.equal(codeOf(body), "DEBUG_TOO_MANY");
  });

  it("cut a text over 64 KiB and a key over 1 KiB, and say how many bytes are missing", () => {
    const cut = (data: unknown): Line => linesOf(written(JSON.stringify({ data })))[0] ?? {};
    const kept = cut("a".repeat(MOST_STRING));
    assert.deepEqual([kept["data"], kept["_flags"]], ["a".repeat(MOST_STRING), undefined]);
    const wide = cut(`a${"é".repeat(40_000)}`);
    assert.equal(wide["data"], `a${"é".repeat(32_767)}…(+${(40_000 - 32_767) * 2} bytes)`);
    assert.deepEqual(wide["_flags"], ["cut"]);
    assert.equal(cut("😀".repeat(20_000))["data"], `${"😀".repeat(16_384)}…(+${3_616 * 4} bytes)`);
    const key = cut({ ["k".repeat(1_026)]: 1 });
    assert.ok(Object.hasOwn(key["data"] as object, `${"k".repeat(1_024)}…(+2 bytes)`));
    assert.deepEqual([key["_flags"], cut({ ["k".repeat(1_024)]: 1 })["_flags"]], [["cut"], undefined]);
  });

  it("mark an event with a repeated key, and keep the last value", () => {
    const long = "k".repeat(2_000);
    for (const [body, flags] of [
      ['{"a":1,"a":2}', ["doubled"]],
      ['{"a":0,"data":{"b":1,"b":{"c":1}},"a":2}', ["doubled"]],
      ['{"a":1,"\\u0061":2}', ["doubled"]],
      ['{"__seq":1,"_seq":3,"a":2}', ["renamed", "doubled"]],
      [`{"${long}x":1,"${long}y":2,"a":2}`, ["cut", "doubled"]],
      ['{"a":2,"b":{"a":2},"c":[{"a":1},{"a":1}]}', undefined],
    ] as const) {
      const [line = {}] = linesOf(written(body));
      assert.deepEqual([line["a"], line["_flags"]], [2, flags], body.slice(0, 60));
    }
    const some = linesOf(written('[{"a":1},{"a":1,"a":2},{}]')).map(({ _flags }) => _flags);
    assert.deepEqual(some, [undefined, ["doubled"], undefined]);
    const each = linesOf(written('{"a":1}\n{"a":1,"a":2}\n[{"a":1,"a":2}]')).map(({ _flags }) => _flags);
    assert.deepEqual(each, [undefined, ["doubled"], ["doubled"]]);
  });

  it("refuse an event that would be longer than 1 MiB once it is escaped", () => {
    const texts = (count: number): string =>
      JSON.stringify({ a: Array.from({ length: count }, () => "\u00ad".repeat(20_000)) });
    assert.equal(codeOf(texts(8)), undefined);
    assert.equal(codeOf(`{}\n${texts(9)}`), "BODY_TOO_LARGE");
  });
});
