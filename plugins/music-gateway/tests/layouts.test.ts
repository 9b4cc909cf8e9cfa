/** The layouts of exports: each is recognised as its format, with the totals of its file. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FORMATS } from "../import/formats.ts";
import { gatewayIn } from "./gateway-harness.ts";
import { LAYOUTS, exportText } from "./layouts.ts";

for (const layout of LAYOUTS) {
  test(`${layout.layout}: the export is stored with its totals`, async (context) => {
    const { take } = await gatewayIn(context);
    const { files } = await take({ [layout.file]: exportText(layout) });
    const [report] = files;
    assert.deepEqual(
      [report?.status, report?.kind, report?.reason, report?.refusedRows],
      ["imported", layout.kind, null, 0],
    );
    const { sums = [], leftOut = [], currencies = [] } = report?.receipt ?? {};
    assert.deepEqual(
      {
        rows: report?.rows,
        leftOut: leftOut.reduce((count, { rows }) => count + rows, 0),
        sums: ascending(sums.map(({ stored }) => stored)),
        currencies,
      },
      { ...layout.control, sums: ascending(layout.control.sums) },
    );
  });
}

test("each format has a source and a made-up export", () => {
  const kinds = new Set(LAYOUTS.map(({ kind }) => kind));
  for (const { kind, source } of FORMATS) {
    assert.match(source, /^https:\/\//u, kind);
    assert.ok(kinds.has(kind), kind);
  }
});

function ascending(sums: readonly string[]): readonly number[] {
  return sums.map(Number).toSorted((left, right) => left - right);
}
