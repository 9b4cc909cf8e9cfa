import assert from "node:assert/strict";
import { isUtf8 } from "node:buffer";
import { describe, it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { Stamper } from "../store/event/stamper.ts";
import { effort } from "../../../contract-tests/effort.ts";

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
  fc.string({ unit: "binary", maxLength: 4 }),
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

/** Where the object ends that begins at `start`: the first place at which a reader of JSON agrees. */
function objectEnd(body: Buffer, start: number): number {
  for (let end = start + 2; end <= body.length; end++) {
    if (body[end - 1] !== 0x7d || !isUtf8(body.subarray(start, end))) continue;
    try {
      JSON.parse(body.toString("utf8", start, end));
      return end;
    } catch {
      // Not yet.
    }
  }
  return -1;
}

/** Whether a line holds all members of the object that was sent. */
function holds(line: string, sent: string): boolean {
  if (line === "") return false;
  const stored = JSON.parse(line) as Record<string, unknown>;
  return Object.entries(JSON.parse(sent) as object).every(([name, value]) =>
    isDeepStrictEqual(stored[name.replace(/^_(seq|at|run|src|flags|gap)$/, "__$1")], value),
  );
}

/** The first byte from `at` on that is no white space. */
function skip(body: Buffer, at: number): number {
  let next = at;
  while (next < body.length && " \t\r\n".includes(String.fromCharCode(body[next] ?? 0))) next++;
  return next;
}

describe("any bytes as a body", () => {
  it("are stored or rejected to the last one, and what is stored can be read", () => {
    const stamper = new Stamper({ session: "any-bytes", keepSecrets: true });
    fc.assert(
      fc.property(anyBody, (body) => {
        const { lines, count, rejected } = stamper.stamp(body, STAMP);
        assert.ok(isUtf8(Buffer.from(lines)));
        const stored = Buffer.from(lines).toString().split("\n");
        assert.deepEqual([stored.length, stored.at(-1)], [count + 1, ""]);
        const refused = rejected.map(({ bytes }) => Buffer.from(bytes));
        let at = skip(body, body.subarray(0, 3).equals(Buffer.from("\ufeff")) ? 3 : 0);
        let inArray = false;
        let next = 0;
        for (; at < body.length; at = skip(body, at)) {
          const [first] = refused;
          const end = body[at] === 0x7b ? objectEnd(body, at) : -1;
          if (end > 0 && holds(stored[next] ?? "", body.toString("utf8", at, end))) {
            at = end;
            next++;
          } else if (first && body.subarray(at, at + first.length).equals(first)) {
            at += first.length;
            refused.shift();
          } else {
            // Nothing but the brackets and commas of an array may stand between events.
            assert.ok(body[at] === (inArray ? 0x5d : 0x5b) || (inArray && body[at] === 0x2c), `byte ${at}`);
            if (body[at] !== 0x2c) inArray = !inArray;
            at++;
          }
        }
        // A body without anything in it, or one refused whole, is a rejection of its own.
        assert.deepEqual(
          refused.filter((bytes) => !bytes.equals(body)),
          [],
        );
        assert.equal(next, count);
        assert.ok(count + rejected.length > 0);
      }),
      { numRuns: effort(333, 6_000) },
    );
  });

  it("never throw where secrets are looked for, and leave lines that can be read", () => {
    const stamper = new Stamper({ session: "any-bytes" });
    fc.assert(
      fc.property(anyBody, (body) => {
        const { lines, count } = stamper.stamp(body, STAMP);
        const stored = Buffer.from(lines).toString().split("\n").slice(0, -1);
        assert.equal(stored.length, count);
        for (const line of stored) assert.equal((JSON.parse(line) as { _src: string })._src, "event");
      }),
      { numRuns: effort(167, 3_000) },
    );
  });
});
