import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { probeRegion } from "../probes/probe-text.ts";
import { linesOf } from "../regions/lines.ts";
import { regionsIn } from "../regions/regions.ts";
import { insert } from "../regions/strip.ts";
import { judgeFile } from "./judge-file.ts";
import { isQuickPlace } from "./judge/quick-place.ts";
import { judgeByTree } from "./judge/tree-judge.ts";
import { effort } from "../../../contract-tests/effort.ts";

type Language = "javascript" | "python";

function probe(language: Language): readonly string[] {
  return probeRegion({
    language,
    session: "cart-total-wrong",
    hypothesis: "A",
    point: "total",
    data: [{ name: "total", expression: "total" }],
    location: "a:1",
    fallbackUrl: "http://127.0.0.1:7777/event",
  });
}

/** Regions that are pure everywhere. */
const PURE: Readonly<Record<Language, readonly (readonly string[])[]>> = {
  javascript: [
    probe("javascript"),
    [
      "// #region agent log",
      'fetch("http://127.0.0.1:7242/ingest/x",{method:"POST"}).catch(()=>{});',
      "// #endregion",
    ],
  ],
  python: [
    probe("python"),
    [
      "# #region debug-point A",
      'requests.post("http://127.0.0.1:7777/event", json={"a": total})',
      "# #endregion",
    ],
  ],
};

/** A statement as lines, with the numbers of those that a region can stand in front of. */
interface Code {
  readonly lines: readonly string[];
  readonly places: readonly number[];
}

function joined(parts: readonly Code[]): Code {
  const lines: string[] = [];
  const places: number[] = [];
  for (const part of parts) {
    places.push(...part.places.map((place) => place + lines.length));
    lines.push(...part.lines);
  }
  return { lines, places: [...new Set([...places, lines.length])] };
}

function indented({ lines, places }: Code): Code {
  return { lines: lines.map((line) => (line === "" ? line : `  ${line}`)), places };
}

/** A block between two lines; regions can stand in front of it and in it. */
function block(head: string, body: Code, foot: readonly string[]): Code {
  const inner = indented(body);
  return { lines: [head, ...inner.lines, ...foot], places: [0, ...inner.places.map((place) => place + 1)] };
}

const simple = (...lines: readonly string[]): Code => ({ lines, places: [0] });

const JAVASCRIPT = fc.letrec<{ code: Code; statement: Code }>((tie) => ({
  code: fc.array(tie("statement"), { minLength: 1, maxLength: 4 }).map(joined),
  statement: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(
      simple("const a = 1;"),
      simple("go(a, b);"),
      simple("x = [", "  1,", "  2,", "];"),
      simple("const s = `one", "two`;"),
      simple("call(a, {", "  b: 1,", "});"),
      simple("/* a", "   b */"),
      simple(""),
    ),
    tie("code").map((body) => block("if (a) {", body, ["}"])),
    tie("code").map((body) => block("function f(x) {", body, ["}"])),
    tie("code").map((body): Code => {
      const { lines, places } = indented(block("m(x) {", body, ["}"]));
      return {
        lines: ["class A {", "  a = 1;", ...lines, "}"],
        places: [0, ...places.filter((place) => place > 0).map((place) => place + 2)],
      };
    }),
    tie("code").map((body) => block("items.map((x) => {", body, ["});"])),
    fc.tuple(tie("code"), tie("code")).map(([one, other]): Code => {
      const first = block("if (a) {", one, []);
      const second = block("} else {", other, ["}"]);
      const places = second.places.slice(1).map((place) => place + first.lines.length);
      return { lines: [...first.lines, ...second.lines], places: [...first.places, ...places] };
    }),
  ),
})).code;

const PYTHON = fc.letrec<{ code: Code; statement: Code }>((tie) => ({
  code: fc.array(tie("statement"), { minLength: 1, maxLength: 4 }).map(joined),
  statement: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(
      simple("a = 1"),
      simple("go(a, b)"),
      simple("x = [", "  1,", "  2,", "]"),
      simple('s = """one', 'two"""'),
      simple("call(a,", "  b)"),
    ),
    tie("code").map((body) => block("if a:", body, [])),
    tie("code").map((body) => block("for x in y:", body, [])),
    tie("code").map((body) => block("def f(x):", body, [])),
  ),
})).code;

const CODE = { javascript: JAVASCRIPT, python: PYTHON };
const FILE = { javascript: "a.js", python: "a.py" };

/** With what a region in front of that line is indented. */
function indentAt({ lines }: Code, place: number, language: Language): string {
  const indent = (line = ""): string => /^ */.exec(line)?.[0] ?? "";
  const [above, below] = [lines[place - 1] ?? "", lines[place] ?? ""];
  if (language === "javascript") return indent(below);
  // At the end of blocks both would do.
  return above.endsWith(":") || indent(below).length > indent(above).length ? indent(below) : indent(below);
}

