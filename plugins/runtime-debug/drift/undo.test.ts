import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { insert, replace } from "../regions/regions.ts";
import { putBack } from "./undo.ts";

const region = (label: string): readonly string[] => [
  `// #region debug-point ${label}`,
  `fetch("http://127.0.0.1:7777/event", { method: "POST" }).catch(() => {});`,
  "// #endregion",
];
const TARGET = "first();\nsecond();\nthird();\nfourth();\n";

describe("regions in a restored text", () => {
  const instead = ["// #region debug-point A:in", "// instead of: second();", "second();", "// #endregion"];
  const probed = insert(TARGET, 2, region("A:one"));
  const cases: Readonly<Record<string, readonly [now: string, text: string, gone: readonly string[]]>> = {
    "stay if the lines around them are unchanged": [probed.replace("fourth", "other"), probed, []],
    "stay in front of a line that was changed": [
      insert(TARGET, 3, region("A:one")).replace("third", "other"),
      insert(TARGET, 3, region("A:one")),
      [],
    ],
    "are removed with the changed lines around them": [
      ["x();", ...region("A:one"), "y();", ""].join("\n"),
      TARGET,
      ["A:one"],
    ],
    "are removed if they write to the console": [
      insert(TARGET, 2, ["// #region debug-point A:log", "console.log(1);", "// #endregion"]),
      TARGET,
      ["A:log"],
    ],
    "stay in place of the line that they replace": [
      replace(TARGET, 2, instead).replace("fourth", "other"),
      replace(TARGET, 2, instead),
      [],
    ],
    "are removed if their markers are not balanced": [probed.replace("// #endregion\n", ""), TARGET, []],
  };
  for (const [name, [now, text, gone]] of Object.entries(cases))
    test(name, () => assert.deepEqual(putBack("a.js", now, TARGET), { text, gone }));
});
