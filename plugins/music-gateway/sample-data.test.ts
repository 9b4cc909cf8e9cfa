import assert from "node:assert/strict";
import { test } from "node:test";
import { gatewayIn } from "./tests/gateway-harness.ts";

test("every file of the sample is read whole, and it covers 211 days up to 2026-10-31", async (context) => {
  const { collections, values } = await gatewayIn(context);
  const { files } = await collections.use(({ catalog }) => catalog);
  assert.deepEqual([files.length, files.filter(({ refusedRows }) => refusedRows > 0)], [18, []]);
  assert.deepEqual(await values("SELECT count(*), min(date)::VARCHAR, max(date)::VARCHAR FROM account_day"), [
    [211, "2026-04-01", "2026-10-31"],
  ]);
});
