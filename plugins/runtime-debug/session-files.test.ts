import assert from "node:assert/strict";
import { test } from "node:test";
import { checkedSession, sessionFault } from "./session-files.ts";

test("two to four lower-case words with hyphens between them are an id", () => {
  const good = [
    "login-timeout",
    "md-render-crash-x20260309",
    "a-b",
    "a1-b2-c3-d4",
    `${"a".repeat(31)}-${"b".repeat(32)}`,
  ];
  for (const id of good) assert.equal(checkedSession(id), id);
});

test("anything else is refused with a sentence", () => {
  const bad = [
    "",
    "login",
    "a-b-c-d-e",
    "Login-timeout",
    "login_timeout",
    "login--timeout",
    "-a-b",
    "a-b-",
    "a-1b",
    "a b-c",
    "../a-b",
    "a-b\n",
    "ä-b",
    "ａ-b",
    `${"a".repeat(32)}-${"b".repeat(32)}`,
  ];
  for (const id of bad) assert.throws(() => checkedSession(id), { code: "DEBUG_SESSION_INVALID" }, id);
});

test("a word that some systems reserve for a device is refused", () => {
  for (const id of ["con-a", "a-nul", "com1-port", "a-lpt9-b", "aux-b", "a-prn"])
    assert.match(sessionFault(id) ?? "", /reserve for a device/, id);
  for (const id of ["com0-a", "console-a", "lpt10-b"]) assert.equal(sessionFault(id), undefined, id);
});
