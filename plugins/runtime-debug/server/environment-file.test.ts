import assert from "node:assert/strict";
import { test } from "node:test";
import { environmentText, readEnvironmentText } from "./server-files.ts";

const FACTS = {
  eventUrl: "http://127.0.0.1:7777/event",
  session: "login-timeout",
  run: "pre-fix",
};
const LOG_FILE = "/home/mira/app/.dbg/svc-debug-log-login-timeout.ndjson";

test("a value that a shell or another reader would misread is left out with its line", () => {
  for (const logFile of [
    "/my work/log",
    "/a$(id)/log",
    "/a`id`/log",
    "/a;b",
    "/a'b",
    '/a"b',
    "/a#b",
    "/a=b",
    "C:\\a\\log",
    "/a\nB=1",
  ])
    assert.doesNotMatch(environmentText(FACTS, logFile), /LOG_FILE|\n\n|B=1/, logFile);
  assert.doesNotMatch(environmentText({ ...FACTS, run: "my run" }, LOG_FILE), /RUN_ID/);
  for (const run of ["yes", "On", "null", "FALSE"])
    assert.doesNotMatch(environmentText({ ...FACTS, run }, LOG_FILE), /RUN_ID/, run);
  assert.match(environmentText(FACTS, "/работа/日志/log"), /DEBUG_LOG_FILE=\/работа\/日志\/log\n/);
});

test("a written file is read back, also after manual changes", () => {
  const values = readEnvironmentText(
    environmentText({ ...FACTS, eventUrl: `${FACTS.eventUrl}?k=a_b-c` }, LOG_FILE),
  );
  assert.equal(values.get("DEBUG_SERVER_URL"), "http://127.0.0.1:7777/event?k=a_b-c");
  assert.equal(values.get("DEBUG_SESSION_ID"), "login-timeout");
  const byHand = readEnvironmentText(
    "\uFEFF# note\r\nexport DEBUG_SERVER_URL = \"http://h/event\"\r\nX='y'\r\n",
  );
  assert.deepEqual(
    [...byHand],
    [
      ["DEBUG_SERVER_URL", "http://h/event"],
      ["X", "y"],
    ],
  );
});
