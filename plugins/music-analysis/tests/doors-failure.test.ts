/** Replies without an answer: the number of requests, the message and the exit status. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { answered, finished, refused, type FakeReply } from "../../../contract-tests/fake-service.ts";
import { atDesk } from "./program.ts";
import { failureOf, withMusic } from "./host.ts";

const QUESTION = "最近30天我的播放量怎么样？";

test("only an upstream error is retried, and only once", async () => {
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

test("a failure is reported in the question's language, with its exit status and nothing on standard output", async () => {
  const rows = [
    [refused(1, "您今天在数据助手的使用次数达 10 次啦！"), 75, /提问次数已达上限/, /today's question limit/],
    [finished("SAFETY_REVOKED"), 69, /敏感内容/, /sensitive content/],
    ["drop", 76, /可能已计入今日次数/, /may have counted against today's limit/],
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

test("without a token nothing is sent, and the person is asked to log in", () =>
  atDesk([answered("shown")], async ({ folder, say, service }) => {
    await rm(join(folder, ".svc-login"), { recursive: true });
    const said = await say(["run", "music-analysis", QUESTION]);
    assert.equal(said.status, 77, said.err);
    assert.match(said.err, /请先登录/);
    assert.match(said.err, /skillctl run login-proxy login/);
    assert.equal(service.seen.length, 0);
  }));

/** The sentence of an error and its hint, as the command line shows them. */
function complaintIn(err: string): readonly [message: string, hint: string] {
  const [, message = "", hint = ""] = /^error: ([^]*?)(?:\nhint: ([^]*))?$/m.exec(err.trim()) ?? [];
  return [message, hint];
}

test("the hint of an error is in the language of its message", async () => {
  const isChinese = (text: string): boolean => /\p{Script=Han}/u.test(text.replaceAll(/《[^》]*》/gu, ""));
  const many = Array.from({ length: 11 }, (_, at) => `《Song ${at}》`).join("");
  const asked: readonly (readonly [zh: string, en: string])[] = [[QUESTION, "How are my plays?"]];
  const rows: readonly (readonly [
    replies: readonly FakeReply[],
    questions?: readonly (readonly [zh: string, en: string])[],
    more?: { readonly words?: readonly string[]; readonly baseUrl?: string; readonly isGone?: true },
  ])[] = [
    [[refused(1, "您今天在数据助手的使用次数达 10 次啦！")]],
    [[refused("100010", "数据异常，请稍候再试")]],
    [[refused("UNAUTHORIZED", "not logged in")]],
    [[refused(777, "17")]],
    [[finished("SAFETY_REVOKED")]],
    [["drop"]],
    [[{ ...answered("not to be shown"), status: 302, headers: { location: "/moved" } }]],
    [[], asked, { isGone: true }],
    [[answered("shown")], [[`比较${many}`, `Compare ${many}`]]],
    [[], [["都不是", "none of these"]]],
    [[], asked, { words: ["--picture", "nowhere/plays.svg"] }],
    [[], asked, { words: ["--picture", "nowhere/plays.svg"], baseUrl: "" }],
  ];
  for (const [replies, questions = asked, { words = [], baseUrl, isGone } = {}] of rows)
    for (const isZh of [true, false])
      for (const [zh, en] of questions)
        await atDesk([...replies, ...replies], async ({ say, service }) => {
          if (isGone) await service.close();
          const options = baseUrl === undefined ? {} : { variables: { SVC_BASE_URL: baseUrl } };
          const { err, status } = await say(["run", "music-analysis", isZh ? zh : en, ...words], options);
          assert.notEqual(status, 0, err);
          const [message, hint] = complaintIn(err);
          assert.equal(isChinese(message), isZh, err);
          if (hint !== "") assert.equal(isChinese(hint), isZh, err);
        });
});
