/** The token is found nowhere outside the header of the one request: each way out is a row, and each search is tried. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { connect } from "../../../core/surfaces/mcp/tests/mcp-harness.ts";
import { disguisesOf, dressesOf, filesBelow, found } from "./canary.ts";
import { answered, refused, type ScriptedReply } from "../../../contract-tests/fake-service.ts";
import { BODY, SECOND_TOKEN, TOKEN } from "./host.ts";
import { atDesk, type Desk } from "./program.ts";

const SECRETS = [TOKEN, SECOND_TOKEN];
const SONGS = answered("| 歌曲名 | songId |\n|---|---|\n| 海盐 | 7 |\n| 风筝 | 8 |\n| 风筝 (Live) | 9 |\n", {
  sessionId: "a:b:1001:20260701",
});
/** An answer all of whose texts and field names repeat the header, in every way to write it. */
const SAID = disguisesOf(TOKEN);
const ECHO: ScriptedReply = {
  body: JSON.stringify({
    code: 0,
    message: TOKEN,
    [TOKEN]: { [TOKEN]: [TOKEN] },
    data: {
      sessionId: `a:b:${TOKEN}:20260701`,
      messageId: TOKEN,
      content: [
        ...SAID,
        "",
        "| 歌曲名 | songId | 播放量 | 版本 |",
        "|---|---|---|---|",
        ...SAID.map(
          (each, place) => `| ${each.replaceAll(/\s/g, "")} | ${place + 1} | ${place} | ${TOKEN} |`,
        ),
        `| 海盐 | 101 | 9 | ${TOKEN} |`,
        `| 海盐！ | 102 | 9 | ${TOKEN} |`,
      ].join("\n"),
      finishReason: "COMPLETE",
      safetyRevoked: false,
    },
  }),
};
const QUESTION = "我的播放量";
const isCache = (path: string): boolean => path.endsWith(join(".svc-login", "token.json"));

/** The output of a run on both streams. */
async function heard({ say }: Desk, ...words: readonly string[]): Promise<string> {
  const { out, err, status } = await say(words);
  return `${status}\n${out}\n${err}`;
}

const asks = (desk: Desk, ...words: readonly string[]): Promise<string> =>
  heard(desk, "run", "music-analysis", ...words);

/** Talks to the HTTP host of the program, started with --verbose; returns all its responses and output. */
async function served(desk: Desk, talk: (url: string) => Promise<readonly Response[]>): Promise<string> {
  const stop = new AbortController();
  let told: (url: string) => void = () => undefined;
  const url = new Promise<string>((resolve) => (told = resolve));
  const ended = desk.say(["serve", "--port", "0", "--no-key", "--verbose"], {
    signal: stop.signal,
    onOut: (out) => /^http:\S+\n/.test(out) && told(out.trim()),
  });
  const responses = await talk(await url);
  const bodies = await Promise.all(
    responses.map(async (response) => `${JSON.stringify([...response.headers])}\n${await response.text()}`),
  );
  stop.abort();
  const { out, err } = await ended;
  return [...bodies, out, err].join("\n");
}

const post = (url: string, body: unknown, accept = "application/json"): Promise<Response> =>
  fetch(`${url}/v1/skills/music-analysis/commands/ask`, {
    method: "POST",
    headers: { "content-type": "application/json", accept },
    body: JSON.stringify(body),
  });

/** A way by which the token could leak. */
interface Channel {
  readonly name: string;
  readonly script?: readonly ScriptedReply[];
  /** Everything that leaves by it. */
  readonly leaves: (desk: Desk) => Promise<string>;
}

const FAULTS: readonly (readonly [name: string, reply: ScriptedReply])[] = [
  ["a refused login", refused("UNAUTHORIZED", `not logged in: ${TOKEN}`)],
  ["a reply that repeats the header", refused(-1, TOKEN)],
  ["a code that repeats the header", refused(TOKEN, TOKEN)],
  ["a finish reason that repeats the header", answered(TOKEN, { finishReason: TOKEN })],
  [
    "a page that repeats the header",
    { status: 400, headers: { "content-type": "text/html", "x-echo": TOKEN }, body: TOKEN },
  ],
  ["a gateway's page", { status: 502, headers: { "content-type": "text/html" }, body: TOKEN }],
  ["half a document", { body: `{"code":0,"data":"${TOKEN}` }],
  [
    "a redirect that repeats the header",
    { status: 307, headers: { location: `http://127.0.0.1:1/${encodeURIComponent(TOKEN)}` }, body: "" },
  ],
];

