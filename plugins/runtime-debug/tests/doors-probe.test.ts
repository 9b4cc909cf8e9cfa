/** The probes that `probe` prints, and the effects of running one. */
import assert from "node:assert/strict";
import { chmod, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, test } from "node:test";
import type { Files } from "skillctl";
import { nodeFiles } from "../../../core/adapters/files.ts";
import { ask } from "./client.ts";
import { LANGUAGES, templateOf } from "../probes/languages.ts";
import { strip } from "../regions/regions.ts";
import { ran } from "./program-run.ts";
import { debugProject } from "./session-harness.ts";
import { ID, PROBES, walked, walkedTo } from "./doors-walk.ts";

/** A file, its text in front of a statement, and the rest. */
const STANDS: readonly (readonly [file: string, before: string, after: string])[] = [
  ["a.js", "function f(p) {\n  return p.then(() => {\n", "    g();\n  });\n}\n"],
  ["a.ts", "const f = (): P => {\n  return new Promise<void>((r) => {\n", "    r();\n  });\n};\n"],
  ["a.tsx", "const L = () => {\n  return items.map((x) => {\n", "    return <b>{x}</b>;\n  });\n};\n"],
  ["a.js", "function selectMatch(when) {\n", "  g(when);\n}\n"],
  ["a.go", "package a\n\nfunc f() error {\n\treturn run(func() error {\n", "\t\treturn nil\n\t})\n}\n"],
  ["a.php", "<?php\nfunction f($p) {\n  return $p->then(function ($x) {\n", "    g($x);\n  });\n}\n"],
  ["A.java", "class A {\n  int f() {\n    return run(() -> {\n", "      return 1;\n    });\n  }\n}\n"],
  ["a.rs", "fn f() -> i32 {\n    run(|x| {\n", "        x + 1\n    })\n}\n"],
  ["a.rb", "def f(l)\n  l.each do |v|\n", "    g(v)\n  end\nend\n"],
  ["a.py", "def f(match):\n    if match:\n        return 1\n", "    return match\n"],
  ["a.cs", "class A {\n  int F() {\n    return Run(x => {\n", "      return x;\n    });\n  }\n}\n"],
  ["a.cpp", "int f() {\n  return run([](int x) {\n", "    return x;\n  });\n}\n"],
  ["a.sh", "mapfile -t list < <(\n  r=1\n", "  echo $r\n)\n"],
  ["a.sh", "list=$(\n  r=1\n", "  echo $r\n)\n"],
  ["a.sh", "case $x in\n  a)\n", "    g\n    ;;\nesac\n"],
];
type Row = readonly [lang: string, ...lists: readonly string[]];

