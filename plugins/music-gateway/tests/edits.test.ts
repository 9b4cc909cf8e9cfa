/** Small edits to exports of every format: a sum is right, or the file is refused. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { SkillError } from "skillctl";
import { effort } from "../../../contract-tests/harness.ts";
import type { ImportOutput } from "../contract.ts";
import { formatOf } from "../import/format.ts";
import { own } from "./doors-harness.ts";
import { EDITED_EXPORT } from "./edited-exports.ts";

/** Files of one rehearsed import. */
const BATCH = 25;

/** The short suite tries the same edits each time. */
const FILES = effort(300, 800);

test("an edited export is refused or yields the right sums and days, and many are accepted", async (t) => {
  const { host, run } = await own(t, {});
  let taken = 0;
  const batch = fc.array(EDITED_EXPORT, { minLength: BATCH, maxLength: BATCH });
  const property = fc.asyncProperty(batch, async (exports) => {
    const names = exports.map(({ name }, place) => `${place}-${name}`);
    for (const [place, { bytes }] of exports.entries())
      await writeFile(join(host.environment.workingFolder, names[place] ?? ""), bytes);
    const input = { files: names, dryRun: true };
    const output = await run<ImportOutput>("music-gateway", "import", input).catch((caught: unknown) => {
      if (caught instanceof SkillError && caught.result !== undefined) return caught.result as ImportOutput;
      throw caught;
    });
    for (const [place, { sums, window }] of exports.entries()) {
      const report = output.files.find(({ file }) => file.endsWith(`/${names[place] ?? ""}`));
      assert.ok(report);
      if (report.status !== "would-import") continue;
      taken += 1;
      const stored = report.receipt?.sums.map((sum) => Number(sum.stored)) ?? [];
      assert.deepEqual([report.refusedRows, ascending(stored)], [0, ascending(sums)], names[place]);
      if (window !== undefined && isDaily(report.kind)) assert.deepEqual(report.window, window, names[place]);
    }
  });
  await fc.assert(property, { numRuns: FILES / BATCH });
  t.diagnostic(`${taken} of ${FILES} taken`);
  assert.ok(taken > FILES / 4, `${taken} of ${FILES} were taken`);
});

/** Statements cover whole months. */
function isDaily(kind: string | null): boolean {
  const table = formatOf(kind)?.table;
  return table !== "sale" && table !== "song_total";
}

function ascending(sums: readonly number[]): readonly number[] {
  return sums.map((sum) => Number(sum.toFixed(6))).toSorted((left, right) => left - right);
}
