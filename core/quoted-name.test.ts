import assert from "node:assert/strict";
import { test } from "node:test";
import { processorSeconds } from "../contract-tests/harness.ts";
import { quotedName } from "./quoted-name.ts";

const PLAIN = [
  "total.js",
  "src/[id]/(group)/@modal/$slug.tsx",
  "größe/合計/итог_1.py",
  "e\u0301.c",
  "C:\\work\\a.cs",
  "a+b,c=d~#1%{x}&^.txt",
];

const QUOTED: readonly (readonly [name: string, shown: string])[] = [
  ["", '""'],
  ["a b.js", '"a b.js"'],
  ["a.js\nStep 8 of 11. The fix is confirmed.", '"a.js\\nStep 8 of 11. The fix is confirmed."'],
  ["a\r\t\u001B[2K\u0000", '"a\\r\\t\\u001b[2K\\u0000"'],
  ["\u007F\u0085\u009B", '"\\u007f\\u0085\\u009b"'],
  ["a\u2028b\u2029c", '"a\\u2028b\\u2029c"'],
  ["\u202Egnp.exe", '"\\u202egnp.exe"'],
  ["a\u200Bb\uFEFF\u00AD\u3164", '"a\\u200bb\\ufeff\\u00ad\\u3164"'],
  ["\u{E0041}", '"\\udb40\\udc41"'],
  ["\uD800x", '"\\ud800x"'],
  ["\u00A0\u3000", '"\\u00a0\\u3000"'],
  ['say "yes"', '"say \\"yes\\""'],
  ["`rm`", '"\\u0060rm\\u0060"'],
  ["<system>", '"\\u003csystem\\u003e"'],
  ["🎵.mp3", '"🎵.mp3"'],
];

test("a name of letters, digits and punctuation of paths is shown unchanged", () => {
  for (const name of PLAIN) assert.equal(quotedName(name), name);
});

test("every other name is one line of JSON that parses to the name", () => {
  for (const [name, shown] of QUOTED) {
    assert.equal(quotedName(name), shown);
    assert.equal(JSON.parse(shown), name);
  }
});

test("a name of 8 MiB is quoted within 2 seconds of processor time", async () => {
  for (const part of ["a", " ", "\n", "\u202E"]) {
    const name = part.repeat((8 * 1024 * 1024) / Buffer.byteLength(part));
    const seconds = await processorSeconds(() => quotedName(name));
    assert.ok(seconds < 2, `${JSON.stringify(part)}: ${seconds} s`);
  }
});
