/** What comes of a reply that is no answer: how often it is asked for, what is told, and the exit status. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { answered, finished, refused, type FakeReply } from "../../../contract-tests/fake-service.ts";
import { atDesk } from "./program.ts";
import { failureOf, withMusic } from "./host.ts";

const QUESTION = "最近30天我的播放量怎么样？";

test("only an upstream error is asked again, and only once", async () => {
  const rows: readonly (readonly [reply: FakeReply, code: string, requests: number])[] = [
    [finished("UPSTREAM_ERROR"), "MUSIC_BUSY", 2],
    [finished("TIMEOUT"), "MUSIC_TIMEOUT", 1],
    [finished("SAFETY_REVOKED"), "MUSIC_SAFETY_REVOKED", 1],
    [answered("not to be shown", { safetyRevoked: true }), "MUSIC_SAFETY_REVOKED", 1],
    ["drop", "MUSIC_OUTCOME_UNKNOWN", 1],
    [
      { ...answered("not to be shown"), status: 302, headers: { location: "/moved" } },
      "MUSIC_REPLY_BROKEN",
      1,
    ],
  ];
  for (const [reply, code, requests] of rows)
    await withMusic([reply], async ({ ask, service }) => {
      assert.equal((await failureOf(ask(QUESTION))).code, code);
      assert.equal(service.seen.length, requests, code);
    });
});

test("a failure is told in the question's language, with its exit status and nothing on standard output", async () => {
  const rows = [
    [refused(1, "您今天在数据助手的使用次数达 10 次啦！"), 75, /提问次数已达上限/, /today's limit/],
    [finished("SAFETY_REVOKED"), 69, /敏感内容/, /sensitive content/],
    ["drop", 76, /可能已计入今日次数/, /may have used one of today's/],
    [refused("100010", "数据异常，请稍候再试"), 70, /请求字段异常/, /fields that are not allowed/],
  ] as const;
  for (const [reply, status, zh, en] of rows)
    await atDesk([reply], async ({ say }) => {
      for (const [question, sentence] of [
        [QUESTION, zh],
        ["How are my plays?", en],
        ["How did 《海盐》 do?", en],
      ] as const) {
        const said = await say(["run", "music-analysis", question]);
        assert.equal(said.status, status, said.err);
        assert.match(said.err, sentence);
        assert.equal(said.out, "");
      }
    });
});

test("without a token nothing is sent, and the person is told to log in", () =>
  atDesk([answered("shown")], async ({ folder, say, service }) => {
    await rm(join(folder, ".svc-login"), { recursive: true });
    const said = await say(["run", "music-analysis", QUESTION]);
    assert.equal(said.status, 77, said.err);
    assert.match(said.err, /请先登录/);
    assert.match(said.err, /skillctl run login-proxy login/);
    assert.equal(service.seen.length, 0);
  }));
