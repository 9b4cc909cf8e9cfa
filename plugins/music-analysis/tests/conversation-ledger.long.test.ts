import assert from "node:assert/strict";
import { test } from "node:test";
import { OVERALL, catalogue, type Song } from "./asking-service.ts";
import { withHarness, type Visitor } from "./conversation-harness.ts";
import { about, plain } from "./conversation-talk.ts";
import { answered, refused, type FakeReply } from "../../../contract-tests/fake-service.ts";

const ALL: readonly Song[] = [["海盐", 7]];
const PLAYS = "最近30天我的播放量怎么样？";
const QUOTA = refused(5001, "您今天在数据助手的使用次数达 10 次啦！");

const usedAt = async (person: Visitor): Promise<unknown> => (await person.songs())["questionsToday"];
const used = (count: number) => ({ used: count, of: 10 });

/** What one question adds to the count. */
const COUNTED: readonly (readonly [title: string, replies: readonly FakeReply[], count: number])[] = [
  ["a complete answer", [answered("ok")], 1],
  [
    "an answer after UPSTREAM_ERROR, once",
    [answered("", { finishReason: "UPSTREAM_ERROR" }), answered("ok")],
    1,
  ],
  ["an answer that broke off, which may have used one", ["half"], 1],
  ["a connection that broke, which may have used one", ["drop"], 1],
  ["TIMEOUT, which may have used one", [answered("", { finishReason: "TIMEOUT" })], 1],
  ["UPSTREAM_ERROR twice", [answered("", { finishReason: "UPSTREAM_ERROR" })], 0],
  ["a withdrawn answer", [answered("", { finishReason: "SAFETY_REVOKED" })], 0],
  ["a blocked song", [refused(5002, "歌曲不支持分析")], 0],
  ["a login that is refused", [refused("UNAUTHORIZED", "未登录")], 0],
  ["a field that is refused", [refused("100010", "数据异常")], 0],
  ["an unknown refusal", [refused(-1, "")], 0],
  ["a message that the day's questions are used: all ten", [QUOTA], 10],
];

for (const [title, replies, count] of COUNTED) {
  test(`the day's questions: ${title} counts ${count}`, () =>
    withHarness(
      () => answered("ok"),
      async (harness) => {
        let next = 0;
        harness.service.answer = () => replies[Math.min(next++, replies.length - 1)] as FakeReply;
        const person = await harness.host();
        await person.ask(PLAYS).catch(() => undefined);
        assert.deepEqual(await usedAt(person), used(count));
      },
    ));
}

test("the day's questions: one that was given up while it was under way counts, since the service goes on", () =>
  withHarness(
    () => answered("ok"),
    async (harness) => {
      const person = await harness.host();
      const stop = new AbortController();
      harness.service.answer = () => {
        stop.abort();
        return new Promise(() => undefined);
      };
      const { signal } = stop;
      const asked = person.test.run({ skill: "music-analysis", input: { question: PLAYS }, signal });
      await assert.rejects(asked, { code: "CANCELLED" });
      assert.deepEqual(await usedAt(person), used(1));
    },
  ));

test("the day's questions: every answer says how many are used, a look-up of songs counts like any other", () =>
  withHarness(catalogue({ overall: ALL }), async (harness) => {
    const person = await harness.host();
    assert.deepEqual(await usedAt(person), used(0));
    assert.deepEqual((await person.ask(PLAYS)).questionsToday, used(1));
    assert.deepEqual((await person.ask("分析《海盐》")).questionsToday, used(3));
    assert.deepEqual((await person.ask("分析《星图》")).questionsToday, used(4));
    const again = await harness.host();
    assert.deepEqual(await usedAt(again), used(4));
    assert.deepEqual((await again.songs({ refresh: true }))["questionsToday"], used(5));
  }));

test("the day's questions are a hint: an eleventh is sent and answered, and the count stays at the day's", () =>
  withHarness(catalogue({ overall: ALL }), async (harness) => {
    const person = await harness.host();
    for (let asked = 1; asked <= 11; asked += 1)
      assert.deepEqual((await person.ask(PLAYS)).questionsToday, used(Math.min(asked, 10)));
    assert.equal(harness.service.bodies.length, 11);
  }));

test("the day's questions: a message that they are used and more answers after it stay at ten", () =>
  withHarness(catalogue({ overall: ALL }), async (harness) => {
    const person = await harness.host();
    for (let asked = 1; asked <= 12; asked += 1) await person.ask(PLAYS);
    harness.service.answer = () => QUOTA;
    await assert.rejects(person.ask(PLAYS), { code: "MUSIC_QUOTA_REACHED" });
    assert.deepEqual(await usedAt(person), used(10));
  }));

test("the day's questions begin anew at midnight in Shanghai, which is 16:00 UTC", () =>
  withHarness(catalogue({ overall: ALL }), async (harness) => {
    const person = await harness.host({ now: "2026-07-01T15:59:59.999Z" });
    await person.ask(PLAYS);
    assert.deepEqual(await usedAt(person), used(1));
    person.test.clock.set("2026-07-01T16:00:00Z");
    assert.deepEqual(await usedAt(person), used(0));
    await person.ask(PLAYS);
    person.test.clock.set("2026-07-02T15:59:59.999Z");
    assert.deepEqual(await usedAt(person), used(1));
    person.test.clock.set("2026-07-01T15:00:00Z");
    assert.deepEqual(await usedAt(person), used(1));
  }));

test("the day's questions are counted for each account alone", () =>
  withHarness(catalogue({ overall: ALL }), async (harness) => {
    const one = await harness.host({ token: "a-opaque-token" });
    const other = await harness.host({ token: "b-opaque-token" });
    await one.ask(PLAYS);
    await one.ask(PLAYS);
    await other.ask(PLAYS);
    assert.deepEqual([await usedAt(one), await usedAt(other)], [used(2), used(1)]);
  }));

test("the day's questions: of many that are asked at once by two hosts none is lost", () =>
  withHarness(catalogue({ overall: ALL }), async (harness) => {
    const hosts = [await harness.host(), await harness.host()];
    await Promise.all(hosts.flatMap((person) => Array.from({ length: 4 }, () => person.ask(PLAYS))));
    assert.deepEqual(await usedAt(hosts[0] as Visitor), used(8));
  }));

test("before a look-up of songs that may take the day's last question a line says so, and it is sent all the same", () =>
  withHarness(catalogue({ overall: ALL }), async (harness) => {
    const person = await harness.host();
    for (let asked = 1; asked <= 8; asked += 1) await person.ask(PLAYS);
    await person.ask("分析《星图》");
    assert.deepEqual(person.test.log.notices, []);
    await person.ask("分析《海盐》");
    const line = "9 of today's 10 questions are used: to look up the songs takes one, and an answer another.";
    assert.deepEqual(person.test.log.notices, [line]);
    assert.deepEqual(harness.service.bodies.slice(9), [OVERALL, about("分析《海盐》", 7)]);
    await person.ask(PLAYS);
    assert.deepEqual(person.test.log.notices, [line]);
    assert.deepEqual(harness.service.bodies.at(-1), plain(PLAYS));
  }));
