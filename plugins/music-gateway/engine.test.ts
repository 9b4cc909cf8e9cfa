import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { gatewayIn } from "./temporary-gateway.test.ts";

test("closing in the middle of an answer does not end the process: the answer comes first", async (context) => {
  for (let turns = 0; turns < 12; turns += 1) {
    const { engine } = await gatewayIn(context);
    await engine.holdings();
    const answer = engine.answer("播放量", undefined);
    for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
    await engine.close();
    assert.match((await answer) ?? "", /播放量/);
  }
});

test("a question that comes after the end is refused, and opens nothing any more", async (context) => {
  const { engine } = await gatewayIn(context);
  await engine.close();
  await assert.rejects(engine.answer("播放量", undefined), { code: "CANCELLED" });
  await assert.rejects(engine.coverage(), { code: "CANCELLED" });
});

test("files that come meanwhile answer the next question, and do not disturb those under way", async (context) => {
  const { engine, library } = await gatewayIn(context);
  const exports = join(library.folder, "exports");
  await mkdir(exports, { recursive: true });
  const put = (number: number): Promise<void> =>
    writeFile(
      join(exports, `${String(number).padStart(16, "0")}-a-timeline.csv`),
      `date,streams\n2026-05-0${number},${number}00\n`,
    );
  const answers = [engine.answer("播放量", undefined)];
  for (const number of [1, 2, 3, 4]) {
    await put(number);
    answers.push(engine.answer("播放量", undefined));
    await engine.holdings();
  }
  const plays = (await Promise.all(answers)).map((text) => /\| 播放量 \| ([\d,]+) \|/.exec(text ?? "")?.[1]);
  assert.deepEqual(plays.slice(-1), ["1,000"]);
  assert.ok(plays.every((count) => count !== undefined));
});
