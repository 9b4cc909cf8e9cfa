import assert from "node:assert/strict";
import { test } from "node:test";
import { CODES, type CodeEntry } from "./codes.ts";

const ROWS: readonly (readonly [string, CodeEntry])[] = Object.entries(CODES);

test("a code is a word in capitals, and its summary one sentence", () => {
  for (const [code, { summary }] of ROWS) {
    assert.match(code, /^[A-Z]+(_[A-Z]+)*$/);
    assert.match(summary, /^[A-Z][^.]+\.$/, code);
  }
});

test("an exit status is one that a shell can tell from a signal, but for a call that was ended by one", () => {
  for (const [code, { exit }] of ROWS) {
    if (code === "CANCELLED") assert.equal(exit, 130);
    else assert.ok(Number.isInteger(exit) && exit >= 64 && exit <= 78, `${code}: ${exit} is not of sysexits`);
  }
});

test("an HTTP status speaks of an error, and a fault of the system is never blamed on the client", () => {
  for (const [code, { http, fault }] of ROWS) {
    assert.ok(http >= 400 && http <= 599, code);
    if (fault === "system")
      assert.ok(http >= 500, `${code} is a fault of the system with the status ${http}`);
  }
});

test("no two codes mean the same", () => {
  assert.equal(new Set(ROWS.map(([, { summary }]) => summary)).size, ROWS.length);
});
