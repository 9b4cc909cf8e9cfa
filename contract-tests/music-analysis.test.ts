import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SkillError } from "skillctl";
import { createTestHost, type TestHost } from "skillctl/testing";
import { builtinSkills } from "skillctl/skills";
import { FakeService, answered, refused, type FakeReply } from "./fake-service.ts";

const TOKEN = "canary-token-5f2b9c";
const HINT = "💡 如果需要进一步分析单首歌曲的表现，可以告诉我歌曲名，例如：分析歌曲《歌曲名》的表现";
const SONGS =
  "| 歌曲名 | songId | 播放量 |\n|---|---|---|\n| 《海盐》 | 7 | 100 |\n| 《风筝》 | 8 | 300 |\n| 《风筝》(Live) | 9 | 20 |\n";

interface Shown {
  readonly text: string;
  readonly kind: string;
  readonly requests: number;
  readonly candidates?: readonly string[];
}

async function withService<T>(
  script: readonly FakeReply[],
  action: (service: FakeService, host: TestHost) => Promise<T>,
  config: Readonly<Record<string, unknown>> = {},
): Promise<T> {
  const service = await FakeService.start(...script);
  const variables = { SVC_BASE_URL: `${service.url}/openapi/`, SVC_HEADER_TOKEN: TOKEN };
  const host = await createTestHost({ skills: builtinSkills(), variables, config });
  try {
    return await action(service, host);
  } finally {
    await host.close();
    await service.close();
  }
}

const ask = (host: TestHost, question: string): Promise<Shown> =>
  host.run({ skill: "music-analysis", input: { question } }) as Promise<Shown>;
const bodies = (service: FakeService): unknown[] =>
  service.seen.map(({ body }) => JSON.parse(body) as unknown);

test("an account-wide question goes out once, to the fixed path, with the header and exactly one field", () =>
  withService([answered("## 结论")], async (service, host) => {
    const question = "  最近30天我的播放量怎么样？ ";
    const shown = await ask(host, question);
    assert.equal(shown.text, `## 结论\n\n${HINT}`);
    assert.equal(service.seen.length, 1);
    const [seen] = service.seen;
    assert.equal(`${seen?.method} ${seen?.url}`, "POST /openapi/v1/musician/data/agent/chat-sync");
    assert.equal(seen?.headers["svc-header-token"], TOKEN);
    assert.match(seen?.headers["content-type"] ?? "", /^application\/json/);
    assert.deepEqual(bodies(service), [{ userMessage: question }]);
  }));

test("a song that is named exactly is asked about with its id, after one overall question that is not shown", () =>
  withService([answered(SONGS), answered("海盐的表现")], async (service, host) => {
    const shown = await ask(host, "分析《 海盐 》的表现");
    assert.equal(shown.text, "海盐的表现");
    assert.deepEqual([shown.kind, shown.requests], ["song", 2]);
    assert.deepEqual(bodies(service), [
      { userMessage: "看看我的整体歌曲表现" },
      { userMessage: "分析《 海盐 》的表现", songId: 7 },
    ]);
  }));

test("a similar name becomes the fixed question, and no call with an id is made", () =>
  withService([answered(SONGS)], async (service, host) => {
    const shown = await ask(host, "分析《海盐！》的表现");
    assert.equal(
      shown.text,
      "没有找到与《海盐！》完全一样的歌曲，您是想分析以下哪一首呢？\n\n1. 《海盐》\n\n请回复歌曲名或前面的编号；如果都不是，也可以告诉我“都不是”。",
    );
    assert.deepEqual(service.seen.length, 1);
  }));

test("a song that is not there gets the fixed line and nothing else", () =>
  withService([answered(SONGS)], async (service, host) => {
    const shown = await ask(host, "分析《星图》的表现");
    assert.equal(shown.text, "很抱歉，暂时不支持对《星图》这首歌进行数据分析，您可以尝试分析其他歌曲~");
    assert.deepEqual([shown.kind, service.seen.length], ["unsupported", 1]);
  }));

test("a pointer without a song in focus gets the fixed line; a known name beside it is the song", async () => {
  await withService([answered(SONGS)], async (_, host) => {
    const shown = await ask(host, "这首歌表现如何");
    assert.equal(shown.text, "很抱歉，暂时不支持对《该歌曲》这首歌进行数据分析，您可以尝试分析其他歌曲~");
    assert.equal(shown.requests, 1);
  });
  await withService([answered(SONGS), answered("海盐的表现")], async (service, host) => {
    assert.equal((await ask(host, "海盐这首歌怎么样")).text, "海盐的表现");
    assert.deepEqual(bodies(service)[1], { userMessage: "海盐这首歌怎么样", songId: 7 });
  });
});

