import assert from "node:assert/strict";
import { test } from "node:test";
import type { SkillError } from "skillctl";
import { sessionName } from "./session-name.ts";

const free = (): boolean => false;

const NAMES: readonly (readonly [string, string])[] = [
  ["The login times out after 30 seconds", "login-times-out"],
  ["Users can't see their cart", "cannot-see-cart"],
  ["The list isn't sorted", "list-not-sorted"],
  ["Mails don\u2019t arrive", "mails-not-arrive"],
  ["No git here", "no-git-here"],
  ["The cart total is not right", "cart-total-not-right"],
  ["It never ends", "never-ends"],
  ["I cannot login", "cannot-login"],
  ["Users can not log in after the update", "cannot-login-update"],
  ["There is a bug in the cart", "cart-bug"],
  ["Crash", "crash-bug"],
  ["\u767b\u5f55 timeout", "timeout-bug"],
  ["Caf\u00e9 se cae", "cafe-se-cae"],
];

test("the name of a session comes from its symptom, and keeps negations", () => {
  for (const [symptom, name] of NAMES) {
    assert.equal(sessionName(symptom, free), name, JSON.stringify(symptom));
  }
});

test("a symptom without English words is refused with a request for some", () => {
  for (const symptom of ["\u767b\u5f55\u8d85\u65f6", "con nul aux", "", "It is not", "A bug!"])
    assert.throws(
      () => sessionName(symptom, free),
      ({ code, message, hint }: SkillError) =>
        code === "DEBUG_SESSION_INVALID" &&
        message === "The issue has too few words to name the session." &&
        /Which two to four English words describe the bug\? .*--session/.test(hint ?? ""),
      symptom,
    );
});
