/** Whole turns of an agent: it asks with the real commands, and its last words are compared with what came back. */
import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { agentSession } from "../../../contract-tests/agent-calls.ts";
import {
  FakeService,
  answered,
  finished,
  refused,
  type ScriptedReply,
} from "../../../contract-tests/fake-service.ts";
import { FakeLogin, skillsWith, type Shown } from "./host.ts";

const QUESTION = "最近30天我的播放量怎么样？";
const CONTENT =
  "## 结论\n\n| 歌曲名 | songId | 播放量 |\n|---|---|---|\n| 《海盐》 | 7 | 1,234 |\n| 《海盐 (Live)》 | 8 | 5 |\n";
const options = { skip: process.platform === "win32" && "there is no bash" };

/** An agent that may ask a service, which answers from a script. */
async function agent(t: TestContext, ...script: readonly ScriptedReply[]) {
  const service = await FakeService.start(...script);
  t.after(() => service.close());
  const skills = skillsWith(new FakeLogin());
  const session = await agentSession(t, { skills, variables: { SVC_BASE_URL: service.url } });
  const { test: host, call, event } = session;
  const run = (command: string, input: object) => host.run({ skill: "music-analysis", command, input });
  return {
    ...session,
    service,
    /** The rule that stops a question to `ask`, or undefined; then the command is run, and may fail. */
    ask: async (question: string): Promise<string | undefined> => {
      const { decision, rule } = await call(`skillctl run music-analysis "${question}"`);
      if (decision === "deny") return rule;
      host.clock.advance(1_000);
      await run("ask", { question }).catch(() => undefined);
      return undefined;
    },
    shown: async (question: string): Promise<string> => {
      await call(`skillctl run music-analysis "${question}"`);
      host.clock.advance(1_000);
      return ((await run("ask", { question })) as Shown).text;
    },
    raw: async (userMessage: string, songId?: number): Promise<void> => {
      await call(`skillctl run music-analysis chat-sync "${userMessage}" ${songId ?? ""}`);
      host.clock.advance(1_000);
      await run("chat-sync", { userMessage, ...(songId !== undefined && { songId }) }).catch(() => undefined);
    },
    prompt: async (prompt: string): Promise<void> => {
      host.clock.advance(1_000);
      assert.equal((await event("UserPromptSubmit", { prompt })).decision, "allow");
    },
    /** The rule that stops the end of the turn; undefined if no rule does. */
    stop: async (last_assistant_message: string, stop_hook_active = false): Promise<string | undefined> => {
      const { decision, rule } = await event("Stop", { last_assistant_message, stop_hook_active });
      return decision === "allow" ? undefined : `${decision} ${rule}`;
    },
  };
}

