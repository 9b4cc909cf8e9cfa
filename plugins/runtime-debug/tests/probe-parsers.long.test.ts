/** The parsers of probes: what their data files name, and a program without them. */
import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ran } from "./program-run.ts";

const ROOT = join(import.meta.dirname, "../../..");
const GRAMMARS = join(ROOT, "plugins/runtime-debug/places/grammars");

test("each kind and field that a data file names exists in its grammar", async () => {
  const { Language, Parser } = (await import("@vscode/tree-sitter-wasm")).default;
  await Parser.init();
  for (const file of await readdir(GRAMMARS)) {
    const {
      about: _,
      grammars,
      bodies,
      expressions,
      leaves,
      valued,
      beside,
      ...lists
    } = JSON.parse(await readFile(join(GRAMMARS, file), "utf8"));
    const known = new Set<string>();
    for (const name of new Set(Object.values(grammars))) {
      const wasm = join(ROOT, `node_modules/@vscode/tree-sitter-wasm/wasm/tree-sitter-${String(name)}.wasm`);
      const language = await Language.load(wasm);
      for (let id = 0; id < language.nodeTypeCount; id += 1) known.add(language.nodeTypeForId(id) ?? "");
      for (const field of language.fields) known.add(field ?? "");
    }
    const named: string[] = [
      ...Object.values(lists).filter(Array.isArray).flat(),
      ...leaves.map((entry: string) => entry.split(":", 1)[0]),
      ...Object.entries(beside ?? {}).flat(),
      ...(valued ? [...valued.but, ...valued.clauses] : []),
      ...[bodies.blocks, bodies.words, bodies.bare, bodies.values].flat(),
      ...Object.entries({ ...bodies.names, ...expressions?.calls }).flat(2),
      ...[expressions?.refused, (expressions?.reads ?? []).join(" ").split(" ")].flat(),
    ];
    const unknown = named
      .flatMap((name) => (name ?? "").split("."))
      .filter((name) => !/^(?:#\d)?$/.test(name) && !known.has(name));
    assert.deepEqual(unknown, [], file);
  }
});

test("without the optional package a probe is inserted, and the answer says that its place was not checked", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "skillctl-parsers-"));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const [program, project] = [join(folder, "program"), join(folder, "project")];
  await mkdir(join(program, "node_modules"), { recursive: true });
  for (const part of ["bin/skillctl.cjs", "dist", "schemas", "skills", "package.json"])
    await cp(join(ROOT, part), join(program, part), { recursive: true });
  for (const name of (await readdir(join(ROOT, "node_modules"))).filter((one) => one !== "@vscode"))
    await symlink(join(ROOT, "node_modules", name), join(program, "node_modules", name));
  await mkdir(project);
  await writeFile(join(project, "a.js"), "function f(x) {\n  return x;\n}\nf(1);\n");
  const run = (...words: readonly string[]) =>
    ran(
      [process.execPath, join(program, "bin/skillctl.cjs"), "run", "runtime-debug", ...words],
      project,
      folder,
      {
        HOME: folder,
      },
    );
  const hypotheses = ["one", "two", "three"].map((one) => `${one} | refuted by: ${one} | at a.js:2`);
  const begun = ["--expected", "1", "--actual", "2", "--hypotheses", hypotheses.join("\n")];
  assert.equal((await run("start", "The sum is wrong", ...begun)).status, 0);
  const probe = ["probe", "--hypothesis", "A", "--point", "sum", "--apply", "a.js:2"];
  const { err } = await run(...probe, "--data", "x.get(1)");
  assert.match(err, /no parser can say whether it only reads.*--allow-call/s);
  const { out } = await run(...probe, "--data", "x", "--data", "y=x.y[0]");
  assert.match(out, /Place not checked: the package @vscode\/tree-sitter-wasm is not installed/);
  await run("answer", "D");
  await run("cleanup");
  assert.doesNotMatch(await readFile(join(project, "a.js"), "utf8"), /debug-point/);
});
