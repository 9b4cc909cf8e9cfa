/** Which data the embedded service says that it answers from, and how often a day: through the host alone. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { own } from "./doors-harness.ts";
import { asked, post, serving } from "./rehearsal.ts";

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

test("any number of questions a day is answered, and with --quota the next is told to come back the next day", async (t) => {
  const { run } = await own(t);
  for (let count = 0; count < 12; count += 1)
    await run("music-analysis", "ask", { question: "最近7天的播放量" });
  const folder = await mkdtemp(join(tmpdir(), "skillctl-net-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const gateway = await serving(folder, [], ["--quota", "2"]);
  t.after(gateway.stop);
  assert.deepEqual([(await asked(folder, gateway)).status, (await asked(folder, gateway)).status], [0, 0]);
  const refused = await asked(folder, gateway);
  assert.equal(refused.code, "MUSIC_QUOTA_REACHED");
  const reply = (await (await post(gateway)).json()) as { readonly message: string };
  assert.equal(reply.message, "您今天在数据助手的使用次数达 2 次啦！");
});