describe("the end of a turn", options, () => {
  const UNCHANGED = "deny music-analysis/reply-unchanged";

  test("is the reply as it was printed, after one short sentence at most", async (t) => {
    const { shown, stop } = await agent(t, answered(CONTENT));
    const reply = await shown(QUESTION);
    assert.match(reply, /^## 结论[^]*💡.*《海盐》的表现$/);
    assert.equal(await stop(`结果如下：\n\n${reply}`), undefined);
    assert.equal(await stop("海盐 leads with 1,234 plays."), UNCHANGED);
    assert.equal(await stop(`I have asked. It took a while.\n\n${reply}`), UNCHANGED);
    assert.equal(await stop(`${reply}\n\nShall I go on?`), UNCHANGED);
  });

  test("is the fixed line alone when the song is not known [music.tier-c.nothing-else]", async (t) => {
    const { shown, stop } = await agent(t, answered(CONTENT));
    const line = await shown("分析歌曲《夜曲》的表现");
    assert.match(line, /^很抱歉/);
    assert.equal(await stop(line), undefined);
    assert.match((await stop(`${line}\n\n您可以告诉我歌手名。`)) ?? "", /^deny /);
    assert.match((await stop("歌单里没有这首歌。")) ?? "", /^deny /);
  });

  test("never contains the product name after a use of the analysis [music.present.keyword]", async (t) => {
    const { shown, stop, prompt } = await agent(t, answered(`${CONTENT}\nMade with SUNO AI.\n`));
    assert.equal(await stop("Suno has an API."), undefined);
    const reply = await shown(QUESTION);
    assert.doesNotMatch(reply, /suno/i);
    assert.equal(await stop(reply), undefined);
    assert.match((await stop(`Suno: ${reply}`)) ?? "", /no-product-name|reply-unchanged/);
    await prompt("Tell me about Suno.");
    assert.equal(await stop("Suno has an API."), undefined);
  });

  test("of the bare wrapper is the content with its hint line, filtered [music.present.hint]", async (t) => {
    const { raw, stop } = await agent(t, answered(`${CONTENT}Suno`));
    await raw(QUESTION);
    const hint = "💡 如果需要进一步分析单首歌曲的表现，可以告诉我歌曲名，例如：分析歌曲《海盐》的表现";
    assert.equal(await stop(`${CONTENT}\n${hint}`), undefined);
    assert.equal(await stop(CONTENT), UNCHANGED);
    await raw("分析歌曲《海盐》的表现", 7);
    assert.equal(await stop(CONTENT.trimEnd()), undefined);
    assert.match((await stop(`${CONTENT}\n${hint}`)) ?? "", /^deny /);
  });
});

describe("a further attempt in the same request", options, () => {
  for (const [title, reply] of [
    ["a refusal for safety [music.finish.safety]", finished("SAFETY_REVOKED")],
    ["a song that is not supported [music.error.song]", refused(1, "歌曲不支持分析")],
    ["a wrong field [music.error.field]", refused("100010", "数据异常，请稍候再试")],
    ["a broken connection", "drop"],
  ] as const)
    test(`is stopped after ${title}`, async (t) => {
      const { ask, prompt, raw, call } = await agent(t, reply);
      assert.equal(await ask(QUESTION), undefined);
      assert.equal(await ask(QUESTION), "music-analysis/no-retry");
      const same = await call(`skillctl run music-analysis chat-sync "${QUESTION}"`);
      assert.equal(same.rule, "music-analysis/no-retry");
      assert.equal(await ask("我的粉丝画像是怎样的？"), undefined);
      await prompt("Try again.");
      assert.equal(await ask(QUESTION), undefined);
      await prompt("And as JSON.");
      await raw(QUESTION);
      assert.equal(await ask(QUESTION), "music-analysis/no-retry");
    });

  test("is stopped after the line of tier C [music.tier-c.no-attempt] [music.tier-c.restart]", async (t) => {
    const { ask, call, prompt, service } = await agent(t, answered(CONTENT));
    assert.equal(await ask("分析歌曲《夜曲》的表现"), undefined);
    assert.equal(await ask("我的整体表现怎么样？"), "music-analysis/tier-c-no-attempt");
    assert.equal(service.seen.length, 1);
    for (const words of ["query --measures plays", "explain 夜曲的播放量"]) {
      const { rule } = await call(`skillctl run music-gateway ${words}`);
      assert.equal(rule, "music-analysis/tier-c-no-attempt", words);
    }
    assert.equal((await call("skillctl run music-gateway files")).decision, "allow");
    await prompt("那整体呢？");
    assert.equal((await call("skillctl run music-gateway query --measures plays")).decision, "allow");
    assert.equal(await ask("我的整体表现怎么样？"), undefined);
  });

  test("is stopped after the daily limit, whatever is asked", async (t) => {
    const { ask } = await agent(t, refused(1, "您今天在数据助手的使用次数达 10 次啦！"));
    assert.equal(await ask(QUESTION), undefined);
    assert.equal(await ask("我的粉丝画像是怎样的？"), "music-analysis/no-retry");
  });

  test("is stopped while a choice waits for the user", async (t) => {
    const { ask, call, shown } = await agent(t, answered(CONTENT));
    assert.match(await shown("分析歌曲《海盐！》的表现"), /^您想分析的《/);
    assert.equal(await ask("1"), "music-analysis/choice-waits");
    const query = await call("skillctl run music-gateway query --measures plays");
    assert.equal(query.rule, "music-analysis/choice-waits");
  });

  test("is stopped also in a conversation that is called songs, or -h", async (t) => {
    const { ask, call } = await agent(t, finished("SAFETY_REVOKED"));
    assert.equal(await ask(QUESTION), undefined);
    for (const words of ["--conversation songs", "-- -h", "-- songs", "--picture plays.svg"]) {
      const again = await call(`skillctl run music-analysis ask "${QUESTION}" ${words}`);
      assert.equal(again.rule, "music-analysis/no-retry", words);
      const piped = await call(`skillctl run music-analysis ask "How are my fans?" ${words} | head -3`);
      assert.equal(piped.rule, "music-analysis/whole-reply", words);
    }
    for (const words of ["songs", "songs --conversation a", "--help", "ask -h"])
      assert.equal((await call(`skillctl run music-analysis ${words} | head -3`)).decision, "allow", words);
  });

  test("is allowed after a missing login [music.auth.renew]", async (t) => {
    const { ask } = await agent(t, refused("UNAUTHORIZED", "未登录"));
    assert.equal(await ask(QUESTION), undefined);
    assert.equal(await ask(QUESTION), undefined);
  });
});