test("a known name without marks is never answered for the whole account", () =>
  withService([answered(SONGS), answered("海盐的表现")], async (service, host) => {
    const shown = await ask(host, "海盐最近30天播放量");
    assert.deepEqual([shown.text, shown.kind, shown.requests], ["海盐的表现", "song", 2]);
    assert.deepEqual(bodies(service)[1], { userMessage: "海盐最近30天播放量", songId: 7 });
  }));

test("two exact songs get one call each; with one that is not exact none is made", async () => {
  await withService([answered(SONGS), answered("one"), answered("two")], async (service, host) => {
    assert.equal((await ask(host, "比较《海盐》和《海盐》《风筝》")).text.length > 0, true);
    assert.equal(service.seen.filter(({ body }) => body.includes("songId")).length, 2);
  });
  await withService([answered(SONGS)], async (service, host) => {
    assert.equal((await ask(host, "比较《海盐》和《星图》")).kind, "unsupported");
    assert.equal(service.seen.length, 1);
  });
});

const ROWS: readonly {
  readonly title: string;
  readonly script: readonly FakeReply[];
  readonly code?: string;
  readonly says?: RegExp;
  readonly requests: number;
}[] = [
  { title: "COMPLETE is shown", script: [answered("ok")], requests: 1 },
  {
    title: 'the code "0" is success',
    script: [{ body: JSON.stringify({ code: "0", data: { content: "ok", finishReason: "COMPLETE" } }) }],
    requests: 1,
  },
  {
    title: "UPSTREAM_ERROR is asked again once, then shown",
    script: [answered("", { finishReason: "UPSTREAM_ERROR" }), answered("ok")],
    requests: 2,
  },
  {
    title: "UPSTREAM_ERROR twice is busy",
    script: [answered("", { finishReason: "UPSTREAM_ERROR" })],
    code: "MUSIC_BUSY",
    says: /^服务繁忙，请稍后再试$/,
    requests: 2,
  },
  {
    title: "SAFETY_REVOKED is told, not retried",
    script: [answered("secret", { finishReason: "SAFETY_REVOKED" })],
    code: "MUSIC_SAFETY_REVOKED",
    says: /敏感内容/,
    requests: 1,
  },
  {
    title: "the safety flag counts like the reason",
    script: [answered("secret", { safetyRevoked: true })],
    code: "MUSIC_SAFETY_REVOKED",
    requests: 1,
  },
  {
    title: "TIMEOUT is told, not retried",
    script: [answered("", { finishReason: "TIMEOUT" })],
    code: "MUSIC_TIMEOUT",
    says: /耗时较长/,
    requests: 1,
  },
  {
    title: "a finish reason that is a property of every object is unknown too",
    script: [answered("secret", { finishReason: "constructor" })],
    code: "MUSIC_REPLY_BROKEN",
    requests: 1,
  },
  {
    title: "an unknown finish reason is a failure",
    script: [answered("secret", { finishReason: "PARTIAL" })],
    code: "MUSIC_REPLY_BROKEN",
    requests: 1,
  },
  {
    title: "the quota is told",
    script: [refused(5001, "您今天在数据助手的使用次数达 10 次啦！")],
    code: "MUSIC_QUOTA_REACHED",
    says: /^您今天的数据助手提问次数已达上限，欢迎明天再来~$/,
    requests: 1,
  },
  {
    title: "a blocked song is told",
    script: [refused(5002, "歌曲不支持分析")],
    code: "MUSIC_SONG_BLOCKED",
    says: /换一首试试/,
    requests: 1,
  },
  {
    title: "not logged in is told",
    script: [refused("UNAUTHORIZED", "未登录")],
    code: "MUSIC_LOGIN_NEEDED",
    requests: 1,
  },
  {
    title: "401 counts as not logged in",
    script: [{ status: 401, body: "{}" }],
    code: "MUSIC_LOGIN_NEEDED",
    requests: 1,
  },
  {
    title: "a parameter error is told",
    script: [refused(400, "userMessage 不能为空")],
    code: "MUSIC_PARAMETER",
    requests: 1,
  },
  {
    title: "100010 is told, not retried",
    script: [refused("100010", "数据异常，请稍候再试")],
    code: "MUSIC_FIELD_REFUSED",
    requests: 1,
  },
  {
    title: "100010 as a number counts too",
    script: [refused(100010, "数据异常，请稍候再试")],
    code: "MUSIC_FIELD_REFUSED",
    requests: 1,
  },
  {
    title: "an unknown code is a neutral error",
    script: [refused(-7, "secret")],
    code: "MUSIC_REFUSED",
    requests: 1,
  },
  {
    title: "a missing code is no success",
    script: [{ body: '{"data":{"content":"secret","finishReason":"COMPLETE"}}' }],
    code: "MUSIC_REPLY_BROKEN",
    requests: 1,
  },
  {
    title: "a redirect is not followed",
    script: [{ status: 307, headers: { location: "/elsewhere" }, body: "" }],
    code: "MUSIC_REPLY_BROKEN",
    requests: 1,
  },
  {
    title: "another content type is refused",
    script: [{ headers: { "content-type": "text/html" }, body: "<b>secret</b>" }],
    code: "MUSIC_REPLY_BROKEN",
    requests: 1,
  },
  { title: "a list is refused", script: [{ body: "[]" }], code: "MUSIC_REPLY_BROKEN", requests: 1 },
  {
    title: "broken JSON leaves the outcome open",
    script: [{ body: '{"code":0,"data":{"content":"secret' }],
    code: "MUSIC_OUTCOME_UNKNOWN",
    requests: 1,
  },
  {
    title: "a connection that breaks after the request leaves the outcome open",
    script: ["drop"],
    code: "MUSIC_OUTCOME_UNKNOWN",
    requests: 1,
  },
  {
    title: "half an answer leaves the outcome open",
    script: ["half"],
    code: "MUSIC_OUTCOME_UNKNOWN",
    requests: 1,
  },
];

