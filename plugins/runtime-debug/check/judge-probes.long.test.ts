import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { headRegion, probeRegion } from "../probes/probe-text.ts";
import { LANGUAGES, type Language } from "../probes/languages.ts";
import { judgeFile } from "./judge-file.ts";

/** A file, what stands above and below a probe in it, and three expressions: a plain one, a call that reads, one that acts. */
type Place = readonly [
  path: string,
  above: string,
  below: string,
  plain: string,
  reads: string | undefined,
  acts: string | undefined,
];

const PLACES: Readonly<Partial<Record<Language, Place>>> = {
  javascript: [
    "a.js",
    "function f(x) {\n  let a = 1;\n",
    "  return a;\n}\n",
    "a",
    "x.items.map((y) => y.id)",
    "x.save()",
  ],
  jsx: [
    "a.jsx",
    "function F(x) {\n  const a = 1;\n",
    "  return <b>{a}</b>;\n}\n",
    "a",
    "x.items.length",
    "x.save()",
  ],
  typescript: [
    "a.ts",
    "function f(x: X): number {\n  let a = 1;\n",
    "  return a;\n}\n",
    "a",
    "String(x!.y)",
    "x.save()",
  ],
  tsx: [
    "a.tsx",
    "function F(x: X) {\n  const a = 1;\n",
    "  return <b>{a}</b>;\n}\n",
    "a",
    "x.items.length",
    "x.save()",
  ],
  vue: [
    "a.vue",
    "<template><p/></template>\n<script setup>\nconst a = 1;\n",
    "const b = 2;\n</script>\n",
    "a",
    "String(a)",
    "a.save()",
  ],
  svelte: [
    "a.svelte",
    "<script>\nconst a = 1;\n",
    "const b = 2;\n</script>\n<p>x</p>\n",
    "a",
    "String(a)",
    "a.save()",
  ],
  html: ["a.html", "<body>\n<p>x</p>\n", "</body>\n", "location.href", "String(a)", "a.save()"],
  python: ["a.py", "def f(x):\n    a = 1\n", "    return a\n", "a", "len(x.items())", "x.save()"],
  go: [
    "a.go",
    'package p\n\nimport "fmt"\n@@\nfunc f(x X) int {\n\ta := 1\n',
    "\tfmt.Sprint(a)\n\treturn a\n}\n",
    "a",
    "len(x.items)",
    "x.save()",
  ],
  rust: ["a.rs", "fn f(x: &X) -> i32 {\n    let a = 1;\n", "    a\n}\n", "a", "x.items.len()", "x.save()"],
  java: [
    "A.java",
    "class A {\n  int f(X x) {\n    int a = 1;\n",
    "    return a;\n  }\n}\n",
    "a",
    "x.items.size()",
    "x.save()",
  ],
  kotlin: ["a.kt", "fun f(x: X): Int {\n    val a = 1\n", "    return a\n}\n", "a", undefined, "x.save()"],
  swift: [
    "a.swift",
    "func f(x: X) -> Int {\n    let a = 1\n",
    "    return a\n}\n",
    "a",
    undefined,
    "x.save()",
  ],
  c: [
    "a.c",
    "#include <stdio.h>\n@@\nint f(struct x *x) {\n  int a = 1;\n",
    "  return a;\n}\n",
    "a",
    "strlen(x->name)",
    "save(x)",
  ],
  cpp: [
    "a.cpp",
    "#include <string>\n@@\nint f(X *x) {\n  int a = 1;\n",
    "  return a;\n}\n",
    "a",
    "x->items.size()",
    "x->save()",
  ],
  csharp: [
    "A.cs",
    "class A {\n  int F(X x) {\n    int a = 1;\n",
    "    return a;\n  }\n}\n",
    "a",
    "x.Items.Count()",
    "x.Save()",
  ],
  php: [
    "a.php",
    "<?php\nfunction f($x) {\n  $a = 1;\n",
    "  return $a;\n}\n",
    "$a",
    "count($x->items)",
    "$x->save()",
  ],
  ruby: ["a.rb", "def f(x)\n  a = 1\n", "  a\nend\n", "a", "x.items.map(&:id)", "x.update(1)"],
  lua: ["a.lua", "local function f(x)\n  local a = 1\n", "  return a\nend\n", "a", undefined, "x.save()"],
  dart: [
    "a.dart",
    "import 'dart:math';\n@@\nint f(X x) {\n  var a = 1;\n",
    "  return a;\n}\n",
    "a",
    undefined,
    "x.save()",
  ],
  perl: [
    "a.pl",
    "sub f {\n  my ($x) = @_;\n  my $a = 1;\n",
    "  return $a;\n}\n",
    "$a",
    undefined,
    "$x->save",
  ],
  shell: ["a.sh", "f() {\n  a=1\n", "  return $a\n}\n", "$a", undefined, undefined],
  powershell: ["a.ps1", "function F($x) {\n  $a = 1\n", "  return $a\n}\n", "$a", undefined, "$x.Save()"],
};