const CHANNELS: readonly Channel[] = [
  { name: "ask", leaves: (desk) => asks(desk, QUESTION) },
  { name: "ask --json", leaves: (desk) => asks(desk, "--json", "--verbose", QUESTION) },
  { name: "ask about a song", leaves: (desk) => asks(desk, "--verbose", "分析《海盐》") },
  { name: "ask with a choice", leaves: (desk) => asks(desk, "--verbose", "分析《海盐！》") },
  { name: "ask in a conversation", leaves: (desk) => asks(desk, "--conversation", "c", "--json", QUESTION) },
  { name: "chat-sync", leaves: (desk) => asks(desk, "chat-sync", "--verbose", QUESTION) },
  { name: "songs", leaves: (desk) => asks(desk, "songs", "--refresh", "--json", "--verbose") },
  ...[
    [QUESTION],
    ["--json", "--verbose", QUESTION],
    ["--verbose", "分析《海盐》"],
    ["--json", "--verbose", "分析《海盐？》"],
    ["chat-sync", "--verbose", QUESTION],
    ["chat-sync", "--json", QUESTION],
    ["songs", "--refresh"],
    ["songs", "--refresh", "--json", "--verbose"],
  ].map((words): Channel => ({
    name: `${words.join(" ")}, where every text of the answer repeats the header`,
    script: [ECHO],
    leaves: (desk) => asks(desk, ...words),
  })),
  {
    name: "HTTP: answers that repeat the header, plain and as events",
    script: [ECHO],
    leaves: (desk) =>
      served(desk, async (url) => [
        await post(url, { question: QUESTION }),
        await post(url, { question: QUESTION }, "text/event-stream"),
        await post(url, { question: "分析《海盐？》" }),
      ]),
  },
  {
    name: "MCP: answers that repeat the header",
    script: [ECHO],
    leaves: async ({ folder, service }) => {
      const variables = { HOME: folder, SKILLCTL_STATE: join(folder, "state"), SVC_BASE_URL: service.url };
      await using server = await connect({ folder, variables });
      const results = [];
      for (const question of [QUESTION, "分析《海盐？》"])
        results.push(await server.client.callTool({ name: "music-analysis_ask", arguments: { question } }));
      return JSON.stringify(results);
    },
  },
  ...FAULTS.flatMap(([name, reply]): readonly Channel[] => [
    {
      name: `the failure after ${name}`,
      script: [reply],
      leaves: async (desk) =>
        (await asks(desk, "--verbose", QUESTION)) + (await asks(desk, "--json", "--verbose", QUESTION)),
    },
  ]),
  {
    name: "a token that cannot go into a header",
    leaves: async ({ say, folder }) => {
      await writeFile(join(folder, ".svc-login", "token.json"), JSON.stringify({ token: `${TOKEN} x` }));
      const { out, err } = await say(["run", "music-analysis", "--verbose", QUESTION]);
      return out + err;
    },
  },
  { name: "login-proxy status", leaves: (desk) => heard(desk, "run", "login-proxy", "status", "--verbose") },
  {
    name: "doctor, with the token as a variable too",
    leaves: async ({ say }) => {
      const { out, err } = await say(["doctor", "--verbose"], { variables: { SVC_HEADER_TOKEN: TOKEN } });
      return out + err;
    },
  },
  {
    name: "HTTP: answers, plain and as events",
    leaves: (desk) =>
      served(desk, async (url) => [
        await post(url, { question: QUESTION }),
        await post(url, { question: QUESTION }, "text/event-stream"),
        await post(url, { question: "分析《海盐！》" }),
      ]),
  },
  {
    name: "HTTP: problems",
    script: [refused("QUOTA_EXCEEDED", TOKEN), { body: `{"code":0,"data":"${TOKEN}` }, "drop"],
    leaves: (desk) =>
      served(desk, async (url) => [
        await post(url, { question: QUESTION }),
        await post(url, { question: QUESTION }),
        await post(url, { question: QUESTION }, "text/event-stream"),
        await post(url, { question: "" }),
      ]),
  },
  {
    name: "files of home, state, cache and working folder, but for the cache file",
    leaves: async (desk) => {
      await asks(desk, "--conversation", "c", "分析《风》");
      await asks(desk, "--conversation", "c", "1");
      await asks(desk, "songs", "--conversation", "c");
      return filesBelow(desk.folder, isCache);
    },
  },
  {
    name: "address and body of the request, and its other headers",
    leaves: async (desk) => {
      await asks(desk, "分析《海盐》");
      const others = desk.service.seen.map(({ headers: { "svc-header-token": sent, ...rest }, ...seen }) => {
        assert.equal(sent, TOKEN);
        return { ...seen, rawHeaders: [], bytes: seen.bytes.toString("latin1"), headers: rest };
      });
      assert.equal(others.length, 2);
      return JSON.stringify(others);
    },
  },
];

for (const { name, script = [SONGS], leaves } of CHANNELS)
  test(`the token does not leave by: ${name}`, () =>
    atDesk(script, async (desk) => {
      const text = await leaves(desk);
      assert.ok(text.length > 0);
      assert.deepEqual(found(text, SECRETS), [], text);
    }));

test("the search finds a token in every encoding, and in a deliberate leak", () =>
  atDesk([SONGS], async (desk) => {
    for (const dress of dressesOf(TOKEN))
      assert.ok(found(`before ${dress} after`, SECRETS).length > 0, dress);
    for (const around of ["", "a", "ab", "abc"])
      for (const coding of ["base64", "base64url", "hex"] as const)
        assert.ok(
          found(Buffer.from(`${around}${TOKEN}${around}`).toString(coding), SECRETS).length > 0,
          coding,
        );
    assert.deepEqual(found(BODY, SECRETS), []);
    assert.ok(found(await heard(desk, "run", "login-proxy", "check"), SECRETS).length > 0);
    assert.ok(found(await filesBelow(desk.folder, () => false), SECRETS).length > 0);
    assert.ok(
      found(await served(desk, async (url) => [new Response(`${url} ${TOKEN}`)]), SECRETS).length > 0,
    );
  }));
