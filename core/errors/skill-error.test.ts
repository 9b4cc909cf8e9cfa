import assert from "node:assert/strict";
import { test } from "node:test";
import { CODES } from "./codes.ts";
import { SkillError, asSkillError, coreEntry } from "./skill-error.ts";

test("an error carries its code, the sentence, the hint, the place and what was caught", () => {
  const cause = new Error("deep");
  const error = new SkillError("INPUT_INVALID", "/name is missing.", {
    hint: "Name somebody.",
    pointer: "/name",
    file: "/project/input.json",
    result: { half: true },
    cause,
  });
  assert.ok(error instanceof Error);
  const { name, code, message, hint, pointer, file, result } = error;
  assert.deepEqual(
    { name, code, message, hint, pointer, file, result },
    {
      name: "SkillError",
      code: "INPUT_INVALID",
      message: "/name is missing.",
      hint: "Name somebody.",
      pointer: "/name",
      file: "/project/input.json",
      result: { half: true },
    },
  );
  assert.equal(error.cause, cause);
});

test("an error without a cause has none, rather than one that is undefined", () => {
  assert.equal(Object.hasOwn(new SkillError("USAGE", "What?"), "cause"), false);
  assert.equal(new SkillError("USAGE", "What?", { cause: 0 }).cause, 0);
});

test("the core's row of a code is found by its exact name only", () => {
  assert.equal(coreEntry("TOKEN_MISSING"), CODES.TOKEN_MISSING);
  for (const code of ["token_missing", "KITCHEN_TEAPOT", "", "constructor", "toString"]) {
    assert.equal(coreEntry(code), CODES.INTERNAL, code);
  }
});

test("an error that has a code already is answered as it is", () => {
  const error = new SkillError("TOKEN_MISSING", "No token.");
  assert.equal(asSkillError(error), error);
});

test("whatever else was thrown becomes INTERNAL, with the message in the sentence and the value as cause", () => {
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
    assert.equal(error.hint, "Run again with --verbose to see the cause chain.");
  }
});

test("a login token that was typed by mistake is repeated in no message and no hint", () => {
  const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJlLWJ5dGVz";
  const { message, hint, stack } = new SkillError("USAGE", `"${token}" is one word too many.`, {
    hint: `Not ${token}.`,
  });
  assert.deepEqual([message, hint], ['"[token]" is one word too many.', "Not [token]."]);
  assert.ok(!stack?.includes(token));
});
