import assert from "node:assert/strict";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { program } from "../../../contract-tests/command-line.ts";
import { gatewayIn } from "./gateway-harness.ts";

const ROUNDS = 40;
const SUM = "SELECT coalesce(sum(plays), 0)::BIGINT FROM song_day";

test(`${ROUNDS} imports and removals that are killed leave the old files or the new ones, with their figures`, async (context) => {
  const { folder, take } = await gatewayIn(context);
  const days = (count: number, plays: number): string =>
    `date,streams\n${Array.from({ length: count }, (_, day) => `2026-05-${String(day + 1).padStart(2, "0")},${plays}\n`).join("")}`;
  await take({
    "A-timeline.csv": days(10, 1),
    "B-timeline.csv": days(10, 100),
    "B-timeline (1).csv": days(5, 1000),
  });
  // The second download is set aside, and counts when the first is removed.
  const sums = new Map([
    ["A-timeline.csv, B-timeline (1).csv, B-timeline.csv", 1010],
    ["A-timeline.csv, B-timeline (1).csv", 5010],
  ]);
  const seen = new Map<string, number>();
  // The last whole duration of each command, in milliseconds: the first run of each is not killed.
  const whole = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await gatewayIn({ after: () => undefined }, folder);
    const isThere = (await before.library.holdings()).files.some(({ name }) => name === "B-timeline.csv");
    const command = isThere ? "remove" : "import";
    const words = ["run", "music-gateway", command, join(folder, "B-timeline.csv")];
    const started = performance.now();
    const child = program(words, folder);
    child.stdout.resume();
    child.stderr.resume();
    const exit = once(child, "exit");
    // The kill comes in the second half of the time, in which the library changes.
    const durationMs = whole.get(command);
    const kill =
      durationMs === undefined ? exit : pause(durationMs * (0.4 + (0.7 * ((round * 7) % ROUNDS)) / ROUNDS));
    await Promise.race([exit, kill]);
    child.kill("SIGKILL");
    const [code] = (await exit) as [number | null];
    if (code === 0) whole.set(command, performance.now() - started);
    const after = await gatewayIn({ after: () => undefined }, folder);
    const names = (await after.library.holdings()).files.map(({ name }) => name).toSorted();
    const list = names.join(", ");
    assert.deepEqual(await after.values(SUM), [[sums.get(list)]], `round ${round}: ${list}`);
    seen.set(list, (seen.get(list) ?? 0) + 1);
    await after.collections.close();
  }
  assert.deepEqual([...whole.keys()].toSorted(), ["import", "remove"]);
  context.diagnostic(JSON.stringify([...seen]));
  // One more change removes what the killed ones have left.
  const last = await gatewayIn({ after: () => undefined }, folder);
  await last.take({ "C-timeline.csv": days(1, 7) });
  const { files } = await last.library.holdings();
  assert.equal((await readdir(last.library.exports)).length, files.length);
  assert.deepEqual(
    (await readdir(last.library.folder)).filter((name) => /^(?:data|building)/.test(name)).length,
    1,
  );
  await last.collections.close();
});
