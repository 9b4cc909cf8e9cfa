import assert from "node:assert/strict";
import { test } from "node:test";
import { startProgress } from "./progress.ts";
import type { Terminal } from "./verb.ts";

function recorder(lively: boolean): {
  readonly terminal: Terminal;
  readonly said: string[];
  readonly drawn: string[];
} {
  const said: string[] = [];
  const drawn: string[] = [];
  const terminal: Terminal = {
    out: () => assert.fail("progress is no result"),
    err: (text) => void said.push(text),
    status: (line) => void drawn.push(line),
    lively,
    colour: false,
    columns: 40,
    signal: new AbortController().signal,
  };
  return { terminal, said, drawn };
}

test("where nothing can be redrawn each sentence is one line, the first time it is said", () => {
  const { terminal, said, drawn } = recorder(false);
  const progress = startProgress(terminal, true);
  for (const sentence of ["Asking.", "Asking.", "Reading\u0007.", "Asking."]) progress.say(sentence);
  progress.stop();
  assert.deepEqual(said, ["Asking.\n", "Reading\\u0007.\n"]);
  assert.deepEqual(drawn, []);
});

test("a lively terminal shows the sentence with the seconds in one line that fits, and is left clean", () => {
  const { terminal, said, drawn } = recorder(true);
  const progress = startProgress(terminal, true);
  progress.say("Asking.");
  progress.say("晚安".repeat(40));
  progress.stop();
  assert.match(drawn[0] ?? "", /^\S Asking\. \(\d+ s\)$/);
  assert.match(drawn[1] ?? "", /^\S (晚安)+晚? \(\d+ s\)$/);
  assert.ok((drawn[1] ?? "").length < 30);
  assert.equal(drawn.at(-1), "");
  assert.deepEqual(said, []);
});

test("after --no-progress nothing is said", () => {
  const { terminal, said, drawn } = recorder(true);
  const progress = startProgress(terminal, false);
  progress.say("Asking.");
  progress.stop();
  assert.deepEqual([...said, ...drawn], []);
});
