import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { Stamper } from "../store/event/stamper.ts";
import { ORDINARY_NAMES, ORDINARY_TEXTS, SECRET_NAMES, SECRET_TEXTS } from "./event-corpus.ts";
import { effort } from "../../../contract-tests/effort.ts";

const STAMP = { firstSeq: 1, at: 1_766_000_000_000, run: "pre-fix", source: "event" } as const;
const REDACTED = "[redacted]";
const stamper = new Stamper({ session: "login-timeout" });

type Line = Readonly<Record<string, unknown>>;

function stored(event: unknown, by = stamper): Line {
  const { lines, rejected } = by.stamp(Buffer.from(JSON.stringify(event)), STAMP);
  assert.deepEqual(rejected, []);
  return JSON.parse(Buffer.from(lines).toString()) as Line;
}

/** The value as it is stored at `/data`, and the flags. */
function data(value: unknown): readonly [value: unknown, flags: unknown] {
  const line = stored({ data: value });
  return [line["data"], line["_flags"]];
}

describe("secrets in events", () => {
  it("go by the name of their key, however it is written and however deep", () => {
    for (const name of SECRET_NAMES) {
      const pointer = `/data/0/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      assert.deepEqual(
        data([{ [name]: "open sesame" }]),
        [[{ [name]: REDACTED }], [`redacted:${pointer}`]],
        name,
      );
    }
  });

  it("go by the name above them: lists, objects, numbers that are secrets", () => {
    assert.deepEqual(data({ tokens: ["a1", { b: "c", n: 1, d: [true, null] }] }), [
      { tokens: [REDACTED, { b: REDACTED, n: 1, d: [true, null] }] },
      ["redacted:/data/tokens/0", "redacted:/data/tokens/1/b"],
    ]);
    assert.deepEqual(
      data({ password: 123456, pin: 7, card_number: 4111, cvv: "012", hasPassword: true, secret: null }),
      [
        { password: REDACTED, pin: 7, card_number: REDACTED, cvv: REDACTED, hasPassword: true, secret: null },
        ["redacted:/data/password", "redacted:/data/card_number", "redacted:/data/cvv"],
      ],
    );
    assert.deepEqual(data({ tokens: 12, maxTokens: 4096, passwords: 3, token: "" }), [
      { tokens: 12, maxTokens: 4096, passwords: 3, token: "" },
      undefined,
    ]);
  });

  it("go by their form, alone and inside of longer texts", () => {
    for (const [text, left] of SECRET_TEXTS) {
      assert.deepEqual(data(text), [left, ["redacted:/data"]], text);
      // A header goes to the end of its line, and a key that has no end to the end of the text.
      const [around] = data(`before ${text} after`);
      assert.ok([`before ${left} after`, `before ${left}`].includes(String(around)), String(around));
    }
  });

  it("are found behind escapes that hide them", () => {
    const sent =
      '{"a":"\\u0065yJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl","b":"postgres:\\/\\/u:pw@h","\\u0070assword":"x"}';
    const line = JSON.parse(Buffer.from(stamper.stamp(Buffer.from(sent), STAMP).lines).toString()) as Line;
    assert.deepEqual(
      [line["a"], line["b"], line["password"]],
      [REDACTED, `postgres://u:${REDACTED}@h`, REDACTED],
    );
  });

  it("leave ordinary data alone", () => {
    for (const name of ORDINARY_NAMES)
      assert.deepEqual(data({ [name]: "a value" }), [{ [name]: "a value" }, undefined], name);
    for (const text of ORDINARY_TEXTS)
      assert.deepEqual(data([text, `say ${text}.`]), [[text, `say ${text}.`], undefined], text);
  });

  it("are found by the quick look whenever they are found by the thorough one", () => {
    const filler = fc.string({ unit: fc.constantFrom(..."ab =:\"'\\/@._-09{}\n"), maxLength: 6 });
    const core = fc.oneof(
      fc.constantFrom(...SECRET_TEXTS.map(([text]) => text)),
      fc
        .tuple(fc.constantFrom(...SECRET_NAMES), fc.constantFrom("=", '":"', '\\":\\"', "': '", ": "))
        .map(([name, sign]) => `${name}${sign}abcdefgh1`),
    );
    fc.assert(
      fc.property(filler, core, filler, (before, secret, after) => {
        const text = before + secret + after;
        // A key without a name sends an event the thorough way.
        const quick = stored({ data: text });
        const thorough = stored({ data: text, "": 0 });
        assert.equal(quick["data"], thorough["data"]);
      }),
      { numRuns: effort(167, 3_000) },
    );
  });

  it("are taken out of rejected bodies too", () => {
    const bodies = [
      '{"password":"hunter22",',
      "password=hunter22&x=1",
      '[{"apiKey": "hunter22"}, 1]',
      '{"\\u0070assword":"hunter22"',
      '{"authToken":"hunter22',
    ];
    for (const body of bodies) {
      const [rejection] = stamper.stamp(Buffer.from(body), STAMP).rejected;
      assert.doesNotMatch(Buffer.from(rejection?.bytes ?? "hunter22").toString(), /hunter22/, body);
    }
  });

  it("stay where the server was told to keep them", () => {
    const raw = new Stamper({ session: "login-timeout", keepSecrets: true });
    const event = { password: "p", data: SECRET_TEXTS.map(([text]) => text) };
    const line = stored(event, raw);
    assert.deepEqual(
      [line["password"], line["data"], line["_flags"]],
      [event.password, event.data, undefined],
    );
    const [rejection] = raw.stamp(Buffer.from('{"password":"hunter22",'), STAMP).rejected;
    assert.equal(Buffer.from(rejection?.bytes ?? []).toString(), '{"password":"hunter22",');
  });

  it("name eight places and count the others", () => {
    const [, flags] = data(Array.from({ length: 11 }, () => ({ token: "a" })));
    assert.deepEqual(flags, [
      ...Array.from({ length: 8 }, (_, place) => `redacted:/data/${place}/token`),
      "redacted:…+3",
    ]);
    assert.deepEqual(data({ "a/b~c": { token: "a" } })[1], ["redacted:/data/a~1b~0c/token"]);
  });
});
