/** The command `probe`: what it prints, what it puts into files, and what it refuses without a trace. */
import assert from "node:assert/strict";
import { chmod, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import type { Files } from "skillctl";
import { nodePorts } from "skillctl/host";
import type { TestHostOptions } from "skillctl/testing";
import { strip } from "../regions/regions.ts";
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
