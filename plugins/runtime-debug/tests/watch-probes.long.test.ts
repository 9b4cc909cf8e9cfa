/** Pure probes stay, wherever they stand and whatever the language; a probe with anything else beside it does not. */
import assert from "node:assert/strict";
import { readFile, rename, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, test } from "node:test";
import { applied } from "../probes/application.ts";
import { noGit } from "./worktree-harness.ts";
import { IN_BLOCKS } from "./probes/places-of-blocks.ts";
import { ELSEWHERE } from "./probes/places-of-others.ts";
import type { Places } from "./probes/places.ts";
import { watchedProject } from "./watch-harness.ts";

interface Sample {
  readonly path: string;
  readonly before: string;
  readonly probed: string;
}

/** As files are: with LF, with CRLF, without a last line end. A shell reads the first alone. */
const SHAPES: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replaceAll("\n", "\r\n"),
  (text) => text.replace(/\n$/, ""),
];

/** Every place that a probe can stand in in each shape: the file before and after. */
async function samples(): Promise<readonly Sample[]> {
  const found: Sample[] = [];
  for (const places of [...IN_BLOCKS, ...ELSEWHERE]) {
    const marked = places.text.split("\n").slice(0, -1);
    const text = marked.map((line) => `${line.slice(1)}\n`).join("");
    for (const [index, line] of marked.entries()) {
      if (!line.startsWith("+")) continue;
      const probed = probedAt(places, text, index + 1);
      const { file, language } = places;
      for (const shaped of language === "shell" ? SHAPES.slice(0, 1) : SHAPES) {
        const path = `p${found.length}/${basename(file)}`;
        found.push({ path, before: shaped(text), probed: shaped(probed) });
      }
    }
  }
  return found;
}

function probedAt({ file, language }: Places, text: string, line: number): string {
  const data = ["shell", "perl", "php", "powershell"].includes(language) ? "$x" : "x";
  const wish = {
    language,
    session: "sum-is-wrong",
    hypothesis: "A",
    point: "here",
    data: [{ name: "x", expression: data }],
    location: `${file}:${line}`,
    fallbackUrl: "http://127.0.0.1:7777/event",
  };
  return applied({ path: file, text, line, wish }).text;
}

describe("probes before the evidence", { skip: noGit }, () => {
  test("hundreds of them, in all languages, are left as they are; taken out again too", async (t) => {
    const all = await samples();
    assert.ok(all.length >= 300, `${all.length} probes`);
    const project = await watchedProject(t);
    await project.write(Object.fromEntries(all.map(({ path, before }) => [path, before])));
    project.git("add", "--all");
    project.git("commit", "--quiet", "--message", "first");
    await project.begin();
    const texts = async (): Promise<readonly string[]> =>
      Promise.all(all.map(({ path }) => readFile(join(project.root, path), "utf8")));
    await project.write(Object.fromEntries(all.map(({ path, probed }) => [path, probed])));
    const looked = await project.look();
    assert.deepEqual([looked.reverted, looked.stuck], [[], []]);
    assert.ok(looked.regions >= all.length);
    assert.deepEqual(
      await texts(),
      all.map(({ probed }) => probed),
    );
    await project.write(Object.fromEntries(all.map(({ path, before }) => [path, before])));
    assert.deepEqual((await project.look()).reverted, []);
    assert.deepEqual(
      await texts(),
      all.map(({ before }) => before),
    );
  });

  test("one with a change beside it, or with native logging in it, is put back", async (t) => {
    const project = await watchedProject(t);
    const before = "export function total(items) {\n  let sum = 0;\n  return sum;\n}\n";
    const wish = { file: "a.js", language: "javascript", text: "", end: "-" } as const;
    const probed = probedAt(wish, before, 3);
    const wrong = {
      "beside.js": probed.replace("sum = 0", "sum = 1"),
      "native.js": before.replace(
        "  return",
        "  // #region debug-point A:x\n  console.log(sum);\n  // #endregion\n  return",
      ),
      "half.js": probed.replace(/.*#endregion.*\n/, ""),
      "none.js": before.replace("  return", "  fetch('http://127.0.0.1:7777/event');\n  return"),
    };
    await project.write(Object.fromEntries(Object.keys(wrong).map((path) => [path, before])));
    await project.begin();
    await project.write(wrong);
    const { reverted } = await project.look();
    const faults = reverted.flatMap(({ fault }) => fault ?? []).join("\n");
    assert.match(faults, /^native\.js:4: .*console\.log/m);
    assert.deepEqual(reverted.map(({ path }) => path).sort(), Object.keys(wrong).sort());
    for (const { path, keptAt } of reverted) {
      assert.equal(await readFile(join(project.root, path), "utf8"), before);
      assert.equal(await readFile(keptAt ?? "", "utf8"), wrong[path as keyof typeof wrong]);
    }
  });

  test("with the right to be run taken or given, a probed file keeps its probe and gets its rights back", async (t) => {
    if (process.platform === "win32") return t.skip("Windows has no such rights");
    const project = await watchedProject(t);
    const before = "export function total(items) {\n  let sum = 0;\n  return sum;\n}\n";
    await project.write({ "a.js": before });
    await project.begin();
    const tree = project.tree();
    const wish = { file: "a.js", language: "javascript", text: "", end: "-" } as const;
    const probed = probedAt(wish, before, 3);
    await writeFile(join(project.root, "b.js"), probed, { mode: 0o755 });
    await rename(join(project.root, "b.js"), join(project.root, "a.js"));
    assert.deepEqual(
      (await project.look()).reverted.map(({ path }) => path),
      ["a.js"],
    );
    assert.equal(await readFile(join(project.root, "a.js"), "utf8"), probed);
    await writeFile(join(project.root, "a.js"), before);
    assert.deepEqual(project.tree(), tree);
  });
});
