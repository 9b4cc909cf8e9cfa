import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { strip } from "../regions/strip.ts";
import { judgeFile, regionsOf } from "./judge-file.ts";
import { effort } from "../../../contract-tests/effort.ts";

const PART = fc.constantFrom(
  "// #region debug-point A:x",
  "# #region debug-point B",
  "<!-- #region agent log -->",
  "// #endregion",
  "# #endregion debug-point B",
  "//#region Helpers",
  "fetch('http://127.0.0.1:7777/event',{method:'POST'}).catch(()=>{});",
  "if (a) {",
  "}",
  "`",
  '"""',
  "/*",
  "*/",
  "<script>",
  "</script>",
  "<?php",
  "else",
  "x = 1",
  "  return",
  "\\",
  "\u2028",
  "",
);

describe("any text", () => {
  for (const path of [
    "a.js",
    "a.py",
    "a.vue",
    "a.php",
    "a.go",
    "a.rb",
    "a.sh",
    "a.rs",
    "a.kt",
    "a.html",
    "a",
    "a.md",
  ])
    test(`can be judged as ${path}: lines are of the text, and what is stripped is a part of it`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(PART, { maxLength: 14 }),
          fc.constantFrom("\n", "\r\n", "\r"),
          fc.constantFrom("", "\uFEFF"),
          async (parts, end, mark) => {
            const text = mark + parts.join(end);
            const { findings, stripped, regions } = await judgeFile(path, text);
            for (const { line, sentence } of findings) {
              assert.ok(line !== undefined && line >= 1 && line <= parts.length);
              assert.match(sentence, /\.$/);
            }
            const found = await regionsOf(path, text);
            assert.equal(found.regions.length, regions);
            assert.equal(stripped === undefined, found.faults.length > 0);
            if (stripped === undefined) return;
            assert.ok(stripped.startsWith(mark));
            if (regions === 0) assert.equal(stripped, text);
            // Without findings, what is taken out is what the markers say.
            const plain = strip(text);
            if (findings.length === 0 && path !== "a.md" && plain.ok && plain.count === regions)
              assert.equal(stripped, plain.text);
          },
        ),
        { numRuns: effort(10, 180) },
      );
    });
});
