/** One file of a cleanup: its original bytes or those of an accepted fix are restored; other text is shown and kept. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import { fileState } from "../check/file-state.ts";
import { hashOf } from "../check/instrumented.ts";
import { headRegion, probeRegion } from "../probes/probe-text.ts";
import { insert } from "../regions/regions.ts";
import { sampleWish, WRITTEN } from "../tests/probes/sample.ts";
import { planFile, type FilePlan, type PlannedSession } from "./code-cleaning.ts";

const REGION = '// #region debug-point A:x\nfetch("http://127.0.0.1:7777/event");\n// #endregion\n';
const CONTEXT: PlannedSession = {
  id: "login-times-out",
  others: [],
  accepted: new Map(),
};

type Given = Partial<PlannedSession> & {
  readonly path?: string;
  readonly fixes?: Readonly<Record<string, string>>;
};

function planned(
  before: Uint8Array | string | undefined,
  now: Uint8Array | string,
  { path = "a.js", fixes = {}, ...more }: Given = {},
): FilePlan & { readonly text: string | undefined; readonly shown: readonly string[] } {
  const bytes = (text: Uint8Array | string): Uint8Array => Buffer.from(text as string);
  const kind = "changed" as const;
  const file = { path, kind, now: bytes(now), ...(before !== undefined && { before: bytes(before) }) };
  const state = fileState({ id: CONTEXT.id, accepted: fixes }, file);
  const plan = planFile(state, { ...CONTEXT, ...more });
  return {
    ...plan,
    text: plan.bytes && Buffer.from(plan.bytes).toString(),
    shown: plan.findings.map(({ code, line }) => `${code}:${line ?? ""}`),
  };
}

function lines(...all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join("");
}

const MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const SHAPES: Readonly<Record<string, readonly [Buffer, Buffer]>> = {
  "a byte order mark in front of a region": [
    Buffer.concat([MARK, Buffer.from("a();\n")]),
    Buffer.concat([MARK, Buffer.from(`${REGION}a();\n`)]),
  ],
  "bytes that are not UTF-8": [
    Buffer.from([0x61, 0xe9, 0xff, 0x0a, 0x62, 0x0a]),
    Buffer.concat([Buffer.from([0x61, 0xe9, 0xff, 0x0a]), Buffer.from(REGION), Buffer.from("b\n")]),
  ],
  "UTF-16": [
    Buffer.from("\uFEFFa();\r\nü();\r\n", "utf16le"),
    Buffer.from(`\uFEFFa();\r\n${REGION.replaceAll("\n", "\r\n")}ü();\r\n`, "utf16le"),
  ],
  "CRLF that an editor has changed to LF": [
    Buffer.from("a();\r\nb();\r\n"),
    Buffer.from(`a();\n${REGION}b();\n`),
  ],
  "mixed line ends": [Buffer.from("a();\r\nb();\nc();\r"), Buffer.from(`a();\r\n${REGION}b();\nc();\r`)],
  "no line end at the end, where the region was written": [
    Buffer.from("a();"),
    Buffer.from(`a();\n${REGION}`),
  ],
  "nothing but a region": [Buffer.from(""), Buffer.from(REGION)],
};

describe("a cleanup restores", () => {
  test("the bytes of every encoding and line end", () => {
    for (const [name, [before, now]] of Object.entries(SHAPES)) {
      const { bytes } = planned(before, now);
      assert.equal(Buffer.from(bytes ?? []).toString("hex"), before.toString("hex"), name);
    }
  });

  test("a file of any language, and a fix in it [debug.resource.regions]", () => {
    const before = "one(1);\ntwo(2);\n";
    for (const language of WRITTEN) {
      const region = probeRegion(sampleWish(language, { session: CONTEXT.id }));
      const head = headRegion(language, "a:1");
      const probed = insert(before, 2, region);
      const now = head ? insert(probed, 1, head) : probed;
      assert.deepEqual([planned(before, now).text, planned(before, now).shown], [before, []], language);
      const after = before.replace("two(2)", "two(3)");
      const fixes = { "a.js": hashOf(after) };
      assert.equal(planned(before, now.replace("two(2)", "two(3)"), { fixes }).text, after, language);
    }
  });

  test("text between older marks, and regions with folds in them", () => {
    const former = lines("// #region debug-point Z:old", "keep();", "// #endregion", "go();");
    const nested = lines("// #region debug-point A", "// #region of mine", "// #endregion", "// #endregion");
    assert.equal(planned(former, nested + former).text, former);
  });

  test("the line ends of an accepted fix, even if the fix has changed them", () => {
    const now = `a();\n${REGION}b();\n`;
    const fixes = { "a.js": hashOf("a();\nb();\n") };
    assert.equal(planned("a();\r\nb();\r\n", now, { fixes }).text, "a();\nb();\n");
  });

  test("the probes of other running sessions, with their imports", () => {
    const theirs = lines("// #region debug-point A:x", 'send("other-bug");', "// #endregion");
    const shared = lines("// #region debug-point shared:imports", "import x", "// #endregion");
    const now = `${shared}${theirs}${REGION}a();\n`;
    const { text, isAsBefore } = planned("a();\n", now, { others: ["other-bug"] });
    assert.deepEqual([text, isAsBefore], [`${shared}${theirs}a();\n`, true]);
  });
});

describe("a cleanup lists and keeps", () => {
  test("code between markers, and a fix until its place is accepted", () => {
    const moved = planned("a();\nb();\n", "a();\n// #region debug-point C:q\nb();\n// #endregion\n");
    assert.deepEqual([moved.shown, moved.text], [["unproven:1"], undefined]);
    const fixed = `${REGION}a(1);\n`;
    assert.deepEqual(planned("a();\n", fixed).shown, ["unproven:4"]);
    const accepted = new Map([["a.js", new Set([4])]]);
    assert.equal(planned("a();\n", fixed, { accepted }).text, "a(1);\n");
  });

  test("nothing in a document or a build product", () => {
    for (const path of ["guide.md", "CHANGELOG"])
      assert.deepEqual(planned("x\n", REGION, { path }).shown, [], path);
    assert.deepEqual(planned("\0", `\0http`, { path: "total" }).shown, []);
  });
});