/** A language, data that only read, data that call, and data that change something or end early. */
const DATA: readonly Row[] = [
  [
    "js",
    "token.expired | m.get('k') | Array.from(m.keys()) | res.getHeader('a') | new Error().stack | /[)]/.test(a) | `a ${b.c}` | items.map((x) => x.id) | typeof a | this.#items.length",
    "items.push(1) | t0(trust('x')) | new Cart(1) | `${go()}` | a?.b()",
    "a = 1 | a++ | a, b | a) + (b | a // b | (a | await a | delete a.b | () => { f() } | a\u2028b | @X@ | debug_d",
  ],
  ["ts", "(user as Admin).name | a!.b", "this.cart?.total()", "a <!-- b | a ||= b"],
  [
    "python",
    "s.strip() | d.get('k') | time.time() | [x.id for x in items[1:]] | f'{a}'",
    "items.pop() | max(a, f(b)) | f'{go()}'",
    "a # b | (a := 1) | a, b | (yield a) | a \\",
  ],
  ["go", 'len(c.items[1:]) | m["k"] | strings.ToLower(s)', "c.Total()", "<-ch | func() { f() }"],
  ["java", 'm.get("k") | items.size() / 2', "account.withdraw(1) | new A()", "a = 1 | i++"],
  ["php", "$this->items['a']->b | strlen($a)", '$this->save() | "{$a->b()}"', "$a ?> b | $a = 1"],
  ["ruby", '@items.size / 2 | a.b? ? 1 : 2 | "#{a}"', "items.pop | u.save(1) | a.sort!", "a << b"],
  ["rust", 'self.items.len() | r#"a"#', "self.items.pop()", "f()? | &mut a | return a"],
  ["csharp", 'order?.Total ?? 0 | $"{a}" | s.Trim()', "a.Save()", "a = 1 | i++ | await a"],
  ["cpp", 'node->next->value | v.size() | R"(a)"', "read_one(a)", "a = 1 | *p++ | new A | a, b"],
  ["sh", "$total | ${list[3]}", "", '$(rm x) | r | "$a" | $_'],
  ["lua", "items.total", "", "a -- b | f(a"],
];
/** A language, data that go through what could be an iterator of the program, and data that go through something else. */
const CONSUMING: readonly Row[] = [
  [
    "js",
    "[...x] | Math.max(...a.b) | Array.from(x) | Array.from(x, (one) => one.id) | new Set(x).size | new Map(f.x) | Object.fromEntries(x) | pairs.map(([a, b]) => a + b) | [...x.map((one) => one.id)] | a ? [...x] : 0",
    "{ ...x } | [...m.keys()] | [...'abc'].length | Math.max(...Object.values(x)) | new Set(s.split(',')).size | Object.entries(x).map(([key, value]) => key) | [...list.slice(1).map((one) => one.id)] | Array.from({ length: 3 }) | new Map().size",
  ],
  ["ts", "[...(x as Iterable<string>)]", "[...x!.values()]"],
  [
    "python",
    "list(x) | tuple(x) | sorted(x, key=f) | [*x] | max(*x) | max(x) | sum(a.b for a in x) | any(x) | ','.join(x) | [a.id for a in x] | {a: 1 for a in x} | 1 in x | 1 not in x | dict(zip(x, [1])) | f'{list(x)}'",
    "list(d.items()) | max(a, b) | sum([a, b]) | 'k' in d.keys() | [a for a in range(3)] | sum(x[:]) | ', '.join(s.split(';')) | len(list(range(3))) | a < b",
  ],
  ["php", "[...$x] | max(...$x) | iterator_count($x)", "max(...array_values($x))"],
  ["ruby", "[*x] | [1, *a.b]", "[*[1, 2]] | a.map { |v| v.id }"],
  ["rust", "x.any(|one| one > 1) | self.it.all(f) | self.next.take()", "x.iter().map(f).any(g)"],
  ["java", "x.count() | x.filter(f).count() | a.x.findFirst()", "x.stream().filter(f).count()"],
  ["csharp", "x.Count() | x.Where(f).First()", "x.Split(',').Where(f).Count()"],
  ["cpp", "std::distance(a, b)", "std::distance(v.begin(), v.end())"],
];

/** The members of the lists of a row. */
function listsOf([lang, ...lists]: Row): readonly [lang: string, ...lists: readonly (readonly string[])[]] {
  return [lang, ...lists.map((list) => list.split(" | ").filter((one) => one !== ""))];
}

