/** The command `check` of a session, from the outside: nothing but probes passes. */
import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { CheckOutput } from "../contract.ts";
import { debugProject } from "./session-harness.ts";
import { BUG, FIX, PROBES, bytesOf, walked, walkedTo, type Walk } from "./doors-walk.ts";
import { noGit } from "./worktree-harness.ts";

/** The findings that a check is refused with: `total.js:4 code-changed`. */
async function refused({ fails }: Walk): Promise<readonly string[]> {
  const { code, result } = await fails("check");
  assert.equal(code, "DEBUG_CHECK_FAILED");
  const { findings, ok } = result as CheckOutput;
  assert.equal(ok, false);
  return findings.map((one) => `${[one.file, one.line].filter((part) => part).join(":")} ${one.code}`.trim());
}

test("names that a probe declares do not count as names of the program", async (t) => {
  const own = "export function f(x) {\n  const b = x + 1;\n  let s = b;\n  return (s += b);\n}\n";
  const { run } = await walkedTo(t, "instrumenting", { "own.js": own });
  await run("probe", { hypothesis: "A", point: "own", data: ["b", "s"], apply: "own.js:4" });
  await run("probe", { from: PROBES });
  assert.doesNotMatch((await run("check")).text, /To review/);
});

describe("the check of a session", () => {
  test("reports every other difference with its place, and passes once it is restored [debug.instrumentation.files]", async (t) => {
    const walk = await walkedTo(t, "instrumenting", {
      "tax.js": "export const tax = 1;\n",
      "old.js": "old\n",
      "logo.png": "\0\x01",
      "notes.txt": "Notes\n",
    });
    const { root, run, write, replace } = walk;
    await run("probe", { from: PROBES });
    await replace(BUG, FIX);
    await write("helper.js", "export const report = () => undefined;\n");
    await write("run-me", "#!/bin/sh\n");
    // Files that are not written as code do not count: data, notes, logs.
    await write("data.csv", "1,2\n");
    await write("notes.md", "# Notes\n");
    await write("out/app.log", "line\n");
    await write("logo.png", "\0\x02");
    await write("notes.txt", "Notes\n\nMind `#region debug-point`.\n");
    await write("tax.js", "export const tax = 1;\nvoid fetch(process.env.DEBUG_SERVER_URL);\n");
    await rm(join(root, "old.js"));
    assert.deepEqual(await refused(walk), [
      "helper.js new-file",
      "logo.png code-changed",
      "notes.txt:2 code-changed",
      "old.js file-removed",
      "run-me new-file",
      "tax.js:2 probe-without-region",
      "total.js:3 code-changed",
    ]);
    await run("undo");
    const { step, text } = await run("check");
    assert.equal(step, 6);
    assert.match(text, /Steps for the user:\n {2}1\. Start the program again[^\n]*probes/);
  });

  test("parses the logging and assignments of manual regions: a text is not a call, and a call may span lines", async (t) => {
    const report =
      'fetch("http://127.0.0.1:7777/event", { method: "POST", body: `\nconsole.log(1)\nsum = 2;\n` });';
    const files = {
      "logs.js": ["let sum = 1;\nvoid sum;\n", `console\n  .log(1);\n${report}`],
      "optional.ts": ["let sum = 1;\nvoid sum;\n", `${report}\nconsole?.["log"](1);`],
      "plain.js": ["let sum = 1;\nvoid sum;\n", `${report} /*\nprint(1) */`],
      "sets.js": ["let sum = 1;\nvoid sum;\n", `${report}; [0].map(() => sum++);`],
      "text.py": ["total = 1\n", `"""\nprint(1)\n"""\nsend(\n  session_id="x",\n  total=1,\n)`],
      "logs.py": ["total = 1\n", `send(session_id="x"); log.\\\n  info(1)`],
      "feeds.sh": ["a=1\n", 'echo "$a" |\n  curl -d @- "$DEBUG_SERVER_URL"'],
      "logs.sh": ["a=1\n", 'curl "$DEBUG_SERVER_URL"; true && echo "$a"'],
    };
    const before = Object.entries(files).map(([name, [text = ""]]) => [name, text]);
    const walk = await walkedTo(t, "instrumenting", Object.fromEntries(before) as Record<string, string>);
    await walk.run("probe", { from: PROBES });
    for (const [name, [text = "", region = ""]] of Object.entries(files)) {
      const sign = name.endsWith("s") ? "//" : "#";
      const comment = /\.[jt]s$/.test(name) ? "//" : sign === "//" ? "//" : "#";
      await walk.write(name, `${text}${comment} #region debug-point A\n${region}\n${comment} #endregion\n`);
    }
    const { result } = await walk.fails("check");
    const { findings, text: told } = result as CheckOutput;
    assert.deepEqual(
      findings.map(({ file, line, code, sentence }) => [file, line, code, /^\S+/.exec(sentence)?.[0]]),
      [
        ["logs.js", 4, "native-log", "console.log"],
        ["logs.py", 3, "native-log", "log.info"],
        ["logs.sh", 3, "native-log", "echo"],
        ["optional.ts", 8, "native-log", 'console?.["log"]'],
      ],
    );
    assert.match(told, /sets\.js:7: This sets sum/);
    assert.equal(told.match(/: This sets /g)?.length, 1, told);
  });

  test(
    "treats a probe in a file that git ignores as a probe, not as a change of the file",
    { skip: noGit },
    async (t) => {
      const project = await debugProject(t);
      await project.write(".gitignore", "build/\n");
      await project.write("build/total.js", "export function total(sum) {\n  sum += 1;\n  return sum;\n}\n");
      const walk = await walked(project, "instrumenting");
      await walk.run("probe", { from: PROBES.map((one) => ({ ...one, apply: "build/total.js:3" })) });
      const { state, files, regions } = await walk.run("check");
      assert.deepEqual([state, files, regions], ["reproducing", 1, 3]);
      await walk.write("build/total.js", (await walk.read("build/total.js")).replace("sum += 1", "sum += 2"));
      assert.deepEqual(await refused(walk), ["build/total.js:2 code-changed"]);
    },
  );

  test("treats a probe in a file with another encoding, other line ends and no final line end only as a probe", async (t) => {
    const project = await debugProject(t, { git: "none" });
    const path = join(project.root, "latin.js");
    await writeFile(path, "// gr\xfc\xdfe\r\nlet a = 1;\r\nlet b = 2;", "latin1");
    const walk = await walked(project, "instrumenting");
    const region = ["// #region debug-point A:a", "// #endregion debug-point A:a", ""].join("\r\n");
    const probed = bytesOf(walk, "latin.js").replace("let b", `${region}let b`);
    await writeFile(path, probed, "latin1");
    assert.deepEqual(await refused(walk), ["no-probe", "no-probe"]);
    await writeFile(path, probed.replaceAll("\r", ""), "latin1");
    assert.ok((await refused(walk)).includes("latin.js:1 code-changed"));
  });
});
