import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { strip } from "../regions/regions.ts";
import { applied } from "./application.ts";
import { sampleWish } from "../tests/probes/sample.ts";
import type { Language } from "./languages.ts";

/** A line, what is reported, and the program's own lines of the region, around the probe. */
const TAKEN: readonly (readonly [Language, string, string, string, string])[] = [
  ["javascript", "const f = (n) => n * 2;", "n", "const f = (n) => {", "return (n * 2); };"],
  ["javascript", "items.map(x => x.id).join()", "x", "items.map(x => {", "return (x.id); }).join()"],
  ["javascript", "  size({ a, b }) { return a + b; }", "a", "size({ a, b }) {", "return a + b; }"],
  ["javascript", "function f(n) { return n; }", "n", "function f(n) {", "return n; }"],
  [
    "javascript",
    "if (xs.some(function (x) { return x; })) a();",
    "x",
    "if (xs.some(function (x) {",
    "return x; })) a();",
  ],
  [
    "javascript",
    "if (a) xs.map(function (x) { go(x); });",
    "x",
    "if (a) xs.map(function (x) {",
    "go(x); });",
  ],
  ["typescript", "const f = (n: X): X => n * 2;", "n", "const f = (n: X): X => {", "return (n * 2); };"],
  ["typescript", "f(async (n: X) => ({ n }))", "n", "f(async (n: X) => {", "return (({ n })); })"],
  ["python", "def f(x): return x * 2", "x", "def f(x):", "return x * 2"],
  ["python", "    def f(x: T = {}) -> int: return x", "x", "def f(x: T = {}) -> int:", "return x"],
  ["java", "  int f(int x) { return x * 2; }", "x", "int f(int x) {", "return x * 2; }"],
  ["go", "func f(x int) int { return x * 2 }", "x", "func f(x int) int {", "return x * 2 }"],
  ["rust", "fn f(x: i32) -> i32 { x * 2 }", "x", "fn f(x: i32) -> i32 {", "x * 2 }"],
  ["c", "int f(int x) { return x * 2; }", "x", "int f(int x) {", "return x * 2; }"],
  ["php", "function f($x) { return $x * 2; }", "$x", "function f($x) {", "return $x * 2; }"],
  ["ruby", "def f(x); x * 2; end", "x", "def f(x);", "x * 2; end"],
  ["ruby", "items.each { |x| call(x) }", "x", "items.each { |x|", "call(x) }"],
  ["lua", "local function f(x) return x * 2 end", "x", "local function f(x)", "return x * 2 end"],
];
/** With `--inside` only. */
const INSIDE: readonly (readonly [Language, string, string, string])[] = [
  ["javascript", "if (a) b();", "if (a) {", "b(); }"],
  ["javascript", "else b();", "else {", "b(); }"],
  ["javascript", "for (const x of y()) { go(x); }", "for (const x of y()) {", "go(x); }"],
  ["python", "if a: b()", "if a:", "b()"],
  ["java", "if (a) b();", "if (a) {", "b(); }"],
  ["shell", "if a; then b; fi", "if a; then", "b; fi"],
  ["shell", "f() { echo $1; }", "f() {", "echo $1; }"],
];
const REFUSED: readonly (readonly [Language, string])[] = [
  ["javascript", "const a = { b: 1 };"],
  ["javascript", "go();"],
  ["javascript", "if (a) {"],
  ["javascript", 'const text = "(n) => n";'],
  ["javascript", "class A { x = 1 }"],
  ["javascript", "switch (a) { case 1: b(); }"],
  ["java", "switch (a) { case 1: b(); }"],
  ["python", "x = {1: 2}"],
  ["python", "f = lambda x: x"],
  ["c", "int a[] = { 1, 2 };"],
  ["go", "p := point{1, 2}"],
  ["c", "#define F(x) { f(x); } \\"],
];

/** What is reported is known in front of the line. */
const IN_FRONT: readonly (readonly [Language, string, string])[] = [
  ["javascript", "if (total > 2) { total *= 10; }", "total"],
  ["javascript", "while (total < 4) { total += 1; }", "total"],
  ["javascript", "switch (total) { case 1: b(); }", "total"],
  ["javascript", "for (const x of xs) { go(x); }", "xs"],
  ["typescript", "for (let i = from; i < 3; i++) { go(i); }", "from"],
  ["javascript", "if (a(total)) { total *= 10; }", "total"],
  ["php", "foreach ($xs as $x) { go($x); }", "$xs"],
];
/** It is declared in the head of the loop. */
const DECLARED: readonly (readonly [Language, string, string])[] = [
  ["javascript", "for (const [key, value] of xs) { go(value); }", "value"],
  ["javascript", "if (a) for (const x of xs(1)) { go(x); }", "x"],
  ["java", "for (int i = from; i < 3; i++) { go(i); }", "i"],
  ["php", "foreach ($xs as $k => $x) { go($x); }", "$x"],
];

const START: Readonly<Partial<Record<Language, string>>> = { php: "<?php\n", go: "package a\n" };

function probed(language: Language, line: string, expression: string, inside: boolean, end: string) {
  const before = `${START[language] ?? ""}${end === "\r\n" ? "\r\n" : ""}`;
  const text = `${before}${line}${end}`;
  const data = expression === "" ? [] : [{ name: "x", expression }];
  const wish = sampleWish(language, { data, inside });
  const done = applied({ path: "a", text, line: before.split("\n").length, wish });
  const stripped = strip(done.text);
  assert.ok(stripped.ok && stripped.text === text, `${line}: ${done.text}`);
  return done;
}

function put(language: Language, line: string, expression: string, inside: boolean, end: string): string {
  const done = probed(language, line, expression, inside, end);
  assert.ok(done.region[1]?.endsWith(` instead of: ${line}`), done.region[1]);
  return [done.region[2]?.trim(), done.region.at(-2)?.trim()].join(" | ");
}

describe("a body of one line", () => {
  for (const end of ["\n", "\r\n", ""])
    it(`is opened where the data know it, and comes back: ${JSON.stringify(end)}`, () => {
      for (const [language, line, expression, head, rest] of TAKEN)
        assert.equal(put(language, line, expression, false, end), `${head} | ${rest}`, line);
    });

  it("of a condition or loop is opened when it is asked for", () => {
    for (const [language, line, head, rest] of INSIDE)
      assert.equal(put(language, line, "", true, "\n"), `${head} | ${rest}`, line);
  });

  it("of a condition or loop stays closed to what is known in front of it, which would not be told where the body is not run", () => {
    for (const [language, line, expression] of IN_FRONT)
      assert.doesNotMatch(probed(language, line, expression, false, "\n").text, /instead of/, line);
    for (const [language, line, expression] of DECLARED)
      assert.match(probed(language, line, expression, false, "\n").text, /instead of/, line);
  });

  it("is refused where there is none", () => {
    for (const [language, line] of REFUSED)
      assert.throws(() => put(language, line, "", true, "\n"), { code: "DEBUG_PROBE_PLACE" }, line);
  });
});
