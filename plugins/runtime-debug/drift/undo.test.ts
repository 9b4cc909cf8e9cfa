import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { effort } from "../../../contract-tests/harness.ts";
import { instrumented } from "../check/instrumented.ts";
import { insert, replace, strip } from "../regions/strip.ts";
import { putBack } from "./undo.ts";

import fc from "fast-check";

const region = (label: string): readonly string[] => [
  `// #region debug-point ${label}`,
  `fetch("http://127.0.0.1:7777/event", { method: "POST" }).catch(() => {});`,
  "// #endregion",
];
const TARGET = "first();\nsecond();\nthird();\nfourth();\n";

describe("regions in a text that is put back", () => {
  const instead = ["// #region debug-point A:in", "// instead of: second();", "second();", "// #endregion"];
  const probed = insert(TARGET, 2, region("A:one"));
  const cases: Readonly<Record<string, readonly [now: string, text: string, gone: readonly string[]]>> = {
    "stay where the lines around them are the same": [probed.replace("fourth", "other"), probed, []],
    "stay in front of a line that was changed": [
      insert(TARGET, 3, region("A:one")).replace("third", "other"),
      insert(TARGET, 3, region("A:one")),
      [],
    ],
    "go inside of changed lines": [["x();", ...region("A:one"), "y();", ""].join("\n"), TARGET, ["A:one"]],
    "go when they write to the console": [
      insert(TARGET, 2, ["// #region debug-point A:log", "console.log(1);", "// #endregion"]),
      TARGET,
      ["A:log"],
    ],
    "stay instead of the line that they replace": [
      replace(TARGET, 2, instead).replace("fourth", "other"),
      replace(TARGET, 2, instead),
      [],
    ],
    "go when their markers are not balanced": [probed.replace("// #endregion\n", ""), TARGET, []],
  };
  for (const [name, [now, text, gone]] of Object.entries(cases))
    test(name, () => assert.deepEqual(putBack("a.js", now, TARGET), { text, gone }));

  test("whatever was done to a text, without its regions it is the one before, and the check accepts them", () => {
    const line = fc.constantFrom("a();", "  b();", "}", "if (x) {", "const s = `", "", "// c", "é();");
    const end = fc.constantFrom("\n", "\r\n");
    const text = fc
      .tuple(fc.array(line, { maxLength: 8 }), end, fc.boolean(), fc.boolean())
      .map(
        ([lines, ending, hasEnd, hasMark]) =>
          (hasMark ? "\uFEFF" : "") + lines.join(ending) + (hasEnd ? ending : ""),
      );
    const places = fc.array(fc.nat(9), { maxLength: 3 });
    fc.assert(
      fc.property(text, text, places, fc.boolean(), (target, other, at, isFromTarget) => {
        let now = isFromTarget ? target : other;
        for (const [index, place] of at.entries()) {
          const lines = now.split("\n").length;
          now = insert(now, (place % lines) + 1, region(`${"ABC"[index] ?? "D"}:p`));
        }
        if (isFromTarget) now = now.replace("a();", "other();");
        const { text: back, gone } = putBack("a.js", now, target);
        const bare = strip(back);
        assert.equal(bare.ok && bare.text, target);
        const seen = instrumented("a.js", back, target);
        assert.deepEqual(seen.findings, []);
        assert.equal(seen.isAsBefore, true);
        if (strip(now).ok)
          assert.equal(seen.regions.length + gone.length, instrumented("a.js", now, target).regions.length);
      }),
      { numRuns: effort(200, 5_000) },
    );
  });
});
