import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { sampleFiles } from "../../scripts/sample-data.ts";
import { gatewayIn } from "./tests/gateway-harness.ts";

const FOLDER = fileURLToPath(new URL("../../skills/music-gateway/sample/", import.meta.url));

test("the sample in the repository is what its script writes, byte for byte", async () => {
  const files = sampleFiles();
  assert.deepEqual((await readdir(FOLDER)).sort(), [...files.keys()].sort());
  for (const [name, content] of files)
    assert.equal((await readFile(join(FOLDER, name))).toString(), content, name);
  assert.deepEqual([...sampleFiles()], [...files]);
});

test("every file of the sample is read whole, and it covers 211 days up to 2026-10-31", async (context) => {
  const { collections, values } = await gatewayIn(context);
  const { files } = await collections.use(({ catalog }) => catalog);
  assert.deepEqual([files.length, files.filter(({ refused }) => refused > 0)], [18, []]);
  assert.deepEqual(await values("SELECT count(*), min(date)::VARCHAR, max(date)::VARCHAR FROM account_day"), [
    [211, "2026-04-01", "2026-10-31"],
  ]);
});
