/** The command `logs`: it reads a session's files as they are. */
import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { test } from "node:test";
import { coldHost, coldLogs, readingHarness } from "./reading-harness.ts";

test("logs reads what others have added, and leaves out a line that is not finished", async (t) => {
  const harness = await readingHarness(t);
  await harness.send({ hypothesisId: "A", location: "a.ts:1" });
  await harness.clear();
  await harness.send({ hypothesisId: "A", location: "a.ts:2" });
  const { log_file: log, log_dir: outdir } = harness.server.info;
  await harness.server.stop();
  const event = { hypothesisId: "A", location: "new.ts:1", _seq: 900, _run: "pre-fix", _src: "event" };
  appendFileSync(log, `${JSON.stringify(event)}\n{"hypothesisId":"A","_se`);
  const { events } = await coldLogs(await coldHost(t), {
    outdir,
    hypothesisId: ["A"],
    runId: ["pre-fix"],
    last: 1,
    format: "json",
  });
  assert.deepEqual(events, [event]);
});
