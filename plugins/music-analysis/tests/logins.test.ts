/** A token that the service does not accept: at most one new login in a user request. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Wiring } from "skillctl";
import { builtinSkills } from "skillctl/skills";
import { createTestHost } from "skillctl/testing";
import { ANALYSIS_SERVICE, type AnalysisService } from "../../ports.ts";
import { fixtureSkill } from "../../../core/testing/fixture-skills.ts";
import { FakeService, finished, refused, type FakeReply } from "../../../contract-tests/fake-service.ts";
import { BODY, FakeLogin, TOKEN, failureOf, skillsWith, withMusic } from "./host.ts";
import { ENDINGS, SHOWN, UPSTREAM, testRows, type Row } from "./table.ts";

const { BUSY, LOGIN } = ENDINGS;

const NO_LOGIN = refused("UNAUTHORIZED", BODY);

/** The reply of the service to an unknown token. */
const REFUSALS: readonly (readonly [title: string, reply: FakeReply])[] = [
  ["the code [music.auth.renew]", NO_LOGIN],
  ["the status 401 with a page", { status: 401, headers: { "content-type": "text/html" }, body: BODY }],
  ["the message 未登录", refused(4001, "用户未登录")],
  ["the message 未知用户", refused("4002", "未知用户")],
  ["the message not logged in", refused(4004, "User is Not Logged In")],
  ["the message unlogged", refused(4006, "unlogged user")],
];

const LOGINS: readonly Row[] = [
  ...REFUSALS.map(([title, reply]): Row => ({
    title: `not logged in, by ${title}: one new login, one more request`,
    script: [reply, SHOWN],
    requests: 2,
    logins: 1,
  })),
  { title: "refused with the new token too", script: [NO_LOGIN], requests: 2, logins: 1, ending: LOGIN },
  {
    title: "no new login is available",
    script: [NO_LOGIN, SHOWN],
    requests: 1,
    logins: 1,
    tokens: [TOKEN],
    ending: LOGIN,
  },
  {
    title: "each kind once: login, then UPSTREAM_ERROR, then shown",
    script: [NO_LOGIN, UPSTREAM, SHOWN],
    requests: 3,
    logins: 1,
  },
  {
    title: "each kind once: UPSTREAM_ERROR, login, UPSTREAM_ERROR",
    script: [UPSTREAM, NO_LOGIN, UPSTREAM, SHOWN],
    requests: 3,
    logins: 1,
    ending: BUSY,
  },
];

testRows("login", LOGINS);

test("without a person at the surface the login is not interactive, and it ends with the call", () =>
  withMusic([NO_LOGIN, SHOWN], async ({ host, login }) => {
    const { signal } = new AbortController();
    const input = { question: "我的播放量" };
    const said: string[] = [];
    const progress = (sentence: string): void => void said.push(sentence);
    await host.run({ skill: "music-analysis", command: "ask", input, signal, progress });
    const [wait] = login.waits;
    assert.deepEqual([wait?.interactive, wait?.signal === signal], [false, true]);
    wait?.progress("The login goes on.");
    assert.ok(said.includes("The login goes on."));
  }));

test("without a login skill the user is asked to install it, and nothing is sent [music.auth.install]", async () => {
  const service = await FakeService.start(SHOWN);
  const skills = builtinSkills().filter(({ manifest }) => manifest.name !== "login-proxy");
  const host = await createTestHost({ skills, variables: { SVC_BASE_URL: service.url } });
  try {
    const error = await failureOf(host.run({ skill: "music-analysis", input: { question: "我的播放量" } }));
    assert.equal(error.code, "PORT_MISSING");
    assert.match(error.hint ?? "", /^Install the login skill/);
    assert.equal(service.seen.length, 0);
  } finally {
    await host.close();
    await service.close();
  }
});

test("chat-sync sends one request: no new login and no retry", async () => {
  for (const reply of [NO_LOGIN, finished("UPSTREAM_ERROR")])
    await withMusic([reply, SHOWN], async ({ service, login, chatSync }) => {
      await chatSync({ userMessage: "我的播放量" }).catch((caught: unknown) =>
        assert.ok(caught instanceof Error),
      );
      assert.deepEqual([service.seen.length, login.renewals.length], [1, 0]);
    });
});

test("the embedded service's refusal never brings the user's own token to it", async () => {
  const service = await FakeService.start(NO_LOGIN, SHOWN);
  class Embedded implements AnalysisService {
    readonly endpoint = async () => ({
      baseUrl: service.url,
      token: "own",
      account: "a",
      notice: "Embedded.",
    });
  }
  const code = { wire: ({ single }: Wiring) => single(ANALYSIS_SERVICE, Embedded) };
  const login = new FakeLogin();
  const skills = skillsWith(login).filter(({ manifest }) => manifest.name !== "music-gateway");
  const host = await createTestHost({
    skills: [...skills, fixtureSkill("memory-service", { provides: ["analysis-service"], code })],
  });
  try {
    await host.run({ skill: "music-analysis", input: { question: "我的播放量" } }).catch(() => undefined);
    assert.deepEqual(
      service.seen.map(({ headers: all }) => all["svc-header-token"]).filter((token) => token !== "own"),
      [],
    );
  } finally {
    await host.close();
    await service.close();
  }
});
