import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { sameBytes } from "./same-bytes.ts";
import { effort } from "../../../../contract-tests/effort.ts";

describe("same bytes", () => {
  it("are told from others of which one differs, at any place and length", () => {
    const anyText = fc.string({ unit: "grapheme-ascii", minLength: 4, maxLength: 40 });
    fc.assert(
      fc.property(
        anyText,
        fc.nat(7),
        fc.nat(40),
        fc.integer({ min: 1, max: 127 }),
        (text, before, place, byte) => {
          const one = Buffer.concat([Buffer.alloc(before), Buffer.from(text), Buffer.alloc(8)]);
          const other = Buffer.concat([Buffer.from(text), Buffer.alloc(8)]);
          other[place % text.length] = byte;
          const same = other.subarray(0, text.length).equals(Buffer.from(text));
          const views = [one, other].map(
            ({ buffer, byteOffset, length }) => new DataView(buffer, byteOffset, length),
          );
          assert.equal(sameBytes(views[0] as DataView, before, views[1] as DataView, 0, text.length), same);
        },
      ),
      { numRuns: effort(83, 1_500) },
    );
  });
});