describe("regions at boundaries of statements", () => {
  for (const language of ["javascript", "python"] as const)
    test(`of ${language} are pure, and taken out leave every byte`, async () => {
      await fc.assert(
        fc.asyncProperty(
          CODE[language],
          fc.nat(60),
          fc.constantFrom(...PURE[language]),
          fc.constantFrom("\n", "\r\n"),
          fc.boolean(),
          async (code, at, region, end, ends) => {
            const place = code.places[at % code.places.length] ?? 0;
            const original = code.lines.join(end) + (ends ? end : "");
            const indent = indentAt(code, place, language);
            const text = insert(
              original,
              place + 1,
              region.map((line) => indent + line),
            );
            const { findings, stripped, regions } = await judgeFile(FILE[language], text);
            assert.deepEqual(findings, [], text);
            assert.equal(regions, 1);
            assert.equal(stripped, original);
          },
        ),
        { numRuns: effort(25, 450) },
      );
    });

  for (const language of ["javascript", "python"] as const)
    test(`of ${language}: a place that lines show to be sound is so on the tree, wherever it is`, async () => {
      await fc.assert(
        fc.asyncProperty(
          CODE[language],
          fc.nat(60),
          fc.constantFrom("", "  ", "    "),
          async (code, at, indent) => {
            const original = code.lines.join("\n");
            const place = at % (code.lines.length + 1);
            const text = insert(
              original,
              place + 1,
              probe(language).map((line) => indent + line),
            );
            const lines = linesOf(text);
            if (!isQuickPlace(language, lines, regionsIn(lines).regions)) return;
            const judged = await judgeByTree(language, text, lines);
            assert.deepEqual(judged?.faults, [], text);
          },
        ),
        { numRuns: effort(50, 900) },
      );
    });

  const QUICK: readonly (readonly [Language, string])[] = [
    ["javascript", "function f(a) {\n@@\n  return a;\n}\n"],
    ["javascript", "  const a = 1;\n@@\n  go(a);\n".replaceAll("  ", "")],
    ["javascript", "function f(a) {\n  const b = [1, 'x'];\n@@\n\n  // so\n  return b;\n}\n"],
    ["javascript", "items.forEach((x) => {\n  go(x);\n@@\n});\n"],
    ["javascript", "class A {\n  async m(a) {\n    this.a = a;\n@@\n    go();\n  }\n}\n"],
    ["python", "def f(a):\n  @@\n  return a\n"],
    ["python", "a = 1\n@@\nprint(a)\n"],
  ];
  const SLOW: readonly (readonly [Language, string])[] = [
    ["javascript", "if (a)\n@@\ngo();\n"],
    ["javascript", "const a = `\n  go();\n@@\n`;\n"],
    ["javascript", "/*\ngo();\n@@\n*/\n"],
    ["javascript", "class A {\n  a = 1;\n@@\n  b = 2;\n}\n"],
    ["javascript", "const a = {\n@@\n  b: 2,\n};\n"],
    ["javascript", "if (a) {\n  go();\n}\n@@\nelse {\n}\n"],
    ["javascript", "const a = b\n@@\ngo();\n"],
    ["javascript", "go(\n  a,\n@@\n  b);\n"],
    ["javascript", "function f() {\n@@\n  'use strict';\n}\n"],
    ["javascript", "switch (a) {\n@@\n  case 1:\n}\n"],
    ["python", "def f(a):\n  @@\n\nb = 1\n"],
    ["python", 'def f(a):\n  @@\n  "doc"\n'],
    ["python", 'a = """\nb = 1\n@@\n"""\n'],
    ["python", "a = go(\n  b,\n  @@\n  c)\n"],
    ["python", "if a:\n  go()\n@@\nelse:\n  go()\n"],
    ["python", "go()\n@@\nfrom __future__ import annotations\n"],
  ];
  const isQuick = (language: Language, text: string): boolean => {
    const probed = text.replace(/^( *)@@$/m, (_, indent: string) =>
      probe(language)
        .map((line) => indent + line)
        .join("\n"),
    );
    const lines = linesOf(probed);
    return isQuickPlace(language, lines, regionsIn(lines).regions);
  };
  test("need no tree at places that lines show to be sound", () => {
    for (const [language, text] of QUICK) {
      assert.equal(isQuick(language, text), true, `${language}: ${JSON.stringify(text)}`);
    }
  });
  test("need a tree at all other places", () => {
    for (const [language, text] of SLOW) {
      assert.equal(isQuick(language, text), false, `${language}: ${JSON.stringify(text)}`);
    }
  });
});