function probed(language: Language, [, above, below]: Place, expression: string, url: string): string {
  const head = headRegion(language);
  const indent = /^[ \t]*/.exec(below)?.[0] ?? "";
  const region = probeRegion({
    language,
    session: "cart-total-wrong",
    hypothesis: "B",
    point: "total",
    data: [{ name: "value", expression }],
    location: "a:1",
    fallbackUrl: url,
    allowCall: true,
  });
  const top = head ? `${head.join("\n")}\n` : "";
  return above.replace("@@\n", top) + region.map((line) => `${indent}${line}\n`).join("") + below;
}

describe("probes as they are written", () => {
  const EVENT = "http://127.0.0.1:7777/event";
  for (const language of LANGUAGES) {
    const place = PLACES[language];
    if (!place) {
      test(`${language} has none`, () => {
        assert.equal(language, "sql");
      });
      continue;
    }
    const [path, above, below, plain, reads, acts] = place;
    const judged = async (expression: string, url = EVENT): Promise<readonly string[]> => {
      const { findings, stripped } = await judgeFile(path, probed(language, place, expression, url));
      assert.equal(stripped, above.replace("@@\n", "") + below);
      return findings.map(({ code }) => code);
    };

    test(`are pure in ${language}, and taken out leave what was there`, async () => {
      assert.deepEqual(await judged(plain), []);
      if (reads !== undefined) assert.deepEqual(await judged(reads), []);
    });
    test(`are taken in ${language} when calls were allowed, wherever they send`, async () => {
      if (acts !== undefined) assert.deepEqual(await judged(acts), []);
      for (const url of ["http://debug.box:7777/event", "http://[fd00::1]:7777/event?k-1"])
        assert.deepEqual(await judged(plain, url), []);
    });
  }
});

describe("files of other kinds", () => {
  const region = "// #region debug-point A:x\nsave();\n// #endregion debug-point A:x";
  for (const path of ["README.md", "docs/a.txt", "guide.rst", "a.adoc", "CHANGELOG"])
    test(`${path} only mentions regions`, async () => {
      const text = `a\n${region}\nb\n`;
      assert.deepEqual(await judgeFile(path, text), { regions: 0, findings: [], stripped: text });
    });
  test("a program without a name that tells its language is known by its first line", async () => {
    const text =
      "#!/usr/bin/env bash\n# #region debug-point A\ncurl -s http://127.0.0.1:7777/event\n# #endregion\n";
    assert.deepEqual((await judgeFile("bin/run", text)).findings, []);
  });
  test("in an unknown language probes are written by hand, and log nothing", async () => {
    const own = probed("lua", ["", "a\n", "b\n", "", "", ""], "a", "http://127.0.0.1:7777/event");
    assert.deepEqual((await judgeFile("a.unknown", own)).findings, []);
    assert.deepEqual((await judgeFile("a.unknown", `a\n${region}\nb\n`)).findings, []);
    const { findings } = await judgeFile("a.unknown", `a\n${region.replace("save()", "print(x)")}\nb\n`);
    assert.deepEqual(
      findings.map(({ code, line }) => [code, line]),
      [["native-log", 3]],
    );
  });
  test("our probe as the body of a condition is refused without a grammar too", async () => {
    const text = probed("kotlin", ["", "if (a)\n", "go()\n", "", "", ""], "a", "http://127.0.0.1:7777/event");
    assert.deepEqual(
      (await judgeFile("a.kt", text)).findings.map(({ code }) => code),
      ["misplaced"],
    );
  });
});
