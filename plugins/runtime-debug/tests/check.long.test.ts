/** `check` of a session: what may differ from the code before, in which state, and the step to the reproduction. */
import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { probeRegion } from "../probes/probe-text.ts";
import { HYPOTHESES, debugProject, type DebugProject } from "./session-harness.ts";
import { noGit } from "./worktree-harness.ts";

const SESSION = "sum-is-wrong";

interface Finding {
  readonly file?: string;
  readonly line?: number;
  readonly code: string;
}

/** A session of a small project, its hypotheses listed. */
async function instrumenting(
  t: TestContext,
  more: Readonly<Record<string, string>> = {},
): Promise<DebugProject> {
  const project = await debugProject(t);
  for (const [path, text] of Object.entries(more)) await project.write(path, text);
  if (Object.keys(more).length > 0) project.git("add", "--all");
  await project.run("start", { issue: "The sum is wrong", session: SESSION, steps: ["Sum up 1 and 2"] });
  await project.run("hypothesize", { hypotheses: HYPOTHESES });
  return project;
}

/** Puts a probe in front of a line, counted from 1. */
async function probe(project: DebugProject, path: string, hypothesis: string, line = 3): Promise<void> {
  const region = probeRegion({
    language: "javascript",
    session: SESSION,
    hypothesis,
    point: "sum",
    data: [{ name: "sum", expression: "sum" }],
    location: `${path}:${line}`,
    fallbackUrl: "http://127.0.0.1:7777/event",
  });
  const lines = (await readFile(join(project.root, path), "utf8")).split("\n");
  lines.splice(line - 1, 0, ...region.map((one) => `  ${one}`));
  await project.write(path, lines.join("\n"));
}

async function probed(project: DebugProject): Promise<void> {
  for (const hypothesis of ["A", "B", "C"]) await probe(project, "total.js", hypothesis);
}

async function edit(project: DebugProject, path: string, from: string, to: string): Promise<void> {
  const text = await readFile(join(project.root, path), "utf8");
  assert.ok(text.includes(from));
  await project.write(path, text.replace(from, to));
}

/** The findings that a check is refused with: `total.js:4 code-changed`. */
async function refused(project: DebugProject): Promise<readonly string[]> {
  const { code, result } = await project.fails("check");
  assert.equal(code, "DEBUG_CHECK_FAILED");
  const { findings, ok } = result as { readonly ok: boolean; readonly findings: readonly Finding[] };
  assert.equal(ok, false);
  return findings.map(({ file, line, code }) =>
    file === undefined ? code : `${file}${line === undefined ? "" : `:${line}`} ${code}`,
  );
}

describe("check", { skip: noGit }, () => {
  test("everything else that differs is told with its place [debug.instrumentation.files]", async (t) => {
    const project = await instrumenting(t, {
      "tax.js": "export const tax = 1;\n",
      "old.js": "old\n",
      "logo.png": "\0\x01",
      "notes.txt": "Notes\n",
    });
    await probed(project);
    await edit(project, "total.js", "index = 1", "index = 0");
    await project.write("helper.js", "export const report = () => undefined;\n");
    await project.write("run-me", "#!/bin/sh\n");
    await project.write("data.csv", "1,2\n");
    await project.write("logo.png", "\0\x02");
    await project.write("notes.txt", "Notes\n\nMind `#region debug-point`.\n");
    await edit(project, "tax.js", "1;", '1;\nvoid fetch(process.env.DEBUG_SERVER_URL, { method: "POST" });');
    await rm(join(project.root, "old.js"));
    assert.deepEqual(await refused(project), [
      "helper.js new-file",
      "logo.png code-changed",
      "notes.txt:2 code-changed",
      "old.js file-removed",
      "run-me new-file",
      "tax.js:2 probe-without-region",
      "total.js:12 code-changed",
    ]);
  });

  test("a probe in a file that git ignores is a probe and no change of the file", async (t) => {
    const project = await debugProject(t);
    await project.write(".gitignore", "build/\n");
    await project.write("build/total.js", "export function total(sum) {\n  sum += 1;\n  return sum;\n}\n");
    project.git("add", "--all");
    await project.run("start", { issue: "The sum is wrong", session: SESSION });
    await project.run("hypothesize", { hypotheses: HYPOTHESES });
    await project.collect(SESSION);
    for (const hypothesis of ["A", "B", "C"])
      await project.run("probe", { hypothesis, point: "sum", data: ["sum"], apply: "build/total.js:3" });
    const { state, files, regions } = await project.run("check");
    assert.deepEqual([state, files, regions], ["reproducing", 1, 3]);
    await edit(project, "build/total.js", "sum += 1", "sum += 2");
    assert.deepEqual(await refused(project), ["build/total.js:2 code-changed"]);
  });

  test("a probe in a file of another encoding, with other line ends and none at the end, is nothing but a probe", async (t) => {
    const latin = Buffer.from("// gr\xfc\xdfe\r\nlet a = 1;\r\nlet b = 2;", "latin1");
    const project = await debugProject(t);
    await writeFile(join(project.root, "latin.js"), latin);
    await project.run("start", { issue: "The sum is wrong", session: SESSION });
    await project.run("hypothesize", { hypotheses: HYPOTHESES });
    const region = ["// #region debug-point A:a", "// #endregion debug-point A:a", ""].join("\r\n");
    const withProbe = latin.toString("latin1").replace("let b", `${region}let b`);
    await writeFile(join(project.root, "latin.js"), withProbe, "latin1");
    assert.deepEqual(await refused(project), ["no-probe", "no-probe"]);
    await writeFile(join(project.root, "latin.js"), withProbe.replaceAll("\r", ""), "latin1");
    assert.ok((await refused(project)).includes("latin.js:1 code-changed"));
  });
});
