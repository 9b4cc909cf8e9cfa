import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { Script } from "node:vm";
import { COMPILED, HEAD, requireCompiled, TAIL } from "./compiled-file.ts";

/** A file as the build makes them: a function, with nothing around. */
function file(t: TestContext, body: string): string {
  const folder = mkdtempSync(join(tmpdir(), "skillctl-compiled-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "part.cjs");
  writeFileSync(path, HEAD + body + TAIL);
  return path;
}

test("a file gives what it exports, once, with its compiled form and without", (t) => {
  const body =
    "globalThis.partLoaded = (globalThis.partLoaded ?? 0) + 1; exports.loaded = globalThis.partLoaded;";
  const path = file(t, body);
  const script = new Script(HEAD + body + TAIL, { filename: path });
  writeFileSync(path + COMPILED, script.createCachedData());
  let refused: boolean | undefined;
  const first = requireCompiled(path, (told) => (refused = told.cachedDataRejected));
  assert.equal(refused, false);
  assert.equal(requireCompiled(path), first);
  assert.deepEqual({ ...(first as object) }, { loaded: 1 });
});

test("a compiled form of something else is not used", (t) => {
  const path = file(t, "exports.kind = 'the source';");
  writeFileSync(path + COMPILED, "no such form");
  assert.deepEqual({ ...(requireCompiled(path) as object) }, { kind: "the source" });
});

test("a file that fails half-way fails the next time too", (t) => {
  const path = file(t, "exports.half = 1; throw new Error('on purpose');");
  for (let round = 0; round < 2; round += 1) assert.throws(() => requireCompiled(path), /on purpose/);
});
