/** The command `probe`: what it prints, what it puts into files, and what it refuses without a trace. */
import assert from "node:assert/strict";
import { chmod, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import type { Files } from "skillctl";
import { nodePorts } from "skillctl/host";
import type { TestHostOptions } from "skillctl/testing";
import { strip } from "../regions/strip.ts";
import { debugProject, HYPOTHESES, type DebugProject } from "./session-harness.ts";

const ID = "sum-is-wrong";
const PYTHON = 'def total(items):\n    """Doc."""\n    return sum(items)\n';
const GO = 'package main\n\nimport "fmt"\n\nfunc main() {\n\tx := 1\n\tfmt.Println(x)\n}\n';

interface Harness extends DebugProject {
  readonly read: (path: string) => Promise<string>;
  readonly url: string;
}

/** A session whose hypotheses are listed, with a server in this process. */
async function harness(
  t: TestContext,
  options: TestHostOptions & { readonly git?: boolean } = {},
): Promise<Harness> {
  const project = await debugProject(t, { git: false, ...options });
  await project.write("src/cart.py", PYTHON);
  await project.write("main.go", GO);
  await project.run("start", { issue: "The sum is wrong", session: ID });
  await project.run("hypothesize", { hypotheses: HYPOTHESES });
  const { info } = await project.collect(ID);
  return { ...project, read: (path) => readFile(join(project.root, path), "utf8"), url: info.api_url };
}

const WISH = { hypothesis: "A", point: "total", data: ["size=len(items)"], apply: "src/cart.py:3" };

describe("the command probe", () => {
  it("keeps line ends, mode and links of a file", async (t) => {
    const { run, root, read } = await harness(t);
    const text = "\ufefffunction f() {\r\n\tg()\r\n}\r\nf()";
    await writeFile(join(root, "a.js"), text);
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

  it("refuses what is no probe, and the file is as it was", async (t) => {
    const { run, root, fails, read, write } = await harness(t);
    await run("probe", { ...WISH, point: "there" });
    const before = await read("src/cart.py");
    await write("binary.py", "a = 1\0\n");
    await write("notes.md", "text\n");
    await write(".dbg/own.py", "a = 1\n");
    await write("node_modules/a.js", "a()\n");
    await write("query.sql", "select 1;\n");
    await write("../outside.py", "a = 1\n");
    await write("../outside", "a\n");
    await write("empty.py", "");
    await symlink(join(root, "../outside.py"), join(root, "outside.py"));
    await mkdir(join(root, "folder.py"));
    const refusals: readonly (readonly [object, string, RegExp])[] = [
      [{ hypothesis: "E" }, "DEBUG_PROBE_INVALID", /no hypothesis E/],
      [
        { apply: undefined, lang: "python", data: ["items.pop()"] },
        "DEBUG_PROBE_INVALID",
        /calls items\.pop/,
      ],
      [{ apply: undefined, lang: "js", data: ["items.push(1)"] }, "DEBUG_PROBE_INVALID", /calls items\.push/],
      [
        { apply: undefined, lang: "kotlin", data: ["items.add(1)"] },
        "DEBUG_PROBE_INVALID",
        /calls items\.add/,
      ],
      [{ apply: "../outside:1" }, "DEBUG_PROBE_PLACE", /outside of the project/],
      [{ apply: "empty.py:1" }, "DEBUG_PROBE_PLACE", /empty/],
      [{ apply: "notes.md:1" }, "DEBUG_PROBE_INVALID", /holds no program/],
      [{ apply: "query.sql:1" }, "DEBUG_PROBE_INVALID", /SQL/],
      [{ data: ["a = 1"] }, "DEBUG_PROBE_INVALID", /changes/],
      [{ data: ["f(); g()"] }, "DEBUG_PROBE_INVALID", /semicolon/],
      [{ point: "there" }, "DEBUG_PROBE_INVALID", /already/],
      [{ data: ["items.pop()"] }, "DEBUG_PROBE_INVALID", /calls items\.pop/],
      [{ apply: "src/cart.py:99" }, "DEBUG_PROBE_PLACE", /has \d+ lines/],
      [{ apply: "src/cart.py:4" }, "DEBUG_PROBE_PLACE", /inside of another probe/],
      [{ apply: "src/cart.py:2" }, "DEBUG_PROBE_PLACE", /first statement/],
      [{ apply: "nothing.py:1" }, "DEBUG_PROBE_PLACE", /There is no file/],
      [{ apply: "folder.py:1" }, "DEBUG_PROBE_PLACE", /There is no file/],
      [{ apply: "binary.py:1" }, "DEBUG_PROBE_PLACE", /UTF-8/],
      [{ apply: "../outside.py:1" }, "DEBUG_PROBE_PLACE", /outside/],
      [{ apply: "outside.py:1" }, "DEBUG_PROBE_PLACE", /outside/],
      [{ apply: ".dbg/own.py:1" }, "DEBUG_PROBE_PLACE", /no code/],
      [{ apply: "node_modules/a.js:1", data: [] }, "DEBUG_PROBE_PLACE", /no code/],
    ];
    for (const [more, code, sentence] of refusals) {
      const { apply, ...wish } = { ...WISH, ...more };
      const error = await fails("probe", { ...wish, ...(apply !== undefined && { apply }) });
      assert.equal(error.code, code, `${JSON.stringify(more)}: ${error.message}`);
      assert.match(error.message, sentence);
      assert.ok(error.hint, error.message);
    }
    assert.equal(await read("src/cart.py"), before);
    assert.equal(await readFile(join(root, "../outside.py"), "utf8"), "a = 1\n");
  });

  it("does not write over what somebody saves while it is at work", async (t) => {
    const { files } = nodePorts();
    let save: (() => Promise<void>) | undefined;
    const replace: Files["replace"] = async (path, ...rest) => {
      const saved = path.includes("debug-") ? save : undefined;
      if (saved) save = undefined;
      await saved?.();
      await files.replace(path, ...rest);
    };
    const { run, fails, read, write } = await harness(t, { ports: { files: { ...files, replace } } });
    save = () => write("src/cart.py", `${PYTHON}# saved\n`);
    const { code, hint } = await fails("probe", WISH);
    assert.deepEqual([code, hint], ["DEBUG_CHANGED", "Look at the line again, and try again."]);
    assert.equal(await read("src/cart.py"), `${PYTHON}# saved\n`);
    await run("probe", WISH);
    assert.deepEqual(strip(await read("src/cart.py")), { ok: true, text: `${PYTHON}# saved\n`, count: 1 });
  });
});
