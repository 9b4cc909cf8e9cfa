import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { SkillError } from "../errors/skill-error.ts";
import { readConfiguration } from "./configuration.ts";
import { folderFor } from "./fixture-folder.ts";

test("a skillctl.json that an editor began with a byte order mark is read", (t) => {
  const file = folderFor(t).file("skillctl.json");
  writeFileSync(file, `\uFEFF${JSON.stringify({ config: { a: { x: 1 } } })}`);
  const read = readConfiguration(file, () => undefined);
  assert.deepEqual(read, { plugins: [], config: { a: { x: 1 } } });
});

test("only the person's own file may have the address of a state database, and no error shows it", (t) => {
  const file = folderFor(t).file("skillctl.json");
  const state = "postgres://u:s3cret@host/db";
  writeFileSync(file, JSON.stringify({ state }));
  assert.equal(readConfiguration(file, () => undefined, true).state, state);
  assert.throws(
    () => readConfiguration(file, () => undefined),
    (error) =>
      error instanceof SkillError &&
      error.code === "CONFIG_INVALID" &&
      /may not have `state`/.test(error.message) &&
      !/s3cret/.test(JSON.stringify([error.message, error.hint])),
  );
});
