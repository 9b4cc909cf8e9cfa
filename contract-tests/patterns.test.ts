/** Patterns read untrusted texts, so each may only take time proportional to the length of its text. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { patternsOf, slownessOf } from "./patterns.ts";

const QUESTION = "a question has at most 4,000 characters";

/** Patterns that may backtrack, since their text is short or our own, each with the reason. */
const BOUNDED: Readonly<Record<string, string>> = {
  "core/shell/paths.ts": "a file pattern of at most 4,096 characters",
  "core/shell/program-table.ts": "a word of a command, which the reader bounds",
  "core/shell/words.ts": "a word of a command, which the reader bounds",
  "core/surfaces/cli/text.ts": "a line of our own help",
  "plugins/music-analysis/songs/choice-reply.ts": QUESTION,
  "plugins/music-analysis/songs/patterns.json": QUESTION,
  "plugins/music-analysis/songs/question.ts": QUESTION,
  "plugins/music-gateway/answer/rectangle.ts": "a number that was counted here",
  "plugins/music-gateway/import/names.ts": "a file name has at most 200 bytes",
  "plugins/runtime-debug/probes/languages.ts": "200 characters are read",
  "plugins/runtime-debug/probes/probe-text.ts": "a name has at most 40 characters",
};

test("every pattern of the source, the schemas and the rules takes time proportional to the length of a text", () => {
  const slow = patternsOf().filter((pattern) => slownessOf(pattern).length > 0);
  assert.deepEqual(
    slow.filter(({ file }) => !(file in BOUNDED)).map(({ file, source }) => `${file}: /${source}/`),
    [],
  );
  const files = new Set(slow.map(({ file }) => file));
  assert.deepEqual(
    Object.keys(BOUNDED).filter((file) => !files.has(file)),
    [],
    "named without need",
  );
});

test("the check finds a pattern that backtracks over one kind of character", () => {
  for (const source of [String.raw`\n+$`, String.raw`\s+$`, "(a|a)*b", String.raw`^\s*:?\s*x`])
    assert.notDeepEqual(slownessOf({ file: "", source, flags: "" }), [], source);
});