for (const { title, script, code, says, requests } of ROWS) {
  test(`the service's outcomes: ${title}`, () =>
    withService(script, async (service, host) => {
      const outcome = await ask(host, "我的播放量").then(
        () => undefined,
        (caught: unknown) => caught,
      );
      if (code === undefined) assert.equal(outcome, undefined);
      else {
        assert.ok(outcome instanceof SkillError, String(outcome));
        assert.equal(outcome.code, code);
        if (says) assert.match(outcome.message, says);
        const everything = `${outcome.message} ${outcome.hint} ${outcome.stack} ${String(outcome.cause)}`;
        assert.doesNotMatch(everything, new RegExp(`secret|${TOKEN}`));
      }
      assert.equal(service.seen.length, requests);
    }));
}

test("what the embedded service answers fits the schema of the reply that music-analysis reads", async () => {
  const host = await createTestHost({ skills: builtinSkills() });
  try {
    for (const userMessage of ["最近30天我的播放量怎么样？", "Top songs, last 90 days", "我的歌曲排行"]) {
      const run = host.run({ skill: "music-analysis", command: "chat-sync", input: { userMessage } });
      const reply: unknown = JSON.parse(((await run) as { text: string }).text);
      const check = await host.host.schemas.check("music-analysis/chat-reply");
      assert.equal(check(reply), undefined);
    }
  } finally {
    await host.close();
  }
});

