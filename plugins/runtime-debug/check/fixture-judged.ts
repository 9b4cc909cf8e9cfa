import assert from "node:assert/strict";
import { test } from "node:test";
import { strip } from "../regions/strip.ts";
import { judgeFile } from "./judge-file.ts";

/** A source and how it is called. */
export interface Case {
  readonly name: string;
  readonly text: string;
  /** Codes that are expected, in order of lines; none when the regions are pure. */
  readonly codes?: readonly string[];
}

/** The text of a file: a body put between what stands around it, in a region or not. */
export function region(body: string, marker = "//"): string {
  return `${marker} #region debug-point A:x\n${body}\n${marker} #endregion debug-point A:x`;
}

/** One test for all cases of a file. */
export function judgeAll(path: string, cases: readonly Case[]): void {
  test(`pass or are refused in ${path} as each case says`, async () => {
    for (const { name, text, codes = [] } of cases) {
      const { findings, stripped } = await judgeFile(path, text);
      assert.deepEqual(
        findings.map(({ code }) => code),
        codes,
        `${name}\n${JSON.stringify(findings, undefined, 1)}`,
      );
      for (const { line, hint, file } of findings) {
        assert.ok(line !== undefined && line >= 1 && line <= text.split("\n").length, name);
        assert.ok(hint, name);
        assert.equal(file, path, name);
      }
      if (codes.length > 0) continue;
      const plain = strip(text);
      assert.equal(stripped, plain.ok ? plain.text : undefined, name);
    }
  });
}
