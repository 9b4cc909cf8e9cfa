/** Bytes that are no plain text come back as they were. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { exactText } from "./exact-text.ts";
import { planned, planningContext } from "./fixture-planning.ts";
import { planTree } from "./tree-plan.ts";

const REGION = '// #region debug-point A:x\nfetch("http://127.0.0.1:7777/event");\n// #endregion\n';

async function cleaned(before: Uint8Array, now: Uint8Array): Promise<Uint8Array | undefined> {
  const plan = await planTree(
    [{ path: "a.js", before, now }],
    { accepted: new Map(), fixes: {} },
    planningContext(false),
  );
  return plan.writes[0]?.bytes;
}

const MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const SHAPES: Readonly<Record<string, readonly [Buffer, Buffer]>> = {
  "a byte order mark in front of a region": [
    Buffer.concat([MARK, Buffer.from("a();\n")]),
    Buffer.concat([MARK, Buffer.from(`${REGION}a();\n`)]),
  ],
  "bytes that are no UTF-8": [
    Buffer.from([0x61, 0xe9, 0xff, 0x0a, 0x62, 0x0a]),
    Buffer.concat([Buffer.from([0x61, 0xe9, 0xff, 0x0a]), Buffer.from(REGION), Buffer.from("b\n")]),
  ],
  "UTF-16": [
    Buffer.from("\uFEFFa();\r\nü();\r\n", "utf16le"),
    Buffer.from(`\uFEFFa();\r\n${REGION.replaceAll("\n", "\r\n")}ü();\r\n`, "utf16le"),
  ],
  "CRLF that an editor has turned into LF": [
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

for (const [name, [before, now]] of Object.entries(SHAPES)) {
  test(`a cleanup gives back ${name}`, async () => {
    assert.deepEqual(Buffer.from((await cleaned(before, now)) ?? []).toString("hex"), before.toString("hex"));
  });
}

test("line ends that a confirmed fix has changed stay changed", async () => {
  const before = "a();\r\nb();\r\n";
  const now = `a();\n${REGION}b();\n`;
  const hash = createHash("sha256").update("a();\nb();\n").digest("hex");
  const { texts } = await planned({ "a.sh": { before, now } }, { fixes: { "a.sh": hash } });
  assert.equal(texts["a.sh"], "a();\nb();\n");
});

test("every kind of bytes is read so that it can be written again", () => {
  for (const bytes of [[], [0xff, 0xfe], [0xff, 0xfe, 0x61], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0, 1, 255]]) {
    const read = exactText(Uint8Array.from(bytes));
    assert.deepEqual([...read.bytes(read.text)], bytes);
  }
});
