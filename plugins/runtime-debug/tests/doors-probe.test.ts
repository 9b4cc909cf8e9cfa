/** The probes that `probe` prints, and what becomes of one that runs. */
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

describe("a probe", () => {
  test("in each language names its session, hypothesis, point and server between two markers", async (t) => {
    const { run, url } = await walkedTo(t, "instrumenting");
    for (const lang of LANGUAGES.filter((one) => one !== "sql")) {
      const data = [templateOf(lang).expressions.dollar ? "$sum" : "sum"];
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

  test("that runs reports its values to the server of the environment, and the program goes on", async (t) => {
    const { run, url, root } = await walkedTo(t, "instrumenting");
    const data = ["sum", "broken=nothing.at.all"];
    const { region } = await run("probe", { hypothesis: "A", point: "loop", lang: "javascript", data });
    // The address in the line itself leads nowhere: the variable counts.
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

  test("is refused for its real reason, and takes a call that is allowed", async (t) => {
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

  test("in a program that ends itself is put with a word on --sync, and with it without one", async (t) => {
    const { run, write } = await walkedTo(t, "instrumenting");
    await write("end.js", "const code = 3;\nprocess.exit(code);\n");
    const wish = { hypothesis: "A", data: ["code"], apply: "end.js:2" };
    const put = await run("probe", { ...wish, point: "end" });
    assert.match(put.text, /events under way are lost then: --sync/);
    const { text, region } = await run("probe", { ...wish, point: "waiting", sync: true });
    assert.doesNotMatch(text, /events under way/);
    assert.match(region?.join("\n") ?? "", /spawnSync/);
  });

  test("that waits calls nothing that stands at the end of a line without a semicolon", async (t) => {
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
      ["snake", "#!/usr/bin/python3", /debug_d = \{\}/],
      ["node", "#!/usr/bin/env -S node --no-warnings", /Promise\.q/],
    ] as const) {
      await write(name, `${first}\ntotal=1\ntotal=2\n`);
      await run("probe", { hypothesis: "A", point: name, apply: `${name}:3` });
      assert.match(await read(name), probe);
    }
  });

  test("that was told first and put then is one probe, and one that is in no file is none", async (t) => {
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

  test("in a language without a template is told how to write it, and the check takes it", async (t) => {
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

  test("in a body of one line stands in it, and the line comes back byte for byte", async (t) => {
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

  test("does not go into a file with half a region, and the mark is named, not the line", async (t) => {
    const { fails, write, read } = await walkedTo(t, "instrumenting");
    await write("total.js", `// #region agent log\n${await read("total.js")}`);
    const wish = { hypothesis: "A", point: "loop", data: ["sum"], apply: "total.js:5" };
    const { message, hint = "" } = await fails("probe", wish);
    assert.match(message, /total\.js:1: .*does not end/);
    assert.match(hint, /one begin and one end/);
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

  test("is not written over what somebody saves while it is being put", async (t) => {
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
