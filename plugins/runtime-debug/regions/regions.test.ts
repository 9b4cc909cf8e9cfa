import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { markerIn, insert, strip } from "./regions.ts";

/** Markers as they are found in public code: opening, closing. */
const FORMS: readonly (readonly [string, string])[] = [
  ["// #region debug-point A:token", "// #endregion"],
  ["// #region debug-point A:token", "// #endregion debug-point A:token"],
  ["-- #region debug-point B", "-- #endregion"],
  ["// region debug-point C", "// endregion debug-point C"],
  ["#region debug-point D", "#endregion"],
  ["/* #region debug-point E */", "/* #endregion E */"],
  ["# region debug-point F", "# endregion"],
  ["//#region debug-point", "//# endregion"],
  ["{/* #region debug-point:slug */}", "{/* #endregion */}"],
  ["# #region debug-point G", "# #endregion"],
  ["<!-- #region debug-point H -->", "<!-- #endregion debug-point H -->"],
  ["  // #region agent log", "  // #endregion"],
  ["\t# #region agent log", "\t# #endregion agent log"],
  ["#REGION Debug-Point X", "#EndRegion"],
  ["// #region debug-point A", "// #endregion debug-point A:token"],
  ["// #region agent log", "// #endregion agent log at the end"],
  ["' #region debug-point V", "' #endregion"],
];

describe("regions of instrumentation", () => {
  test("are known by their markers", () => {
    for (const [begin, end] of FORMS) {
      assert.equal(markerIn(begin)?.kind, "begin", `${begin} ${end}`);
      assert.equal(markerIn(end)?.kind, "end", `${begin} ${end}`);
      const text = `before\n${begin}\nprobe()\n${end}\nafter\n`;
      assert.deepEqual(strip(text), { ok: true, text: "before\nafter\n", count: 1 }, `${begin} ${end}`);
    }
  });

  test("are not found in other lines", () => {
    for (const line of [
      "// The #region debug-point marker wraps a probe.",
      "print('#region debug-point A')",
      "call(); // #region debug-point A",
      "const regionDebug = 1;",
      "/* #region debug-point A */ save(); /* x */",
      "/* #region debug-point A",
      "<!-- #region debug-point A --> <img src=x> <!-- -->",
      "// #region debug-point A\u2028save();",
      "// #region debug-point A \\",
      "// regional settings",
    ]) {
      assert.equal(markerIn(line), undefined, line);
    }
  });

  test("a marker in single quotes is not a region, so that a test for leftovers can name it", () => {
    for (const line of ["  '#region agent log',", "'#endregion debug-point A'"])
      assert.equal(markerIn(line), undefined, line);
  });

  test("other fold regions are kept, also around and inside a probe", () => {
    const text =
      "#region Helpers\n#region debug-point A\n#region x\np()\n#endregion\n#endregion\n#endregion\n";
    assert.deepEqual(strip(text), { ok: true, text: "#region Helpers\n#endregion\n", count: 1 });
  });

  test("a byte order mark stays, also in front of a region", () => {
    const text = "\uFEFFa\r\nb\r\n";
    for (const line of [1, 2, 3]) {
      const probed = insert(text, line, ["// #region debug-point A", "p()", "// #endregion"]);
      assert.ok(probed.startsWith("\uFEFF"));
      assert.deepEqual(strip(probed), { ok: true, text, count: 1 });
    }
  });

  const faulty: readonly (readonly [string, number, RegExp])[] = [
    ["a\n// #region debug-point A\nb\n", 1, /does not end/],
    ["a\n// #endregion debug-point A\n", 1, /has not begun/],
    [
      "// #region debug-point A\n// #region debug-point B\n// #endregion\n// #endregion\n",
      1,
      /inside another/,
    ],
    ["// #region Helpers\n// #endregion debug-point A\n// #endregion\n", 1, /has not begun/],
    ["// #region debug-point A:x\na\n// #endregion debug-point B:y\n", 2, /does not match the region "A:x"/],
  ];
  test("nothing is removed from a text with a fault", () => {
    for (const [text, line, sentence] of faulty) {
      const found = strip(text);
      assert.ok(!found.ok, JSON.stringify(text));
      assert.equal(found.faults[0]?.line, line, JSON.stringify(text));
      assert.match(found.faults[0].sentence, sentence, JSON.stringify(text));
    }
  });
});
