import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { Stamper } from "../store/event/stamper.ts";
import type { Stamped } from "../store/event/stamped.ts";
import { anyBlanks, anyEvent, meaning, sentText, type ObjectValue } from "./event-model.ts";
import { expectedLine } from "./event-oracle.ts";
import { effort } from "../../../contract-tests/effort.ts";

const SESSION = "login-timeout";
const STAMP = { firstSeq: 7, at: 1_766_000_000_000, run: "pre-fix", source: "event" } as const;
const RUNS = effort(17, 300);

function expected(event: ObjectValue, place: number): string {
  return expectedLine(event, { ...STAMP, session: SESSION, seq: STAMP.firstSeq + place });
}

function linesOf({ lines }: Stamped): readonly string[] {
  return Buffer.from(lines).toString().split("\n").slice(0, -1);
}

/** Whether a run is named by a list or an object: then by its text as sent, with the white space in it. */
function namesOddRun({ members }: ObjectValue): boolean {
  return members.some(
    ([name, { kind }]) => meaning(name) === "runId" && (kind === "object" || kind === "list"),
  );
}

describe("lines of events", () => {
  it("holds what was sent, text by text, and says what it changed", () => {
    const stamper = new Stamper({ session: SESSION, keepSecrets: true });
    fc.assert(
      fc.property(anyEvent, anyBlanks, (event, blanks) => {
        const blankless = namesOddRun(event) ? [""] : blanks;
        const stamped = stamper.stamp(Buffer.from(sentText(event, blankless)), STAMP);
        assert.deepEqual(stamped.rejected, []);
        const [line = ""] = linesOf(stamped);
        assert.equal(line, expected(event, 0));
      }),
      { numRuns: RUNS * 3 },
    );
  });

  it("is one line for every splitter, and its length is told", () => {
    const stamper = new Stamper({ session: SESSION });
    fc.assert(
      fc.property(fc.array(anyEvent, { minLength: 1, maxLength: 5 }), anyBlanks, (events, blanks) => {
        const body = events.map((event) => sentText(event, blanks)).join("\n");
        const stamped = stamper.stamp(Buffer.from(body), STAMP);
        const lines = linesOf(stamped);
        assert.equal(stamped.count, events.length);
        assert.deepEqual(
          stamped.lengths,
          lines.map((line) => Buffer.byteLength(line) + 1),
        );
        for (const line of lines) assert.doesNotMatch(line, /[\0-\x1f\x7f-\x9f\u2028\u2029]/);
      }),
      { numRuns: RUNS },
    );
  });

  it("does not depend on what was stamped before", () => {
    const used = new Stamper({ session: SESSION });
    fc.assert(
      fc.property(
        fc.array(anyEvent, { minLength: 1, maxLength: 6 }),
        anyBlanks,
        fc.constantFrom("pre-fix", "x"),
        (events, blanks, run) => {
          const body = Buffer.from(events.map((event) => sentText(event, blanks)).join("\n"));
          const fresh = new Stamper({ session: SESSION });
          assert.deepEqual(used.stamp(body, { ...STAMP, run }), fresh.stamp(body, { ...STAMP, run }));
        },
      ),
      { numRuns: RUNS },
    );
  });
});
