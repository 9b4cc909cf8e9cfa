/** What a file holds of instrumentation: regions, native logging in them, and whether the rest is as before. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { LANGUAGES } from "../probes/languages.ts";
import { probeRegion } from "../probes/probe-text.ts";
import { linesOf, regionsIn } from "../regions/regions.ts";
import { outside } from "../regions/strip.ts";
import { differences } from "./differences.ts";
import { instrumented } from "./instrumented.ts";
import { hypothesesIn, probesIn } from "./check-tree.ts";

const DOLLAR = new Set<string>(["shell", "php", "perl", "powershell"]);

function region(body: string, label = "debug-point A:x"): string {
  return `// #region ${label}\n${body}\n// #endregion\n`;
}

function probe(language: (typeof LANGUAGES)[number]): string {
  return probeRegion({
    language,
    session: "one-bug",
    hypothesis: "A",
    point: "sum",
    data: [{ name: "sum", expression: DOLLAR.has(language) ? "$sum" : "sum" }],
    location: "a:1",
    fallbackUrl: "http://127.0.0.1:7777/event",
  }).join("\n");
}

const REPORT = 'fetch("http://127.0.0.1:7777/event", { method: "POST", body: "{}" }).catch(() => {});';

describe("in a region", () => {
  const logs = [
    "console.log(1)",
    "window.console.debug(a)",
    "print(x)",
    "puts x",
    'println!("{}", x);',
    "dbg!(x);",
    "fmt.Println(x)",
    "System.out.println(x);",
    "std::cout << x;",
    "  echo $x",
    'printf("%d", x);',
    "logger.info(x)",
    "self.logger.debug(x)",
    "Log.d(tag, x);",
    "sys.stderr.write(x)",
    `${REPORT} console.log(2);`,
  ];
  for (const [index, line] of logs.entries())
    test(`native logging is a fault, as in ${index + 1}: ${line.split(/\W/)[0] ?? ""}`, () => {
      const { findings } = instrumented("a.js", region(`${REPORT}\n${line}`), "");
      assert.deepEqual(
        findings.map(({ code, line: at }) => `${code}:${at ?? 0}`),
        ["native-log:3"],
        line,
      );
    });

  test("a report is no native logging, in whatever words", () => {
    const reports = [
      REPORT,
      "// console.log(1)",
      'report("console.log(1)");',
      "printf '{}' | curl -d @- $DEBUG_SERVER_URL",
      'echo "{}" > /dev/tcp/127.0.0.1/7777',
      "printer.print(x)",
      "snprintf(b, 9, x);",
      "const blueprint = print;",
    ];
    for (const line of reports) assert.deepEqual(instrumented("a.js", region(line), "").findings, [], line);
    for (const language of LANGUAGES.filter((one) => one !== "sql")) {
      const { findings, notes, isAsBefore } = instrumented("a.any", probe(language), "");
      assert.deepEqual([findings, notes, isAsBefore], [[], [], true], language);
    }
  });

  test("what is more than a report is noted, and stops nothing", () => {
    const code = "let sum = 0;\n";
    const lines = (body: string): readonly (number | undefined)[] => {
      const { findings, notes } = instrumented("a.js", code + region(body), code);
      assert.deepEqual(findings, []);
      return notes.map(({ line }) => line);
    };
    assert.deepEqual(lines("feed.subscribe(quote.id);"), [2]);
    assert.deepEqual(lines(`${REPORT}\nsum += 1;\nother = 2;`), [4]);
    assert.deepEqual(lines(REPORT), []);
  });
});

describe("the rest of a file is as before", () => {
  const code = "a();\nb();\n";
  const fixture = "const text = `\n// #region debug-point Z\n`;\n";
  const old = region("old();", "debug-point Z:old");
  const same: Readonly<Record<string, readonly [before: string, now: string]>> = {
    "with regions": [code, `${region(REPORT)}a();\n${region(REPORT, "agent log")}b();\n`],
    "with an older region that has gone": [old + code, code],
    "with a marker in a text that was there": [fixture + code, fixture + code],
    "in a document": ["# a\n", "# a\n"],
  };
  for (const [name, [before, now]] of Object.entries(same))
    test(name, () => {
      const { isAsBefore, findings } = instrumented("a.js", now, before);
      assert.deepEqual([isAsBefore, findings], [true, []]);
    });

  test("with a region instead of a line, whose own logging is the program's", () => {
    const before = "a();\nconst f = (x) => console.log(x);\nb();\n";
    const now = before.replace(/const f.*\n/, (line) =>
      region(`// instead of: ${line}const f = (x) => { ${REPORT} return console.log(x); };`),
    );
    const same = instrumented("a.js", now, before);
    assert.deepEqual([same.isAsBefore, same.findings, same.notes], [true, [], []]);
    const { outside, outsideBefore } = instrumented("a.js", now.replace("b();", "b(1);"), before);
    assert.deepEqual(
      differences(outside, outsideBefore).map(({ line }) => line),
      [6],
    );
  });

  test("but for one byte it is not", () => {
    for (const now of [
      `${region(REPORT)}a();\n b();\n`,
      code.replace("\n", "\r\n"),
      `\uFEFF${code}`,
      "a();\nb();",
    ])
      assert.equal(instrumented("a.js", now, code).isAsBefore, false);
    assert.equal(instrumented("a.md", `${region(REPORT)}${code}`, code).isAsBefore, false);
  });
});

test("each place that differs is told on its own, with its line in the file", () => {
  const before = linesOf("import a\none()\ntwo()\nthree()\nfour()\n");
  const now = linesOf(`import a\nimport b\none()\n${region(REPORT)}two(2)\nthree()\n`);
  const found = differences(outside(now, regionsIn(now).regions), before);
  assert.deepEqual(
    found.map(({ line, added, removed }) => [line, added.join(), removed]),
    [
      [2, "import b", 0],
      [7, "two(2)", 1],
      [8, "", 1],
    ],
  );
});

describe("the hypotheses that regions name", () => {
  const named = (text: string, session: string): readonly string[] => {
    return [...new Set(probesIn(instrumented("a.any", text, ""), session).flatMap(hypothesesIn))];
  };

  test("are those of this session alone, whatever the language", () => {
    for (const language of LANGUAGES.filter((one) => one !== "sql")) {
      assert.deepEqual(named(probe(language), "one-bug"), ["A"], language);
      assert.deepEqual(named(probe(language), "two-bug"), [], language);
    }
  });

  test("count in a probe written by hand unless it names another session", () => {
    const hand = (session: string): string =>
      region(`fetch(u,{method:"POST",body:JSON.stringify({${session}hypothesisId:"A,C"})});`, "agent log");
    const names = (session: string): readonly string[] => named(hand(session), "one-bug").filter(Boolean);
    assert.deepEqual(names(""), ["A,C", "A", "C"]);
    assert.deepEqual(names('sessionId:"one-bug",').length, 3);
    assert.deepEqual(names('sessionId:"one-bug-two",'), []);
    assert.deepEqual(names('"session_id": "two-bug",'), []);
  });
});
