import assert from "node:assert/strict";
import { test } from "node:test";
import { SkillError } from "skillctl";
import { OVERALL, catalogue, type Song } from "./asking-service.ts";
import { withHarness } from "./conversation-harness.ts";
import { about } from "./conversation-talk.ts";

const ALL: readonly Song[] = [
  ["《海盐》", 7],
  ["Blue River", 8],
];
const PLAYS = "最近30天我的播放量怎么样？";
const BAD: readonly string[] = [
  "",
  " ",
  "a b",
  "../x",
  "-x",
  ".x",
  "会话",
  "a/b",
  "a\nb",
  "a\u0000b",
  "x".repeat(129),
];

test("any other name after --conversation is refused before anything is asked", async () => {
  for (const id of BAD)
    await withHarness(catalogue({ overall: ALL }), async (harness) => {
      const person = await harness.host();
      const refusal = { code: "INPUT_INVALID", pointer: "/conversation" };
      await assert.rejects(person.ask(PLAYS, id), refusal, JSON.stringify(id));
      await assert.rejects(person.songs({ conversation: id }), refusal, JSON.stringify(id));
      assert.deepEqual(harness.service.bodies, [], JSON.stringify(id));
    });
});

test("any other name of a session is refused before anything is asked", async () => {
  for (const id of BAD)
    await withHarness(catalogue({ overall: ALL }), async (harness) => {
      const person = await harness.host();
      const refusal = { code: "INPUT_INVALID" };
      await assert.rejects(person.ask(PLAYS, undefined, id), refusal, JSON.stringify(id));
      await assert.rejects(person.songs({ refresh: true }, id), refusal, JSON.stringify(id));
      assert.deepEqual(harness.service.bodies, [], JSON.stringify(id));
    });
});

test("--conversation takes letters, digits, dots, dashes and underscores, and tells names apart by case", () =>
  withHarness(catalogue({ overall: ALL }), async (harness) => {
    const person = await harness.host();
    for (const id of ["a", "0", "tour-2026", "a.b_c-D", "x".repeat(128)])
      assert.equal((await person.ask("分析《海盐》", id)).conversation, id);
    assert.equal((await person.ask("分析《海盐》", "A")).requests, 2);
    assert.equal((await person.ask("分析《海盐》", "a")).requests, 1);
  }));

test("a session is a conversation, and a named conversation wins over it", () =>
  withHarness(catalogue({ overall: ALL }), async (harness) => {
    const person = await harness.host();
    assert.equal((await person.ask("分析《海盐》", undefined, "session-1")).conversation, "session-1");
    const next = await person.ask("这首歌怎么样", undefined, "session-1");
    assert.deepEqual([next.kind, next.requests, next.conversation], ["song", 1, "session-1"]);
    const named = await person.ask("分析《Blue River》", "named", "session-1");
    assert.deepEqual([named.requests, named.conversation], [2, "named"]);
    assert.deepEqual((await person.songs({}, "session-1"))["focus"], { name: "《海盐》", songId: 7 });
    assert.deepEqual((await person.songs({ conversation: "named" }, "session-1"))["focus"], {
      name: "Blue River",
      songId: 8,
    });
    assert.equal((await person.ask("分析《海盐？》", undefined, "session-1")).kind, "choice");
    assert.equal((await person.ask("1", undefined, "session-1")).kind, "song");
    assert.deepEqual(person.test.log.notices, []);
  }));

test("a refused name says what a name may be", () =>
  withHarness(catalogue({ overall: ALL }), async (harness) => {
    const person = await harness.host();
    const caught = await person.ask(PLAYS, undefined, "会话").catch((error: unknown) => error);
    assert.ok(caught instanceof SkillError);
    assert.equal(caught.message, "The session's name cannot name a conversation.");
    assert.match(caught.hint ?? "", /letters, digits/);
  }));

test("over HTTP the session of the header is the conversation", () =>
  withHarness(catalogue({ overall: ALL }), async (harness) => {
    const { test } = await harness.host();
    const server = await test.serve();
    const ask = async (question: string, session: string) => {
      const reply = await fetch(`${server.url}/v1/skills/music-analysis/commands/ask`, {
        method: "POST",
        headers: { "content-type": "application/json", "skillctl-session": session },
        body: JSON.stringify({ question }),
      });
      const { kind, conversation } = (await reply.json()) as Readonly<Record<string, unknown>>;
      return [reply.status, kind, conversation];
    };
    assert.deepEqual(await ask("分析《海》", "tab-1"), [200, "choice", "tab-1"]);
    assert.deepEqual(await ask("这首歌怎么样", "tab-2"), [200, "unsupported", "tab-2"]);
    assert.deepEqual(await ask("1", "tab-1"), [200, "song", "tab-1"]);
    assert.deepEqual(await ask("这首歌的听众画像", "tab-1"), [200, "song", "tab-1"]);
    assert.deepEqual(harness.service.bodies, [
      OVERALL,
      OVERALL,
      about("分析《海》", 7),
      about("这首歌的听众画像", 7),
    ]);
  }));
