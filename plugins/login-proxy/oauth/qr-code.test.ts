import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { encode } from "uqr";
import { qrLines, qrPicture } from "./qr-code.ts";

const ADDRESS = "https://id.example/device?user_code=ABCD-EFGH";
const MODULES: Readonly<Record<string, readonly [boolean, boolean]>> = {
  " ": [false, false],
  "▄": [false, true],
  "▀": [true, false],
  "█": [true, true],
};

/** The modules that lines of half blocks show: true is dark. */
function modulesOf(lines: readonly string[]): readonly (readonly boolean[])[] {
  return lines.flatMap((line) => {
    // eslint-disable-next-line no-control-regex
    const cells = [...line.replaceAll(/\u001B\[[\d;]*m/g, "")].map(
      (cell) => MODULES[cell] ?? assert.fail(cell),
    );
    return [cells.map(([upper]) => upper), cells.map(([, lower]) => lower)];
  });
}

describe("a QR code on a terminal", () => {
  test("shows every module of the code, in 37 columns and 19 lines for an address of 45 bytes", () => {
    const lines = qrLines(ADDRESS, 37) ?? [];
    const shown = modulesOf(lines);
    const { data } = encode(ADDRESS, { border: 4 });
    assert.deepEqual(shown.slice(0, 37), data);
    assert.deepEqual([lines.length, shown.every((row) => row.length === 37)], [19, true]);
  });

  test("has a light edge of four modules, below too", () => {
    const shown = modulesOf(qrLines(ADDRESS, 80) ?? []);
    const dark = shown.flatMap((row, y) => row.flatMap((one, x) => (one ? [[x, y] as const] : [])));
    const bounds = (axis: 0 | 1) => [
      Math.min(...dark.map((at) => at[axis])),
      Math.max(...dark.map((at) => at[axis])),
    ];
    assert.deepEqual(
      [bounds(0), bounds(1)],
      [
        [4, 32],
        [4, 32],
      ],
    );
  });

  test("is black on white whatever the terminal, and leaves its colours behind nowhere", () => {
    for (const line of qrLines(ADDRESS, 80) ?? []) {
      assert.ok(line.startsWith("\u001B[38;5;16;48;5;231m") && line.endsWith("\u001B[0m"));
    }
  });

  const sizes: readonly (readonly [number, number])[] = [
    [53, 37],
    [78, 41],
    [106, 45],
  ];
  for (const [bytes, columns] of sizes) {
    test(`of ${bytes} bytes needs ${columns} columns, and is left out where one is missing`, () => {
      const text = ADDRESS.padEnd(bytes, "x");
      assert.ok(qrLines(text, columns));
      assert.equal(qrLines(text, columns - 1), undefined);
    });
  }
});

test("a QR code as a picture is an SVG with the light edge", () => {
  assert.match(qrPicture(ADDRESS), /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 370 370">/);
});
