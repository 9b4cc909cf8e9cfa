/** What stands in a region beside a probe of ours: the guilty line is named, not the probe. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { probeRegion } from "../probes/probe-text.ts";
import type { Language } from "../probes/languages.ts";
import { judgeFile } from "./judge-file.ts";

const EVENT = "http://127.0.0.1:7777/event";
/** Above the probe, below it, a line that logs and one that changes something. */
const FILES: readonly (readonly [
  language: Language,
  path: string,
  above: string,
  below: string,
  log: string,
  change: string,
])[] = [
  ["javascript", "a.js", "function f(x) {\n  let a = 1;\n", "  return a;\n}\n", "console.log(a);", "a = 5;"],
  ["typescript", "a.ts", "let a: number = 1;\n", "let b = a;\n", "console.log(a);", "a = 5;"],
  ["python", "a.py", "def f(x):\n  a = 1\n", "  return a\n", "  print(a)", "  a = 5"],
  ["ruby", "a.rb", "a = 1\n", "b = a\n", "puts a", "a = 5"],
  ["php", "a.php", "<?php\n$a = 1;\n", "$b = 2;\n", "error_log($a);", "$a = 5;"],
  ["shell", "a.sh", "a=1\n", "b=2\n", "echo $a", "a=5"],
  [
    "java",
    "A.java",
    "class A { void f() {\n  int a = 1;\n",
    "  g(a);\n} }\n",
    "System.out.println(a);",
    "a = 5;",
  ],
  ["lua", "a.lua", "local a = 1\n", "local b = 2\n", "print(a)", "a = 5"],
];

for (const [language, path, above, below, log, change] of FILES)
  describe(`a probe of ours in ${language} is not accused of`, () => {
    const expression = language === "php" || language === "shell" ? "$a" : "a";
    const indent = language === "python" ? "  " : "";
    const probe = probeRegion({
      language,
      session: "cart-total-wrong",
      hypothesis: "A",
      point: "x",
      data: [{ name: "a", expression }],
      location: `${path}:3`,
      fallbackUrl: EVENT,
    }).map((line) => indent + line);
    const [begin = "", line = "", end = ""] = probe;
    const top = above.split("\n").length;

    for (const [what, body, at] of [
      ["a log behind it", [line, log], 2],
      ["a log in front of it", [log, line], 1],
      ["a change behind it", [line, change], 2],
      ["a change in front of it", [change, line], 1],
    ] as const)
      test(what, async () => {
        const text = `${above}${[begin, ...body, end].join("\n")}\n${below}`;
        const { findings } = await judgeFile(path, text);
        const codes = what.includes("log")
          ? /^native-log$|^not-a-probe$/
          : /^not-a-probe$|^impure-expression$/;
        assert.deepEqual(
          findings.map(({ line }) => line),
          [top + at],
        );
        assert.match(findings[0]?.code ?? "", codes);
      });

    test("where it sends, when it alone sends there", async () => {
      const [begin = "", line = "", end = ""] = probe.map((one) =>
        one.replace(EVENT, "https://example.com/event"),
      );
      const { findings } = await judgeFile(
        path,
        `${above}${[begin, line, change, end].join("\n")}\n${below}`,
      );
      assert.deepEqual(
        findings.filter(({ code }) => code === "foreign-address").map(({ line }) => line),
        language === "lua" ? [] : [top + 1],
      );
    });
  });
