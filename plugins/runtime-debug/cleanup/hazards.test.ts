/** The hazards of real instrumented files: exact restoration, or an honest refusal. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RESTORED } from "./fixture-hazards.ts";
import { planned } from "./fixture-planning.ts";

describe("a cleanup gives back", () => {
  for (const { name, path, before, now, after } of RESTORED) {
    for (const judge of [undefined, "real"] as const) {
      test(judge ? `${name}, judged on its syntax tree` : name, async () => {
        const { texts, codes } = await planned({ [path]: { before, now } }, judge ? { judge } : {});
        assert.deepEqual(codes, []);
        assert.equal(texts[path], after ?? before);
      });
    }
    test(`${name}, without a fix`, async () => {
      const { texts } = await planned(
        { [path]: { before, now: undone(now, before, after) } },
        { aborted: true },
      );
      assert.equal(texts[path], before);
    });
  }
});

/** The instrumented text without the fix: each line that the fix has changed as it was before. */
function undone(now: string, before: string, after = before): string {
  const [was, is] = [before.split("\n"), after.split("\n")];
  return is.reduce(
    (all, line, index) => (was[index] === line ? all : all.replace(`${line}\n`, `${was[index] ?? ""}\n`)),
    now,
  );
}
