import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { EventWriter } from "../store/event/event-writer.ts";
import { Redaction } from "../store/event/redaction.ts";
import { anyBlanks, anyEvent, sentText, type ObjectValue } from "./event-model.ts";
import { expectedLine } from "./event-oracle.ts";
import { effort } from "../../../contract-tests/effort.ts";

const SESSION = "login-timeout";
const STAMP = { firstSeq: 7, at: 1_766_000_000_000, run: "pre-fix", source: "event" } as const;
const RUNS = effort(17, 300);

function expected(event: ObjectValue, place: number): string {
  return expectedLine(event, { ...STAMP, session: SESSION, seq: STAMP.firstSeq + place });
}

/** White space between tokens stays, but for line ends and what follows them. */
const SPACES = fc.array(fc.constantFrom("", "", "\n", "\r\n  ", "\t"), { minLength: 1, maxLength: 7 });

describe("lines of events", () => {
  it("holds what was sent, text by text, and says what it changed", () => {
    const writer = new EventWriter({ session: SESSION, redaction: undefined });
    fc.assert(
      fc.property(anyEvent, SPACES, (event, blanks) => {
        const { lines, rejected } = writer.write(Buffer.from(sentText(event, blanks)), STAMP);
        assert.deepEqual(rejected, []);
        const [line = ""] = lines;
        assert.equal(line, `${expected(event, 0)}\n`);
      }),
      { numRuns: RUNS * 3 },
    );
  });

  it("is one line for every splitter, numbered in the order of the body", () => {
    const writer = new EventWriter({ session: SESSION, redaction: new Redaction() });
    fc.assert(
      fc.property(fc.array(anyEvent, { minLength: 2, maxLength: 5 }), anyBlanks, (events, blanks) => {
        const body = `[${events.map((event) => sentText(event, blanks)).join(",\n")}]`;
        const { lines } = writer.write(Buffer.from(body), STAMP);
        assert.equal(lines.length, events.length);
        for (const line of lines) {
          assert.doesNotMatch(line.slice(0, -1), /[\0-\x1f\x7f-\x9f\u2028\u2029]/);
          assert.ok(line.endsWith("}\n"));
        }
        assert.deepEqual(
          lines.map((line) => (JSON.parse(line) as { _seq: number })._seq),
          events.map((_, at) => STAMP.firstSeq + at),
        );
      }),
      { numRuns: RUNS },
    );
  });
});
