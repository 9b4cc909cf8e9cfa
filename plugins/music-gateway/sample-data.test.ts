import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { sampleFiles } from "../../scripts/sample-data.ts";
import { readExport } from "./export-file.ts";

const FOLDER = fileURLToPath(new URL("../../skills/music-gateway/sample/", import.meta.url));

test("the sample in the repository is what its script writes, byte for byte", async () => {
  const files = sampleFiles();
  assert.deepEqual((await readdir(FOLDER)).sort(), [...files.keys()].sort());
  for (const [name, content] of files)
    assert.equal((await readFile(join(FOLDER, name))).toString(), content, name);
  assert.deepEqual([...sampleFiles()], [...files]);
});

test("every file of the sample is of a known kind, and no row is refused", () => {
  const kinds = new Map<string, number>();
  for (const [name, content] of sampleFiles()) {
    const file = readExport(name, new TextEncoder().encode(content));
    assert.ok(typeof file !== "string", name);
    assert.deepEqual(file.refused, [], name);
    kinds.set(file.kind, (kinds.get(file.kind) ?? 0) + 1);
  }
  assert.deepEqual(Object.fromEntries(kinds), {
    "spotify-timeline": 14,
    "spotify-songs": 1,
    "spotify-audience": 1,
    "youtube-table": 1,
    "distrokid-statement": 1,
  });
});

test("the sample covers 211 of 214 days up to 2026-10-31", () => {
  const audience = readExport(
    "audience.csv",
    new TextEncoder().encode(sampleFiles().get("Mira Lin-audience-timeline.csv")),
  );
  assert.ok(typeof audience !== "string");
  assert.equal(audience.rows, 211);
  assert.deepEqual(audience.window, { from: "2026-04-01", to: "2026-10-31" });
});
