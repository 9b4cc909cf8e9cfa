/** The results of edit tools, computed in memory, compared with a straightforward reference. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { processorSeconds } from "../../contract-tests/harness.ts";
import type { Subject } from "../plugin.ts";
import { editsOf } from "./edits.ts";

/** A disk in memory. */
function disk(texts: Readonly<Record<string, string | Uint8Array>>) {
  const bytesOf = (path: string) => {
    const text = Object.hasOwn(texts, path) ? texts[path] : undefined;
    return text === undefined ? undefined : typeof text === "string" ? Buffer.from(text) : text;
  };
  return {
    realPath: async (path: string) => (path === "/w" || bytesOf(path) ? path : undefined),
    linkTarget: async () => undefined,
    marks: async (paths: readonly string[]) =>
      paths.map((path) => {
        const bytes = bytesOf(path);
        return bytes && { kind: "file" as const, bytes: bytes.byteLength, modifiedMs: 0, changedMs: 0 };
      }),
    readMany: async (paths: readonly string[]) => paths.map(bytesOf),
  };
}

function results(
  name: string,
  input: object,
  texts: Readonly<Record<string, string | Uint8Array>> = {},
  tool: "edit" | "write" | "shell" | "mcp" = "edit",
) {
  const subject: Subject = { event: "tool.pre", surface: "hook", tool, name, input, paths: ["/w/a.js"] };
  return editsOf(subject, { cwd: "/w", home: "/home/ada", files: disk(texts) });
}