describe("a probe", () => {
  test("in each language names its session, hypothesis, point and server between two markers", async (t) => {
    const { run, url } = await walkedTo(t, "instrumenting");
    for (const lang of LANGUAGES.filter((one) => one !== "sql")) {
      const data = [templateOf(lang).expressions?.dollar ? "$sum" : "sum"];
      const { region } = await run("probe", { hypothesis: "B", point: "loop-sum", lang, data });
      const [first = "", ...rest] = region ?? [];
      const [last = "", line] = [rest.pop(), rest.join("\n")];
      assert.match(first, /#region debug-point B:loop-sum/, lang);
      assert.match(last, /#endregion debug-point B:loop-sum/, lang);
      for (const part of [ID, "loop-sum", `${url}/event`, "sum"])
        assert.ok(line.includes(part), `${lang}: ${part}`);
      assert.match(line, /hypothesisId\W+B(?!\w)/, lang);
    }
  });

  test("that runs reports its values to the server of the environment, and the program continues", async (t) => {
    const { run, url, root } = await walkedTo(t, "instrumenting");
    const data = ["sum", "broken=nothing.at.all"];
    const { region } = await run("probe", { hypothesis: "A", point: "loop", lang: "javascript", data });
    // The address in the line itself has no server: the variable counts.
    const lines = region?.join("\n").replaceAll(`${url}/event`, "http://127.0.0.1:9/event");
    const path = join(root, "program.mjs");
    await writeFile(path, `const sum = 41;\n${lines}\nconsole.log(sum + 1);\n`);
    const { out } = await ran(["node", path], root, root, { DEBUG_SERVER_URL: `${url}/event` });
    assert.equal(out, "42\n");
    const [event] = JSON.parse((await ask(url, { path: "/logs" })).text) as Record<string, unknown>[];
    assert.equal(event?.["hypothesisId"], "A");
    assert.equal(event["sessionId"], ID);
    const { sum, broken } = event["data"] as Record<string, unknown>;
    assert.equal(sum, 41);
    assert.match(String(broken), /^! ReferenceError/);
  });

  for (const state of ["instrumenting", "reproducing", "judging", "fixing", "verifying"] as const)
    test(`that is printed while ${state} changes neither the session nor its events`, async (t) => {
      const { run } = await walkedTo(t, state);
      const seen = async () => {
        const { sessions } = (await run("status", {})) as { sessions: readonly object[] };
        return { sessions, lines: await run("logs", { session: ID, format: "ndjson" }) };
      };
      const before = await seen();
      for (const lang of ["javascript", "zig"]) {
        const { text } = await run("probe", { hypothesis: "A", point: "more", data: ["sum"], lang });
        assert.match(text, /debug-point A:more/);
      }
      assert.deepEqual(await seen(), before);
    });

  test("is refused with its real reason, and may contain a call that was allowed", async (t) => {
    const { run, fails } = await walkedTo(t, "instrumenting");
    const wish = { hypothesis: "A", point: "loop" };
    const refused = async (input: object): Promise<string> => {
      const { message, hint } = await fails("probe", { ...wish, ...input });
      return `${message} ${hint}`;
    };
    assert.match(await refused({ data: ['t0=trust("x",0)'], lang: "js" }), /calls trust.* --allow-call/);
    assert.match(await refused({ data: ["r"], lang: "sh" }), /written \$r here.*Write \$r/);
    assert.match(await refused({ data: ["items.pop()"], apply: "total.js:4" }), /calls items\.pop/);
    const { region } = await run("probe", { ...wish, data: ["items.pop()"], lang: "js", allowCall: true });
    assert.match(region?.join("\n") ?? "", /=>\(items\.pop\(\)\)/);
  });

  test("is refused with every fault of its batch, whose flags apply to each probe, and none is inserted", async (t) => {
    const { run, fails, read, write } = await walkedTo(t, "instrumenting");
    const text = "function f(a) {\n  return g(\n    a,\n  );\n}\nconst half = (n) => n / 2;\n";
    await write("f.js", text);
    const from = [
      { hypothesis: "A", point: "call", data: ["a.pop()"], apply: "f.js:2" },
      { hypothesis: "B", point: "argument", apply: "f.js:3" },
      { hypothesis: "C", point: "end", apply: "f.js:40" },
      { hypothesis: "C", point: "half", data: ["g()"], apply: "f.js:6" },
    ];
    const { message, hint = "" } = await fails("probe", { from });
    const parts = [
      "Probe 1 of 4: a.pop ",
      "it calls a.pop",
      "Probe 2 of 4: ",
      "Probe 3 of 4: f.js has 6 lines",
    ];
    for (const part of [...parts, "Probe 4 of 4: g "])
      assert.ok(message.includes(part), `${part}: ${message}`);
    assert.match(hint, /--allow-call.* No probe of the batch was inserted/);
    assert.equal(await read("f.js"), text);
    await run("probe", { from: from.slice(3), allowCall: true, inside: true, sync: true });
    assert.match(
      await read("f.js"),
      /instead of: const half = [^]*;\(\(P.*spawnSync[^]*return \(n \/ 2\); \};/,
    );
  });

  test("is placed at a statement that a parser finds, and says if no parser can check", async (t) => {
    const { run, fails, read, write } = await walkedTo(t, "instrumenting");
    for (const [index, [name, before, after]] of STANDS.entries()) {
      const file = name.replace(".", `${index}.`);
      await write(file, before + after);
      const apply = `${file}:${before.split("\n").length}`;
      const { text } = await run("probe", { hypothesis: "A", point: `p-${index}`, apply });
      assert.doesNotMatch(text, /Place not checked|is unreachable/, file);
      assert.ok((await read(file)).includes(before.slice(before.indexOf("{") + 1)), file);
    }
    await write("never.js", "function f() {\n  return 1;\n  g();\n}\n");
    await write("a.kt", "fun f() {\n  g()\n}\n");
    await write("broken.js", "function f() {\n  g(;\n  h();\n}\n");
    const told = async (apply: string, point: string): Promise<string> =>
      (await run("probe", { hypothesis: "B", point, apply })).text;
    assert.match(await told("never.js:3", "never"), /line 3: The line is unreachable after/);
    assert.match(await told("a.kt:2", "kotlin"), /Place not checked: the language has no parser/);
    assert.match(await told("broken.js:3", "broken"), /Place not checked: the parser cannot parse the code/);
    await write("sum.js", "function f(a, b) {\n  return a\n    + b;\n}\n");
    const { code, hint } = await fails("probe", { hypothesis: "B", point: "sum", apply: "sum.js:3" });
    assert.deepEqual([code, hint?.includes("a statement begins")], ["DEBUG_PROBE_PLACE", true]);
  });

  test("reports expressions that only read, and refuses those that change something or end early", async (t) => {
    const { run, fails } = await walkedTo(t, "instrumenting");
    for (const [lang, reading = [], calling = [], changing = []] of DATA.map(listsOf)) {
      const wish = { hypothesis: "A", point: "data", lang };
      await run("probe", { ...wish, data: reading });
      for (const one of calling) {
        const { message, hint } = await fails("probe", { ...wish, data: [`x=${one}`] });
        assert.match(`${message} ${hint}`, /it calls \S+.* --allow-call/, `${lang}: ${one}`);
      }
      if (calling.length > 0) await run("probe", { ...wish, data: calling, allowCall: true });
      for (const one of changing) {
        const { code } = await fails("probe", { ...wish, data: [`x=${one}`], allowCall: true });
        assert.equal(code, "DEBUG_PROBE_INVALID", `${lang}: ${one}`);
      }
    }
  });

  test("that would consume an iterator of the program is refused, and accepted once it is allowed", async (t) => {
    const { run, fails } = await walkedTo(t, "instrumenting");
    const wrong: string[] = [];
    for (const [lang, may = [], not = []] of CONSUMING.map(listsOf)) {
      const wish = { hypothesis: "A", point: "data", lang };
      for (const one of may) {
        const { message, hint = "" } = await fails("probe", { ...wish, data: [`x=${one}`] }).catch(() => ({
          message: "was taken",
          hint: "",
        }));
        if (!/iterates over .+, which consumes an iterator\. .*--allow-call/.test(`${message} ${hint}`))
          wrong.push(`${lang}: ${one}: ${message}`);
      }
      await run("probe", { ...wish, data: may.slice(0, 12), allowCall: true });
      for (const one of not)
        await run("probe", { ...wish, data: [`x=${one}`] }).catch((caught: unknown) =>
          wrong.push(`${lang}: ${one}: ${String(caught)}`),
        );
    }
    assert.deepEqual(wrong, []);
  });

  test("in a program that exits is inserted with a note on --sync, and with --sync without the note", async (t) => {
    const { run, write } = await walkedTo(t, "instrumenting");
    await write("end.js", "const code = 3;\nprocess.exit(code);\n");
    const wish = { hypothesis: "A", data: ["code"], apply: "end.js:2" };
    const put = await run("probe", { ...wish, point: "end" });
    assert.match(put.text, /pending events are then lost: with --sync, a probe/);
    const { text, region } = await run("probe", { ...wish, point: "waiting", sync: true });
    assert.doesNotMatch(text, /pending events/);
    assert.match(region?.join("\n") ?? "", /^;\(\(P.*spawnSync/m);
  });

  test("reports the names with --check too", async (t) => {
    const late = "function f(x) {\n  const code = x();\n  return code;\n}\n";
    const { run } = await walkedTo(t, "instrumenting", { "late.js": late });
    const probe = { point: "code", data: ["code"], apply: "late.js:2" };
    const from = ["A", "B", "C"].map((hypothesis) => ({ hypothesis, ...probe }));
    const { text, state } = await run("probe", { from, check: true });
    assert.equal(state, "reproducing");
    assert.match(text, /code gets its first value on line \d+, after the probe\.[^]*^3 probes in 1 file/m);
  });

  test("reports exactly the names that are not declared at the place", async (t) => {
    const { run, write } = await walkedTo(t, "instrumenting");
    const js =
      "import x from 'y';\nfunction f(price) {\n  const { total } = x(price);\n  return total;\n}\nfunction g(count) { return count; }\n";
    const py =
      "import os\nRATE = 2\ndef f(item):\n    total = item * RATE\n    return total\ndef g(count): pass\n";
    const go =
      "package p\nfunc f(item int) int {\n\ttotal := item\n\treturn total\n}\nfunc g(count int) {}\n";
    const rb = "def f(item)\n  total = item * @rate\n  total\nend\ndef g(count) @rate = 1 end\n";
    const rows = [
      [
        "a.js",
        js,
        3,
        "price | x | window | process.pid | f | x.price | ({ count: 1 }) | [1].map((count) => count)",
        6,
      ],
      ["a.py", py, 4, "item | RATE | os.name | len(item) | item.count | [count for count in item]", 6],
      ["a.go", go, 3, "item | other.Name", 6],
      ["a.rb", rb, 2, "item | @rate", 5],
    ] as const;
    for (const [name, text, line, known, other] of rows) {
      const told = async (point: string, data: readonly string[]) => {
        await write(name, text);
        const wish = { hypothesis: "A", point, data: [...data], allowCall: true, apply: `${name}:${line}` };
        return (await run("probe", wish)).text;
      };
      assert.doesNotMatch(
        await told("known", known.split(" | ")),
        /after the probe|another function|did you mean/,
        name,
      );
      const odd = await told("odd", ["total", "count", ...(name === "a.js" ? ["pricee"] : [])]);
      assert.match(odd, new RegExp(`total gets its first value on line ${line}, after the probe\\.`));
      assert.match(odd, new RegExp(`count is declared in another function \\(line ${other}\\)\\.`));
      if (name === "a.js") assert.match(odd, /pricee occurs nowhere else in the file: did you mean price\?/);
    }
  });

  test("beyond its limits counts the passes and reports the count, and refuses limits where they are not supported", async (t) => {
    const { run, fails, url, root, write } = await walkedTo(t, "instrumenting", { "cart.sh": "a=1\nb=2\n" });
    await write("loop.mjs", "for (let turn = 1; turn <= 1000; turn++) {\n  turn;\n}\n");
    const wish = { hypothesis: "A", point: "turn", data: ["turn"], limit: 2, most: 3 };
    await run("probe", { ...wish, apply: "loop.mjs:2" });
    await ran(["node", "loop.mjs"], root, root);
    const events = JSON.parse((await ask(url, { path: "/logs" })).text) as Record<string, unknown>[];
    const told = events.map(({ data, skipped = 0 }) => [(data as { turn: number }).turn, skipped]);
    const expected = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512].map((pass) => [
      pass,
      pass < 3 ? 0 : pass / 2 - 1,
    ]);
    assert.deepEqual(told, expected);
    const { message } = await fails("probe", { ...wish, data: ["x=$a"], apply: "cart.sh:2" });
    assert.match(message, /Probes of shell do not support --limit\./);
  });

  test("that waits does not become a call of the line before it if that has no semicolon", async (t) => {
    const { run, url, root, write } = await walkedTo(t, "instrumenting");
    await write(
      "steps.mjs",
      "const walker = { next: 41 }\nconst next = walker.next\nconsole.log(next + 1)\n",
    );
    const wish = { hypothesis: "A", point: "step", data: ["next"], apply: "steps.mjs:3" };
    await run("probe", { ...wish, sync: true });
    const { out } = await ran(["node", "steps.mjs"], root, root);
    assert.equal(out, "42\n");
    const [event] = JSON.parse((await ask(url, { path: "/logs" })).text) as Record<string, unknown>[];
    assert.deepEqual(event?.["data"], { next: 41 });
  });

  test("in a script without an ending is of the language that its first line names", async (t) => {
    const { run, read, write } = await walkedTo(t, "instrumenting");
    for (const [name, first, probe] of [
      ["bash", "#!/usr/bin/env bash", /awk --/],
      ["dash", "#!/bin/sh -e", /awk --/],
      ["snake", "#!/usr/bin/python3", /debug_tell/],
      ["node", "#!/usr/bin/env -S node --no-warnings", /Promise\.q/],
    ] as const) {
      await write(name, `${first}\ntotal=1\ntotal=2\n`);
      await run("probe", { hypothesis: "A", point: name, apply: `${name}:3` });
      assert.match(await read(name), probe);
    }
  });

  test("that was printed first and inserted later is one probe, and one that is in no file does not exist", async (t) => {
    const { run } = await walkedTo(t, "instrumenting", { tool: "total=1\ntotal=2\n" });
    const wish = { hypothesis: "A", point: "loop", apply: "tool:2" };
    assert.match((await run("probe", wish)).text, /written by hand/);
    const counted = async () => (await run("status")).sessions[0]?.probes;
    assert.equal(await counted(), 0);
    await run("probe", { ...wish, lang: "sh" });
    assert.equal(await counted(), 1);
    await run("probe", { hypothesis: "B", point: "printed", lang: "sh" });
    assert.equal(await counted(), 1);
  });

  test("in a language without a template is explained, and the check accepts a manual one", async (t) => {
    const { run, read, write } = await walkedTo(t, "instrumenting", { "main.zig": "fn main() void {\n}\n" });
    const marks: readonly (readonly [string, RegExp])[] = [
      ["main.zig", /^\/\/ #region debug-point A:loop$/],
      ["app.ex", /^# #region/],
      ["model.R", /^# #region/],
      ["App.scala", /^\/\/ #region/],
      ["core.clj", /^; #region/],
      ["Main.hs", /^-- #region/],
      ["main.ml", /^\(\* #region debug-point A:loop \*\)$/],
      ["cobol", /^# #region/],
    ];
    for (const [name, mark] of marks) {
      const wish = { hypothesis: "A", point: "loop", data: ["sum"], lang: name };
      const { region, text } = await run("probe", wish);
      assert.match(region?.[0] ?? "", mark, name);
      assert.match(text, /"data":\{"sum":<sum>\}/, name);
    }
    const { region } = await run("probe", { hypothesis: "A", point: "zig", apply: "main.zig:2" });
    assert.equal(await read("main.zig"), "fn main() void {\n}\n", "nothing is put into it");
    const [begin, , end] = region ?? [];
    await write("main.zig", `fn main() void {\n${begin}\n  report("A", sum);\n${end}\n}\n`);
    for (const hypothesis of ["B", "C"])
      await run("probe", { hypothesis, point: "sum", data: ["total"], apply: "total.js:4" });
    const { ok, regions } = await run("check");
    assert.deepEqual([ok, regions], [true, 3]);
  });

  test("in a body of one line is placed in it, and the line is restored byte for byte", async (t) => {
    const line = "export const double = (n) => n * 2;";
    const before = `${line}\r\nexport function half(n) { return n / 2; }`;
    const { run, read, root, stop } = await walkedTo(t, "instrumenting", { "double.js": before });
    await run("probe", { hypothesis: "A", point: "twice", data: ["n"], apply: "double.js:1" });
    await run("probe", { hypothesis: "B", point: "half", data: ["n"], apply: "double.js:7", inside: true });
    const probed = await read("double.js");
    assert.ok(probed.includes(`// instead of: ${line}\r\n`), probed);
    const { double, half } = (await import(pathToFileURL(join(root, "double.js")).href)) as Record<
      string,
      (n: number) => number
    >;
    assert.deepEqual([double?.(3), half?.(3)], [6, 1.5]);
    await run("probe", { hypothesis: "C", point: "sum", data: ["total"], apply: "total.js:4" });
    assert.equal((await run("check")).ok, true);
    await run("answer", { answer: "D" });
    await stop();
    await run("cleanup");
    assert.equal(await read("double.js"), before);
  });

  test("changes nothing: an expression that would is refused, and the file stays as it was", async (t) => {
    const { fails, read } = await walkedTo(t, "instrumenting");
    const before = await read("total.js");
    const wish = { hypothesis: "A", point: "loop", apply: "total.js:4" };
    for (const expression of ["x=sum = 1", "sum++", "sum); sum = 2; (0", "x=sum //"]) {
      const { code } = await fails("probe", { ...wish, data: [expression] });
      assert.equal(code, "DEBUG_PROBE_INVALID", expression);
    }
    assert.equal(await read("total.js"), before);
  });

  test("is not inserted into a file with half a region, and the refusal names the marker, not the line", async (t) => {
    const { fails, write, read } = await walkedTo(t, "instrumenting");
    await write("total.js", `// #region agent log\n${await read("total.js")}`);
    const wish = { hypothesis: "A", point: "loop", data: ["sum"], apply: "total.js:5" };
    const { message, hint = "" } = await fails("probe", wish);
    assert.match(message, /total\.js:1: .*does not end/);
    assert.match(hint, /one begin marker and one end marker/);
  });

  test("keeps line ends, mode and links of a file", async (t) => {
    const text = "\ufefffunction f() {\r\n\tg()\r\n}\r\nf()";
    const { run, root, read } = await walkedTo(t, "instrumenting", { "a.js": text });
    await chmod(join(root, "a.js"), 0o751);
    await symlink("a.js", join(root, "b.js"));
    const { file } = await run("probe", { hypothesis: "A", point: "g", apply: "b.js:2" });
    assert.equal(file, "a.js");
    const probed = await read("a.js");
    assert.match(
      probed,
      /^\ufefffunction f\(\) \{\r\n\t\/\/ #region debug-point A:g\r\n\tPromise\.q=.*\r\n\t\/\/ #endregion .*\r\n\tg\(\)/,
    );
    assert.equal((await stat(join(root, "a.js"))).mode & 0o777, 0o751);
    assert.deepEqual(strip(probed), { ok: true, text, count: 1 });
    await run("probe", { hypothesis: "A", point: "end", apply: "a.js:8" });
    assert.deepEqual(strip(await read("a.js")), { ok: true, text, count: 2 });
  });

  test("does not overwrite a file that is saved during the insertion", async (t) => {
    let save: (() => Promise<void>) | undefined;
    const replace: Files["replace"] = async (path, ...rest) => {
      const saved = path.includes("debug-") ? save : undefined;
      if (saved) save = undefined;
      await saved?.();
      await nodeFiles.replace(path, ...rest);
    };
    const project = await debugProject(t, { git: "none", ports: { files: { ...nodeFiles, replace } } });
    const { run, fails, read, write } = await walked(project, "instrumenting");
    const text = `${await read("total.js")}// saved\n`;
    save = () => write("total.js", text);
    const [wish] = PROBES;
    const { code, hint } = await fails("probe", wish);
    assert.deepEqual([code, hint], ["DEBUG_CHANGED", "Look at the line again, and try again."]);
    assert.equal(await read("total.js"), text);
    await run("probe", wish);
    assert.deepEqual(strip(await read("total.js")), { ok: true, text, count: 1 });
  });
});