test("an English question is told in English", () =>
  withService([refused("QUOTA_EXCEEDED", "")], (_, host) =>
    assert.rejects(ask(host, "How are my plays?"), { message: /today's limit/ }),
  ));

test("chat-sync shows the reply as JSON with four spaces, and a refusal keeps the reply as result", async () => {
  await withService([answered("海盐 & <b>")], async (service, host) => {
    const input = { userMessage: "分析《海盐》", songId: 7 };
    const output = (await host.run({ skill: "music-analysis", command: "chat-sync", input })) as {
      text: string;
    };
    assert.match(output.text, /^\{\n {4}"code": 0,\n {4}"message": null,\n {4}"data": \{\n {8}"sessionId"/);
    assert.match(output.text, /海盐 & <b>/);
    assert.deepEqual(bodies(service), [input]);
  });
  await withService([refused("100010", "数据异常，请稍候再试")], async (_, host) => {
    const asked = host.run({
      skill: "music-analysis",
      command: "chat-sync",
      input: { userMessage: "我的播放量" },
    });
    const caught = await asked.catch((error: unknown) => error);
    assert.ok(caught instanceof SkillError);
    assert.equal(caught.code, "MUSIC_NOT_ACCEPTED");
    assert.match((caught.result as { text: string }).text, /"100010"/);
  });
});

test("a third field never reaches the service: the schema refuses it before a request is made", () =>
  withService([answered("ok")], async (service, host) => {
    for (const field of ["query", "sessionId", "uid", "excludeFraudulentPlays", "dataCaliber", "anything"]) {
      const input = { userMessage: "我的播放量", [field]: "x" };
      await assert.rejects(host.run({ skill: "music-analysis", command: "chat-sync", input }), {
        code: "INPUT_INVALID",
        pointer: `/${field}`,
      });
    }
    assert.equal(service.seen.length, 0);
  }));

test("the bare operation refuses a single-song question without an id", () =>
  withService([answered("ok")], async (service, host) => {
    const input = { userMessage: "分析《海盐》的表现" };
    await assert.rejects(host.run({ skill: "music-analysis", command: "chat-sync", input }), {
      code: "GUARD_DENIED",
    });
    assert.equal(service.seen.length, 0);
  }));

test("a token in the question is refused before a request is made", () =>
  withService([answered("ok")], async (service, host) => {
    const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJlLWJ5dGVz";
    await assert.rejects(ask(host, `我的播放量 ${jwt}`), { code: "GUARD_DENIED" });
    assert.equal(service.seen.length, 0);
  }));

test("any content without the product name is shown byte for byte before the hint line", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc
        .string({ unit: "binary", minLength: 1, maxLength: 200 })
        .filter((text) => !/s\s*u\s*n\s*o/i.test(text.normalize("NFKC"))),
      async (content) => {
        await withService([answered(content)], async (_, host) => {
          const shown = await ask(host, "我的播放量");
          assert.ok(shown.text.startsWith(content), JSON.stringify(content));
        });
      },
    ),
    { numRuns: 40 },
  );
});

test("the product name is removed in any case and reported on standard error; strict mode takes the bare letters", async () => {
  await withService([answered("Made with SUNO, not by Kusunoki.")], async (_, host) => {
    const shown = await ask(host, "我的播放量");
    assert.ok(shown.text.startsWith("Made with , not by Kusunoki."), shown.text);
    assert.match(host.log.notices.join("\n"), /1 product name was removed/);
  });
  await withService(
    [answered("Made with SUNO, not by Kusunoki.")],
    async (_, host) => assert.ok((await ask(host, "我的播放量")).text.startsWith("Made with , not by Kuki.")),
    { "music-analysis": { strictFilter: true } },
  );
});

test("a service that is not there is a network error that names the address, not an open outcome", async () => {
  const service = await FakeService.start();
  const gone = service.url;
  await service.close();
  const variables = { SVC_BASE_URL: gone, SVC_HEADER_TOKEN: TOKEN };
  const host = await createTestHost({ skills: builtinSkills(), variables });
  try {
    const caught = await ask(host, "我的播放量").catch((error: unknown) => error);
    assert.ok(caught instanceof SkillError);
    assert.equal(caught.code, "NETWORK_UNREACHED");
    assert.ok(caught.message.includes(gone), caught.message);
  } finally {
    await host.close();
  }
});

for (const [value, reason] of [
  ["http://music.example", "must begin with https"],
  ["https://music.example/other", "must be an origin"],
  ["https://user:pass@music.example", "no user or password"],
  ["nonsense", "is not an address"],
  ["ftp://127.0.0.1", "must begin with https"],
] as const) {
  test(`SVC_BASE_URL ${value} is refused: ${reason}`, async () => {
    const host = await createTestHost({
      skills: builtinSkills(),
      variables: { SVC_BASE_URL: value, SVC_HEADER_TOKEN: TOKEN },
    });
    try {
      const caught = await ask(host, "我的播放量").catch((error: unknown) => error);
      assert.ok(caught instanceof SkillError);
      assert.equal(caught.code, "CONFIG_INVALID");
      assert.ok(caught.message.includes(reason), caught.message);
    } finally {
      await host.close();
    }
  });
}

test("with an address but no token the error says how to log in", async () => {
  const host = await createTestHost({
    skills: builtinSkills(),
    variables: { SVC_BASE_URL: "https://music.example" },
  });
  try {
    await assert.rejects(ask(host, "我的播放量"), { code: "TOKEN_MISSING", message: /\.svc-login/ });
  } finally {
    await host.close();
  }
});