/** Numbers from 0 to below 1 that are the same in each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

function pick<Item>(random: () => number, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

describe("random edits have the results of a straightforward reference", () => {
  test("of one or several replacements in one call", async () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const random = numbers(seed);
      const before = Array.from({ length: 1 + Math.floor(random() * 9) }, () =>
        pick(random, ["a", "b", "ab", "c$&"]),
      ).join("\n");
      let after: string | undefined = before;
      const edits = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
        const [old_string, new_string] = [
          pick(random, ["a", "b", "ab", "b\na", "c$"]),
          pick(random, ["x", "a\nb", "$1"]),
        ];
        const replace_all = random() < 0.5;
        const count: number = after?.split(old_string).length ?? 0;
        after =
          count > 1 && (replace_all || count === 2) ? after?.split(old_string).join(new_string) : undefined;
        return { old_string, new_string, replace_all };
      });
      const found = await results("MultiEdit", { file_path: "a.js", edits }, { "/w/a.js": before });
      const isChanged = after !== undefined && after !== before;
      const isLoose = after === undefined && found?.[0]?.unclear !== undefined;
      if (!isLoose)
        assert.deepEqual(found, isChanged ? [{ path: "/w/a.js", before, after }] : [], `seed ${seed}`);
    }
  });

  test("patches", async () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const random = numbers(seed);
      const lines = Array.from(
        { length: 3 + Math.floor(random() * 12) },
        (_, index) => `${" ".repeat(index % 3)}line ${index};`,
      );
      const parts: string[] = [];
      const after: string[] = [];
      for (const line of lines) {
        const kind = pick(random, ["keep", "keep", "drop", "add"]);
        if (kind === "add") after.push(`new ${after.length}`);
        if (kind !== "drop") after.push(line);
        if (kind === "add") parts.push("@@", `+new ${after.length - 2}`, ` ${line}`);
        if (kind === "drop") parts.push("@@", `-${line}`);
      }
      if (parts.length === 0) continue;
      const patch = ["*** Begin Patch", "*** Update File: a.js", ...parts, "*** End Patch"].join("\n");
      const before = `${lines.join("\n")}${random() < 0.5 ? "\n" : ""}`;
      const found = await results("apply_patch", { input: patch }, { "/w/a.js": before });
      assert.deepEqual(
        found,
        [{ path: "/w/a.js", before, after: after.map((line) => `${line}\n`).join("") }],
        `seed ${seed}`,
      );
    }
  });
});

describe("results that are unknown", () => {
  test("include those of an unknown editor; a tool that is not an editor edits nothing", async () => {
    assert.equal(await results("Bash", { command: "echo x > a.js" }, {}, "shell"), undefined);
    assert.equal(await results("Bash", { command: "grep '*** Begin Patch' a.md" }, {}, "shell"), undefined);
    assert.equal(await results("mcp__files__write_file", { path: "a.js" }, {}, "mcp"), undefined);
    const [edit] = (await results("edit_file", { target_file: "/w/a.js", code_edit: "x" })) ?? [];
    assert.equal(edit?.unclear, "the form of this tool is not known");
  });

  test("include edits of files over 4 MiB, of other encodings, and inputs of an unknown form", async () => {
    const big = "x".repeat(4 * 1024 * 1024 + 1);
    const edit = { file_path: "a.js", old_string: "x", new_string: "y" };
    const reasons = async (input: object, text: string | Uint8Array) =>
      (await results("Edit", input, { "/w/a.js": text }))?.map(({ unclear }) => unclear);
    assert.deepEqual(await reasons(edit, big), ["it is over 4 MiB"]);
    assert.deepEqual(await reasons(edit, Buffer.from([0xff, 0xfe, 0x78, 0])), ["it is not text in UTF-8"]);
    for (const more of [{ replace_all: 1 }, { old_string: 1 }, { new_string: undefined }])
      assert.deepEqual(await reasons({ ...edit, ...more }, "x"), ["its old and new text are not given"]);
    for (const edits of ["x", [1], []])
      assert.deepEqual(await reasons({ ...edit, edits }, "x"), ["it has two kinds of replacement"]);
    const several = { file_path: "a.js", edits: [1] };
    assert.deepEqual(await reasons(several, "x"), ["its old and new text are not given"]);
    assert.deepEqual(await reasons({ ...edit, dryRun: true }, "x"), [
      'it has the key "dryRun", which its tool does not have',
    ]);
    assert.deepEqual(await results("Edit", { old_string: "x", new_string: "y" }), []);
  });
});

describe("hostile calls are answered in time", () => {
  const lines = "ab\n".repeat(1_000_000);
  const calls: readonly (readonly [string, string, object])[] = [
    [
      "many edits of a large file",
      "MultiEdit",
      {
        file_path: "a.js",
        edits: Array.from({ length: 10_000 }, () => ({
          old_string: "ab",
          new_string: "ab ",
          replace_all: true,
        })),
      },
    ],
    [
      "each edit makes the file larger",
      "MultiEdit",
      {
        file_path: "a.js",
        edits: Array.from({ length: 40 }, () => ({ old_string: "b", new_string: "bbbb", replace_all: true })),
      },
    ],
    [
      "many places of a patch",
      "apply_patch",
      {
        input: `*** Begin Patch\n*** Update File: a.js\n${"@@ no such line\n ab\n".repeat(100_000)}*** End Patch`,
      },
    ],
    [
      "a long row of lines",
      "apply_patch",
      { input: `*** Begin Patch\n*** Update File: a.js\n@@\n${" ab\n".repeat(500_000)}-x\n*** End Patch` },
    ],
    [
      "blanks",
      "apply_patch",
      { input: `*** Begin Patch\n*** Update File: a.js\n@@ ${" ".repeat(4_000_000)}\n*** End Patch` },
    ],
    [
      "a script",
      "shell",
      { command: `cd ${" ".repeat(4_000_000)}&& apply_patch <<EOF\n*** Begin Patch\n*** End Patch\nEOF` },
    ],
    ["quotation marks", "Edit", { file_path: "a.js", old_string: "'\"".repeat(2_000_000), new_string: "x" }],
  ];
  for (const [title, name, input] of calls)
    test(title, async () => {
      const seconds = await processorSeconds(() =>
        results(name, input, { "/w/a.js": lines }, name === "shell" ? "shell" : "edit"),
      );
      assert.ok(seconds < 2.5, `${seconds} s`);
    });
});
