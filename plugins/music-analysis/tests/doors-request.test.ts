/** The requests that a question sends, through the command line and the host. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { HttpRequest } from "skillctl";
import { answered, refused } from "../../../contract-tests/fake-service.ts";
import { filesBelow } from "./canary.ts";
import { SECOND_TOKEN, TOKEN, failureOf, withMusic } from "./host.ts";
import { atDesk } from "./program.ts";

const QUESTION = "最近30天我的播放量怎么样？";
const SONGS = "| 歌曲名 | songId |\n|---|---|\n| 海盐 | 7 |\n| 风筝 | 8 |\n";
const PATH = "/openapi/v1/musician/data/agent/chat-sync";
const NOT_LOGGED_IN = refused("UNAUTHORIZED", "未登录");

test("a question is one POST to the fixed path with the token's header and two fields at most [music.service.question] [music.endpoint.address] [music.endpoint.header]", () =>
  withMusic([answered(SONGS), answered("about the song")], async ({ ask, service }) => {
    await ask("分析歌曲《海盐》的表现");
    const [first, second] = service.seen;
    assert.equal(service.seen.length, 2);
    for (const request of [first, second]) {
      assert.equal(`${request?.method} ${request?.url}`, `POST ${PATH}`);
      assert.equal(request?.headers["content-type"], "application/json");
      assert.equal(request?.headers["svc-header-token"], TOKEN);
      assert.equal(request?.headers["authorization"], undefined);
      assert.equal(request?.headers["cookie"], undefined);
    }
    assert.equal(first?.body, '{"userMessage":"看看我的整体歌曲表现"}');
    assert.equal(second?.body, '{"userMessage":"分析歌曲《海盐》的表现","songId":7}');
  }));

test("a request has 260 seconds and 8 MiB [music.limit.time]", async () => {
  const sent: HttpRequest[] = [];
  await withMusic([answered("shown")], ({ ask }) => ask(QUESTION), {
    network: (real) => ({
      send: (request) => {
        sent.push(request);
        return real.send(request);
      },
    }),
  });
  assert.deepEqual(
    sent.map(({ timeoutMs, maxBytes }) => [timeoutMs, maxBytes]),
    [[260_000, 8 * 1024 * 1024]],
  );
});

test("a request of a user logs in once at most, and a second refusal is reported", () =>
  withMusic([NOT_LOGGED_IN, answered(SONGS), NOT_LOGGED_IN], async ({ ask, service, login }) => {
    assert.equal((await failureOf(ask("分析歌曲《海盐》的表现"))).code, "MUSIC_LOGIN_NEEDED");
    assert.deepEqual(login.renewals, [TOKEN]);
    assert.deepEqual(
      service.seen.map(({ headers }) => headers["svc-header-token"]),
      [TOKEN, SECOND_TOKEN, SECOND_TOKEN],
    );
  }));

test("a page with the status 401 counts as an expired login", () =>
  withMusic(
    [{ status: 401, headers: { "content-type": "text/html" }, body: "<h1>No</h1>" }, answered("shown")],
    async ({ ask, login }) => {
      assert.match((await ask(QUESTION)).text, /^shown/);
      assert.deepEqual(login.renewals, [TOKEN]);
    },
  ));

test("the token is in no file of the state and in no output", () =>
  atDesk([answered(SONGS), "drop", NOT_LOGGED_IN], async ({ folder, say, service }) => {
    for (let time = 0; time < 3; time += 1) {
      const { out, err } = await say([
        "run",
        "music-analysis",
        "--verbose",
        "--conversation",
        "talk",
        QUESTION,
      ]);
      assert.ok(!`${out}${err}`.includes(TOKEN), `${out}${err}`);
    }
    assert.equal(service.seen.length, 3);
    const texts = await filesBelow(folder, (path) => path.includes(".svc-login"));
    assert.match(texts, /music-analysis-conversations/);
    assert.ok(!texts.includes(TOKEN), texts);
  }));

test("an address that is neither encrypted nor of this machine gets no request", () =>
  atDesk([], async ({ say }) => {
    const variables = { SVC_BASE_URL: "http://music.example" };
    const said = await say(["run", "music-analysis", QUESTION], { variables });
    assert.equal(said.status, 78, said.err);
    assert.match(said.err, /SVC_BASE_URL must start with https/);
  }));

test("chat-sync prints the reply with four spaces, and refuses a song's question without its id [music.wrapper.forms] [music.response.data] [music.tier-c.no-fallback]", () =>
  withMusic([answered("raw")], async ({ chatSync, service }) => {
    const { text } = await chatSync({ userMessage: "分析歌曲《海盐》的表现", songId: 7 });
    assert.equal(text, JSON.stringify(JSON.parse(answered("raw").body), null, 4));
    assert.deepEqual(service.bodies, [{ userMessage: "分析歌曲《海盐》的表现", songId: 7 }]);
    const refusal = await failureOf(chatSync({ userMessage: "分析歌曲《海盐》的表现" }));
    assert.equal(refusal.code, "GUARD_DENIED");
    assert.equal(service.seen.length, 1);
  }));
