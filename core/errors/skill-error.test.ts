import assert from "node:assert/strict";
import { test } from "node:test";
import { CODES } from "./codes.ts";
import { SkillError, asSkillError, coreEntry } from "./skill-error.ts";

test("an error without a cause has no cause property, and an error keeps its result", () => {
  assert.equal(Object.hasOwn(new SkillError("USAGE", "What?"), "cause"), false);
  const { cause, result } = new SkillError("USAGE", "What?", { cause: 0, result: { half: true } });
  assert.deepEqual([cause, result], [0, { half: true }]);
});

test("the core's row of a code is found by its exact name only", () => {
  assert.equal(coreEntry("TOKEN_MISSING"), CODES.TOKEN_MISSING);
  for (const code of ["token_missing", "KITCHEN_TEAPOT", "", "constructor", "toString"]) {
    assert.equal(coreEntry(code), CODES.INTERNAL, code);
  }
});

test("any other thrown value becomes INTERNAL, with its message in the sentence and the value as the cause", () => {
  const thrown: readonly (readonly [unknown, string])[] = [
    [new TypeError("x is not a function"), "Unexpected failure: x is not a function"],
    ["a text", "Unexpected failure: a text"],
    [42, "Unexpected failure: 42"],
    [undefined, "Unexpected failure: undefined"],
    [null, "Unexpected failure: null"],
    [Symbol("sign"), "Unexpected failure: Symbol(sign)"],
    [Object.create(null), "Unexpected failure: [object Object]"],
  ];
  for (const [value, message] of thrown) {
    const error = asSkillError(value);
    assert.equal(error.code, "INTERNAL");
    assert.equal(error.message, message);
    assert.equal(error.cause, value);
    const hint =
      value instanceof Error ? /^Run again with --verbose/ : /^Throw a SkillError or another Error/;
    assert.match(error.hint ?? "", hint);
  }
});

test("a code, message or hint that is not a text is refused by name, for authors without a compiler", () => {
  const rows: readonly (readonly [words: readonly unknown[], told: RegExp])[] = [
    [[], /^The code of .* must be a string, not undefined;/],
    [[65, "No."], /^The code of .* must be a string, not 65;/],
    [["USAGE"], /^The message of .* must be a string, not undefined;/],
    [["USAGE", "No.", { hint: 5 }], /^The hint of .* must be a string, not 5;/],
  ];
  for (const [words, told] of rows)
    assert.throws(() => Reflect.construct(SkillError, words), { name: "TypeError", message: told });
});

test("a login token that was typed by mistake is repeated in no message and no hint", () => {
  const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJlLWJ5dGVz";
  const { message, hint, stack } = new SkillError("USAGE", `"${token}" is one word too many.`, {
    hint: `Not ${token}.`,
  });
  assert.deepEqual([message, hint], ['"[token]" is one word too many.', "Not [token]."]);
  assert.ok(!stack?.includes(token));
});
