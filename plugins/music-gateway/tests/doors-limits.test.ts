/** Which data the embedded service says that it answers from, and how often a day: through the host alone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { own } from "./doors-harness.ts";

test("sample data are named on standard error and in the answer, own files are too, and both only once", async (t) => {
  const sample = await own(t, {});
  assert.match(await sample.ask("最近7天的播放量"), /以上为内置示例数据，并非真实账号/);
  await sample.ask("最近7天的播放量");
  const notices = sample.host.log.notices.filter((line) => line.includes("embedded gateway"));
  assert.equal(notices.length, 1);
  assert.match(notices[0] ?? "", /answers from sample data; to use your own/);
  const mine = await own(t);
  assert.doesNotMatch(await mine.ask("最近7天的播放量"), /示例数据/);
  assert.match(mine.host.log.notices.join("\n"), /answers from your imported files \(6\)/);
});

test("ten questions of a day are answered, the eleventh is told to come back the next day", async (t) => {
  const { run, ask } = await own(t);
  await ask("最近7天的播放量");
  for (let asked = 1; asked < 10; asked += 1)
    await run("music-analysis", "ask", { question: "最近7天的播放量" });
  await assert.rejects(run("music-analysis", "ask", { question: "最近7天的播放量" }), {
    code: "MUSIC_QUOTA_REACHED",
  });
  assert.match(await ask("最近7天的播放量"), /9,100/);
});
