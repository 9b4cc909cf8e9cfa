import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { readConfiguration } from "./configuration.ts";
import { folderFor } from "./fixture-folder.ts";

test("a skillctl.json that an editor began with a byte order mark is read", (t) => {
  const file = folderFor(t).file("skillctl.json");
  writeFileSync(file, `\uFEFF${JSON.stringify({ config: { a: { x: 1 } } })}`);
  const read = readConfiguration(file, () => undefined);
  assert.deepEqual(read, { plugins: [], config: { a: { x: 1 } } });
});
