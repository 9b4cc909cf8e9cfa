import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { readConfiguration } from "./configuration.ts";

describe("skillctl.json", () => {
  let folder = "";
  let file = "";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "skillctl-config-"));
    file = join(folder, "skillctl.json");
  });
  after(() => rm(folder, { recursive: true, force: true }));

  test("names plugins relative to itself and settings by skill", async () => {
    await writeFile(
      file,
      `\uFEFF${JSON.stringify({ plugins: ["./a", "../b", resolve("/c")], config: { a: { x: 1 } } })}`,
    );
    assert.deepEqual(
      readConfiguration(file, () => undefined),
      {
        plugins: [join(folder, "a"), resolve(folder, "..", "b"), resolve("/c")],
        config: { a: { x: 1 } },
      },
    );
    await writeFile(file, "{}");
    assert.deepEqual(
      readConfiguration(file, () => undefined),
      { plugins: [], config: {} },
    );
  });
});
