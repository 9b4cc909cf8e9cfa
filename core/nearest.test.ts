import assert from "node:assert/strict";
import { test } from "node:test";
import { nearest } from "./nearest.ts";

const NAMES = ["login-proxy", "music-analysis", "status", "ask", "a"];

test("a slip of the fingers finds the name that was meant", () => {
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

test("a word that is more than a third of the name away finds nothing", () => {
  for (const word of ["frobnicate", "statistics", "logout", "music", "bbb", "asking"]) {
    assert.equal(nearest(word, NAMES), undefined, word);
  }
  assert.equal(nearest("ask", []), undefined);
});

test("of names that are equally near, the one named first is the guess", () => {
  assert.equal(nearest("bat", ["cat", "hat"]), "cat");
  assert.equal(nearest("bat", ["hat", "cat"]), "hat");
});
