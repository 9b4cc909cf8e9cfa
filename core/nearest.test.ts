import assert from "node:assert/strict";
import { test } from "node:test";
import { nearest } from "./nearest.ts";

const NAMES = ["login-proxy", "music-analysis", "status", "ask", "a"];

test("a name with a typing error finds the intended name", () => {
  const slips: readonly (readonly [string, string])[] = [
    ["stats", "status"],
    ["statsu", "status"],
    ["login-prox", "login-proxy"],
    ["music-anlysis", "music-analysis"],
    ["musik-analyse", "music-analysis"],
    ["asks", "ask"],
    ["b", "a"],
    ["status", "status"],
  ];
  for (const [word, name] of slips) assert.equal(nearest(word, NAMES), name, word);
});

test("a word that differs in more than a third of the name finds no name", () => {
  for (const word of ["frobnicate", "statistics", "logout", "music", "bbb", "asking"]) {
    assert.equal(nearest(word, NAMES), undefined, word);
  }
  assert.equal(nearest("ask", []), undefined);
});

test("of equally similar names the first is chosen", () => {
  assert.equal(nearest("bat", ["cat", "hat"]), "cat");
  assert.equal(nearest("bat", ["hat", "cat"]), "hat");
});
