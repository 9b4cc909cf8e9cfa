import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { distance } from "fastest-levenshtein";
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

test("a guess is one of the names, near enough, and no name is nearer", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "-"), maxLength: 9 });
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 6 }), (meant, names) => {
      const near = names.filter((name) => distance(meant, name) <= Math.max(1, Math.floor(name.length / 3)));
      const guess = nearest(meant, names);
      if (guess === undefined) return assert.deepEqual(near, []);
      assert.ok(near.includes(guess));
      assert.equal(distance(meant, guess), Math.min(...near.map((name) => distance(meant, name))));
    }),
  );
});

test("of names that are equally near, the one named first is the guess", () => {
  assert.equal(nearest("bat", ["cat", "hat"]), "cat");
  assert.equal(nearest("bat", ["hat", "cat"]), "hat");
});
