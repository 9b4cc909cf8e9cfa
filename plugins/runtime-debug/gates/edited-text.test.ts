import assert from "node:assert/strict";
import { test } from "node:test";
import type { Edited } from "./edited.ts";
import { edited } from "./edited-text.ts";

const NOW = "one\ntwo\nthree\ntwo\n";
const PATCH = (body: string): string => `*** Begin Patch\n${body}\n*** End Patch\n`;

const KNOWN: readonly (readonly [name: string, input: object, text: string])[] = [
  ["Write", { file_path: "a.js", content: "new\n" }, "new\n"],
  ["write_file", { file_path: "a.js", content: "" }, ""],
  ["Edit", { old_string: "one", new_string: "1" }, "1\ntwo\nthree\ntwo\n"],
  ["Edit", { old_string: "one\n", new_string: "$&$1\n" }, "$&$1\ntwo\nthree\ntwo\n"],
  ["Edit", { old_string: "two", new_string: "2", replace_all: true }, "one\n2\nthree\n2\n"],
  ["StrReplace", { path: "a.js", old_str: "three", new_str: "3" }, "one\ntwo\n3\ntwo\n"],
  [
    "MultiEdit",
    {
      edits: [
        { old_string: "one", new_string: "1" },
        { old_string: "1\n", new_string: "" },
      ],
    },
    "two\nthree\ntwo\n",
  ],
  ["mcp__files__edit_file", { edits: [{ oldText: "three", newText: "3" }] }, "one\ntwo\n3\ntwo\n"],
  [
    "apply_patch",
    { input: PATCH("*** Update File: src/a.js\n@@ one\n two\n-three\n+3\n two") },
    "one\ntwo\n3\ntwo\n",
  ],
  ["apply_patch", { command: PATCH("*** Add File: src/a.js\n+x\n+y") }, "x\ny\n"],
];

test("the text that a file would have is known where the call says it", () => {
  for (const [name, input, text] of KNOWN)
    assert.deepEqual(
      edited(name, input, "/shop/src/a.js", NOW),
      { text },
      `${name} ${JSON.stringify(input)}`,
    );
});

test("an edit keeps the line ends of a file", () => {
  const input = { old_string: "one\ntwo", new_string: "1\n2" };
  assert.deepEqual(edited("Edit", input, "/a", "one\r\ntwo\r\n"), { text: "1\r\n2\r\n" });
});

const UNKNOWN: readonly (readonly [name: string, input: object, now?: string])[] = [
  ["Edit", { old_string: "two", new_string: "2" }],
  ["Edit", { old_string: "four", new_string: "4" }],
  ["Edit", { old_string: "", new_string: "4" }],
  ["NotebookEdit", { notebook_path: "/shop/src/a.ipynb", new_source: "x" }],
  ["MultiEdit", { edits: [{ old_string: "one", new_string: "1" }, { at: 5 }] }],
  ["MultiEdit", { content: "x", edits: [{ old_string: "one", new_string: "1" }] }],
  ["frobnicate", { path: "a.js" }],
  ["apply_patch", { input: PATCH("*** Update File: src/b.js\n@@\n-one\n+1") }],
  ["apply_patch", { input: PATCH("*** Update File: src/a.js\n@@\n-two\n+2") }],
  ["apply_patch", { input: PATCH("*** Update File: src/a.js\n*** Move to: src/b.js\n@@\n-one\n+1") }],
  [
    "apply_patch",
    { input: PATCH("*** Update File: src/a.js\n@@\n-one\n+1\n*** Update File: src/a.js\n@@\n-three\n+3") },
  ],
];

test("where more than one text is possible, none is known", () => {
  for (const [name, input, now = NOW] of UNKNOWN) {
    const found: Edited = edited(name, input, "/shop/src/a.js", now);
    assert.ok("unknown" in found, `${name} ${JSON.stringify(input)}: ${JSON.stringify(found)}`);
  }
});

test("a removed file is gone", () => {
  assert.deepEqual(edited("delete_file", { path: "a.js" }, "/a.js", NOW), { gone: true });
  const input = PATCH("*** Delete File: src/a.js");
  assert.deepEqual(edited("apply_patch", { input }, "/shop/src/a.js", NOW), { gone: true });
});
