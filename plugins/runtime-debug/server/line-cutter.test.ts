import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { LineCutter } from "./line-cutter.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (part: { readonly bytes: Uint8Array }): string => new TextDecoder().decode(part.bytes);

test("however a file is cut while it is read, its whole lines come out once and in order", () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-zé\n]{0,12}$/), { maxLength: 30 }),
      fc.boolean(),
      (pieces, inLine) => {
        const cutter = new LineCutter(inLine);
        const out = pieces
          .flatMap((piece) => cutter.take(bytes(piece)))
          .map(text)
          .join("");
        const all = pieces.join("");
        const from = inLine ? all.indexOf("\n") + 1 || all.length : 0;
        assert.equal(out, all.slice(from, Math.max(from, all.lastIndexOf("\n") + 1)));
      },
    ),
  );
});

test("no part has more than 1,000 lines", () => {
  const parts = new LineCutter().take(bytes("{}\n".repeat(2_500)));
  assert.deepEqual(
    parts.map((part) => text(part).length / 3),
    [1_000, 1_000, 500],
  );
});

test("a line over 1 MiB is told as such, with or without its end, and what follows is read on", () => {
  const long = "x".repeat(1024 * 1024 + 1);
  const cutter = new LineCutter();
  assert.deepEqual(
    cutter.take(bytes(`a\n${long}\nb\n`)).map((part) => [part.tooLong, text(part).slice(0, 2)]),
    [
      [false, "a\n"],
      [true, "xx"],
      [false, "b\n"],
    ],
  );
  assert.deepEqual(
    cutter.take(bytes(long)).map(({ tooLong }) => tooLong),
    [true],
  );
  assert.deepEqual(cutter.take(bytes("yy")), []);
  assert.deepEqual(cutter.take(bytes("yy\nc\n")).map(text), ["c\n"]);
});
