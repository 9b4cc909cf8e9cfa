/** Where a probe can be put: every line of a text in each language, and that the text is the same again without it. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { strip } from "../regions/regions.ts";
import { grammarOf } from "../places/grammars.ts";
import { applied } from "../probes/application.ts";
import { ELSEWHERE, IN_BLOCKS, type Places } from "./probes/places.ts";
import { sampleWish } from "./probes/sample.ts";

async function fits({ file, language }: Places, text: string, line: number): Promise<"+" | "-"> {
  const wish = sampleWish(language, { point: "here" });
  try {
    const probed = applied({ path: file, text, line, wish }, await grammarOf(language));
    assert.deepEqual(strip(probed.text), { ok: true, text, count: probed.text.match(/#region/g)?.length });
    assert.match(probed.text.split(/\r\n|\r|\n/)[probed.line - 1] ?? "", /#region debug-point A:here/);
    return "+";
  } catch (error) {
    if ((error as { code?: unknown }).code !== "DEBUG_PROBE_PLACE") throw error;
    return "-";
  }
}

describe("a probe can be inserted", () => {
  for (const places of [...IN_BLOCKS, ...ELSEWHERE]) {
    it(`at a statement of ${places.language} and nowhere else`, async () => {
      const marked = places.text.split("\n").slice(0, -1);
      const text = marked.map((line) => `${line.slice(1)}\n`).join("");
      const found: string[] = [];
      for (const [index, line] of marked.entries()) {
        const isLeft = line.slice(1).trim() === "" || line.startsWith("?");
        found.push(`${isLeft ? line.charAt(0) : await fits(places, text, index + 1)}${line.slice(1)}`);
      }
      assert.deepEqual(found, marked);
      assert.equal(await fits(places, text, marked.length + 1), places.end, "after the last line");
    });
  }

  it("after a block that ends with an empty return", async () => {
    const texts: readonly (readonly [Places["language"], string, string])[] = [
      ["javascript", "a.js", "function f(x) {\n  if (!x) {\n    return\n  }\n  g(x)\n}\n"],
      ["go", "a.go", "package a\n\nfunc f(x int) {\n\tif x > 0 {\n\t\treturn\n\t}\n\tg(x)\n}\n"],
      ["python", "a.py", "def f(x):\n    if not x:\n        return\n    g(x)\n"],
      ["ruby", "a.rb", "def f(x)\n  if x\n    return\n  end\n  g x\n  g x\nend\n"],
      ["lua", "a.lua", "local function f(x)\n  if x then\n    return\n  end\n  g(x)\nend\n"],
      ["kotlin", "a.kt", "fun f(x: Int) {\n  if (x > 0) {\n    return\n  }\n  g(x)\n}\n"],
      ["swift", "a.swift", "func f(x: Int) {\n  if x > 0 {\n    return\n  }\n  g(x)\n}\n"],
    ];
    for (const [language, file, text] of texts) {
      const line = text.slice(0, text.search(/\bg[ (]/)).split("\n").length;
      assert.equal(await fits({ language, file, text, end: "-" }, text, line), "+", language);
    }
  });

  it("in front of another probe, if nothing else stands in front of the statement", async () => {
    const bodies: readonly Pick<Places, "file" | "language" | "text">[] = [
      { language: "python", file: "a.py", text: "def f(x):\n    return x\n" },
      { language: "javascript", file: "a.js", text: "function f(x) {\n  return x;\n}\n" },
      { language: "ruby", file: "a.rb", text: "def f(x)\n  x\nend\n" },
      { language: "shell", file: "a.sh", text: "f() {\n  g $x\n}\n" },
      { language: "go", file: "a.go", text: "package a\n\nfunc f(x int) int {\n\treturn x\n}\n" },
      { language: "lua", file: "a.lua", text: "local function f(x)\n  return x\nend\n" },
    ];
    for (const { language, file, text } of bodies) {
      const shape = { language, file, end: "-" as const, text };
      const at = language === "go" ? 4 : 2;
      let probed = text;
      for (const point of ["one", "two"]) {
        const line = lineOf(probed, "B:one") ?? at;
        const wish = sampleWish(language, { hypothesis: "B", point });
        probed = applied({ path: file, text: probed, line, wish }, await grammarOf(language)).text;
      }
      const line = lineOf(probed, "B:two") ?? 0;
      assert.ok(line > 0 && line < (lineOf(probed, "B:one") ?? 0), file);
      assert.equal(await fits(shape, probed, line + 1), "-", `${file}: inside of a probe`);
      const stripped = strip(probed);
      assert.equal(stripped.ok && stripped.text, text);
    }
  });

  it("into texts with every kind of line end, with tabs and without a last line end", async () => {
    const places = IN_BLOCKS.find(({ language }) => language === "javascript");
    assert.ok(places);
    for (const text of ["a()\r\n\tb()\r\n", "a()\r\n\tb()", "a()\n\tb()", "a()", "\ufeffa()\nb()\n"])
      for (const line of [1, 2]) {
        const isFirst = text.startsWith("\ufeff") && line === 1;
        assert.equal(await fits(places, text, line), isFirst ? "-" : "+", JSON.stringify([text, line]));
      }
  });
});

/** The line of a text, from 1, at which the region of a probe begins. */
function lineOf(text: string, label: string): number | undefined {
  const at = text.split("\n").findIndex((line) => line.includes(`#region debug-point ${label}`));
  return at === -1 ? undefined : at + 1;
}
