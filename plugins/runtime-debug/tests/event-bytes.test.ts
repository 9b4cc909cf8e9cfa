import assert from "node:assert/strict";
import { isUtf8 } from "node:buffer";
import { describe, it } from "node:test";
import fc from "fast-check";
import { EventWriter } from "../store/event/event-writer.ts";
import { Redaction } from "../store/event/redaction.ts";
import { effort } from "../../../contract-tests/harness.ts";
import { ANY_CHARACTER } from "../../../contract-tests/any-character.ts";

const STAMP = { firstSeq: 1, at: 1, run: "pre-fix", source: "event" } as const;

const fragment = fc.oneof(
  fc.constantFrom(
    ...'{}[]:,"\\\n\r\t 01-.eE',
    "true",
    "null",
    '"a"',
    '{"a":1}',
    '"sessionId"',
    '"../x"',
    '{"b":[{}]}',
    "\ufeff",
  ),
  fc.string({ unit: ANY_CHARACTER, maxLength: 4 }),
  fc.json({ maxDepth: 2 }),
);
const anyBody = fc.oneof(
  fc.array(fragment, { maxLength: 14 }).map((parts) => Buffer.from(parts.join(""))),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  fc
    .tuple(fc.array(fragment, { maxLength: 10 }), fc.uint8Array({ maxLength: 4 }), fc.nat(60))
    .map(([parts, bytes, at]) => {
      const text = Buffer.from(parts.join(""));
      return Buffer.concat([text.subarray(0, at), bytes, text.subarray(at)]);
    }),
);

/** The events in a body, by a parser of JSON alone; `undefined` where there is anything else. */
function eventsIn(body: Buffer): readonly object[] | undefined {
  if (!isUtf8(body)) return undefined;
  const text = body.toString().replace(/^\ufeff/, "");
  const values = (parts: readonly string[]): readonly unknown[] | undefined => {
    try {
      const each = parts.map((part) => JSON.parse(part) as unknown);
      // An empty list is no event, beside others neither.
      return each.flatMap((value) => (Array.isArray(value) && value.length === 0 ? [undefined] : value));
    } catch {
      return undefined;
    }
  };
  const lines = text.split("\n").filter((line) => /[^ \t\r]/.test(line));
  const all = values([text]) ?? values(lines) ?? [];
  const isEvent = (value: unknown): value is object =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  return all.length > 0 && all.every(isEvent) ? all : undefined;
}

describe("any bytes as a body", () => {
  it("are stored whole as a parser of JSON reads them, or kept as a rejection", () => {
    const writer = new EventWriter({ session: "any-bytes", redaction: undefined });
    const property = fc.property(anyBody, (body) => {
      const { lines, rejection } = writer.write(body, STAMP);
      assert.equal(lines.length === 0, rejection !== undefined);
      if (rejection) assert.deepEqual(Buffer.from(rejection.bytes), body);
      const sent = eventsIn(body);
      if (!sent) assert.equal(lines.length, 0);
      else if (lines.length === 0) assert.equal(rejection?.code, "DEBUG_BAD_SESSION");
      else assert.equal(lines.length, sent.length);
      for (const [at, line] of lines.entries()) {
        assert.ok(line.indexOf("\n") === line.length - 1);
        const stored = JSON.parse(line) as Record<string, unknown>;
        for (const [name, value] of Object.entries(sent?.[at] ?? {}))
          assert.deepEqual(stored[name.replace(/^_(seq|at|run|src|flags|gap)$/, "__$1")], value);
      }
    });
    fc.assert(property, { numRuns: effort(333, 6_000) });
  });

  it("never throw where secrets are looked for, and leave lines that can be read", () => {
    const writer = new EventWriter({ session: "any-bytes", redaction: new Redaction(["a known secret"]) });
    const property = fc.property(anyBody, (body) => {
      for (const line of writer.write(body, STAMP).lines)
        assert.equal((JSON.parse(line) as { _src: string })._src, "event");
    });
    fc.assert(property, { numRuns: effort(167, 3_000) });
  });
});
