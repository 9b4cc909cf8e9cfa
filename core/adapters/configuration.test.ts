import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { SkillError } from "../errors/skill-error.ts";
import { configurationFile, readConfiguration } from "./configuration.ts";

describe("skillctl.json", () => {
  let folder = "";
  let file = "";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "skillctl-config-"));
    file = join(folder, "skillctl.json");
  });
  after(() => rm(folder, { recursive: true, force: true }));

  test("is found in the folder, or there is none", async () => {
    assert.equal(configurationFile(folder), undefined);
    await writeFile(file, "{}");
    assert.equal(configurationFile(folder), file);
  });

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

  test("that does not fit is CONFIG_INVALID with the pointer, and so is one that is no JSON", async () => {
    await writeFile(file, '{"plugins":1}');
    const check = () => ({ pointer: "/plugins", keyword: "type", sentence: "/plugins must be an array." });
    assert.throws(
      () => readConfiguration(file, check),
      (error: SkillError) => {
        assert.deepEqual([error.code, error.pointer, error.file], ["CONFIG_INVALID", "/plugins", file]);
        return true;
      },
    );
    await writeFile(file, "{'plugins': []}");
    assert.throws(() => readConfiguration(file, check), { code: "CONFIG_INVALID", pointer: "" });
  });

  test("that cannot be read is FILE_UNREADABLE", () => {
    assert.throws(
      () => readConfiguration(folder, () => undefined),
      (error) => error instanceof SkillError && error.code === "FILE_UNREADABLE",
    );
  });
});
