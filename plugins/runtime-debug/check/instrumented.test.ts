/** Instrumentation in a file: regions, native logging in them, and whether the rest is unchanged. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { probeRegion } from "../probes/probe-text.ts";
import { sampleWish, WRITTEN } from "../tests/probes/sample.ts";
import { differences, instrumented } from "./instrumented.ts";

function region(body: string, label = "debug-point A:x"): string {
  return `// #region ${label}\n${body}\n// #endregion\n`;
}

const REPORT = 'fetch("http://127.0.0.1:7777/event", { method: "POST", body: "{}" }).catch(() => {});';

describe("in a region", () => {
  test("native logging is a fault, and a report with any text is not", () => {
    const logs = [
      "window.console.debug(a)",
      "print(x)",
      "puts x",
      'println!("{}", x);',
      "fmt.Println(x)",
      "System.out.println(x);",
      "std::cout << x;",
      "  echo $x",
      "self.logger.debug(x)",
      "Log.d(tag, x);",
      "sys.stderr.write(x)",
      `${REPORT} console.log(2);`,
    ];
    const reports = [
      REPORT,
      "// console.log(1)",
      'report("console.log(1)");',
      "printf '{}' | curl -d @- $DEBUG_SERVER_URL",
      'echo "{}" > /dev/tcp/127.0.0.1/7777',
      "printer.print(x)",
      "snprintf(b, 9, x);",
    ];
    const found = (line: string) =>
      instrumented("a.any", region(`${REPORT}\n${line}`), "").findings.map(({ code, line: at }) => [
        code,
        at,
      ]);
    for (const line of logs) assert.deepEqual(found(line), [["native-log", 3]], line);
    for (const line of reports) assert.deepEqual(found(line), [], line);
    for (const language of WRITTEN) {
      const probe = probeRegion(sampleWish(language)).join("\n");
      const { findings, notes, isAsBefore } = instrumented("a.any", probe, "");
      assert.deepEqual([findings, notes, isAsBefore], [[], [], true], language);
    }
  });
});

describe("the rest of a file counts as unchanged", () => {
  const code = "a();\nb();\n";
  const fixture = "const text = `\n// #region debug-point Z\n`;\n";
  const old = region("old();", "debug-point Z:old");

  test("with regions, with removed older regions, and with a marker that an old text contained", () => {
    for (const [before, now] of [
      [code, `${region(REPORT)}a();\n${region(REPORT, "agent log")}b();\n`],
      [old + code, code],
      [fixture + code, fixture + code],
    ] as const) {
      const { isAsBefore, findings } = instrumented("a.js", now, before);
      assert.deepEqual([isAsBefore, findings], [true, []]);
    }
  });

  test("with a region that replaces a line, and keeps the line's own logging", () => {
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
});
