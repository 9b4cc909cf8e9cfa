/** A token belongs to an origin (docs/login.md, The origin): it is sent there and nowhere else. Through the host and the command line. */
import assert from "node:assert/strict";
import { chmod, readFile } from "node:fs/promises";
import { after, before, beforeEach, test } from "node:test";
import { SkillError, type Http, type Person } from "skillctl";
import { nodePorts } from "skillctl/host";
import type { TestHost, TestHostOptions } from "skillctl/testing";
import { FakeService, answered, refused } from "../../../contract-tests/fake-service.ts";
import { SKILLS } from "../../../contract-tests/harness.ts";
import { say } from "../../music-gateway/tests/serving.ts";
import {
  CANARY,
  asked,
  lendingSkill,
  loginHost,
  piping,
  typing,
  writeCache,
  type ProgramScript,
} from "./login-harness.ts";

const OTHER = "canary-token-other-44d1";
const onPosix = { skip: process.platform === "win32" };
let service: FakeService;
/** Another service on the same machine. */
let thief: FakeService;

before(async () => {
  service = await FakeService.start(answered("shown"));
  thief = await FakeService.start(answered("stolen"));
  // The code of the skill's rules is slow the first time, and rules have little time.
  await using first = await ask(service.url, {});
  await first.question().catch(() => undefined);
});
beforeEach(() => {
  for (const { seen } of [service, thief]) seen.splice(0);
});
after(() => Promise.all([service.close(), thief.close()]));

interface OriginTestOptions extends TestHostOptions {
  readonly cached?: object;
  readonly acts?: ProgramScript;
}

/** Asks one question to a service, as the command line does. */
async function ask(to: string, around: OriginTestOptions, person: Person = piping("")) {
  const { cached, variables, ...options } = around;
  const test = await loginHost({ ...options, variables: { SVC_BASE_URL: to, ...variables } });
  if (cached) await writeCache(test.file, cached);
  return Object.assign(test, { question: () => question(test, person) });
}

const question = ({ run }: TestHost, person: Person): Promise<unknown> =>
  run({ skill: "music-analysis", command: "chat-sync", input: { userMessage: "q" }, surface: "cli", person });
const tokensAt = ({ seen }: FakeService) => seen.map(({ headers }) => headers["svc-header-token"]);
const kept = async (file: string) => JSON.parse(await readFile(file, "utf8")) as Record<string, unknown>;

async function refusal(outcome: Promise<unknown>): Promise<string> {
  const caught = (await outcome.catch((error: unknown) => error)) as SkillError;
  assert.equal(caught.code, "TOKEN_ELSEWHERE", String(caught));
  return `${caught.message}\n${caught.hint}`;
}

test("a token is sent to its own origin only, also on loopback and at a terminal", async () => {
  const cached = { token: CANARY, baseUrl: `${service.url}/openapi` };
  for (const person of [piping(""), typing("")]) {
    for (const to of [thief.url, service.url.replace("127.0.0.1", "localhost"), "https://music.example"]) {
      await using test = await ask(to, { cached }, person);
      const told = await refusal(test.question());
      assert.ok(told.includes(service.url) && told.includes(to) && !told.includes(CANARY), told);
    }
  }
  assert.deepEqual([tokensAt(service), tokensAt(thief)], [[], []]);
  await using test = await ask(service.url, { cached });
  await test.question();
  assert.deepEqual(tokensAt(service), [CANARY]);
});

test("a token without an origin is bound at a terminal to the first one, and refused for another", async () => {
  const cached = { token: CANARY, savedAt: 5, profile: "kept" };
  await using unattended = await ask(service.url, { cached });
  assert.match(await refusal(unattended.question()), /does not say which service[^]*Ask once at a terminal/);
  assert.deepEqual([tokensAt(service), await kept(unattended.file)], [[], cached]);
  await using test = await ask(service.url, { cached }, typing(""));
  await test.question();
  assert.deepEqual(tokensAt(service), [CANARY]);
  const { savedAt: _, ...bound } = await kept(test.file);
  assert.deepEqual(bound, { token: CANARY, baseUrl: service.url, profile: "kept" });
  assert.match(test.log.notices.join("\n"), /The login token is now kept for http:/);
  await using other = await ask(thief.url, { cached: await kept(test.file) }, typing(""));
  assert.match(await refusal(other.question()), /is sent nowhere else/);
  assert.deepEqual(tokensAt(thief), []);
});

test("a token without an origin is bound without a terminal if SVC_BASE_URL names a service on another machine", async () => {
  const { http } = nodePorts();
  const send: Http["send"] = (request) =>
    http.send({ ...request, url: request.url.replace("https://music.example", service.url) });
  const ports = { http: { ...http, send } };
  for (const cached of [{ token: CANARY }, { token: CANARY, savedAt: 5 }]) {
    await using test = await ask("https://music.example/openapi", {
      cached,
      ports,
      variables: { SVC_HEADER_TOKEN: "of-the-variable" },
    });
    await test.question();
    assert.equal((await kept(test.file))["baseUrl"], "https://music.example");
  }
  assert.deepEqual(tokensAt(service), [CANARY, CANARY]);
  await using loopback = await ask(service.url, { cached: { token: CANARY } });
  assert.match(await refusal(loopback.question()), /does not say which service/);
});

test("a token that cannot be bound is sent if the user's own configuration names the origin, but not at a terminal", async () => {
  const replace = async (path: string): Promise<void> => {
    throw new SkillError("FILE_UNWRITABLE", `${path} cannot be written.`);
  };
  const ports = { files: { ...nodePorts().files, replace } };
  await using test = await ask(service.url, { cached: { token: CANARY }, ports }, typing(""));
  await assert.rejects(test.question(), { code: "FILE_UNWRITABLE" });
  assert.deepEqual(tokensAt(service), []);
  const ownConfig = { "login-proxy": { origin: service.url } };
  await using own = await ask(service.url, { cached: { token: CANARY }, ports, ownConfig });
  await question(own, piping("")).catch(() => undefined);
  assert.deepEqual(tokensAt(service), [CANARY]);
});

test("the user's own configuration binds a token, that of a project does not", async () => {
  const cached = { token: CANARY };
  const origin = { "login-proxy": { origin: service.url } };
  await using project = await ask(service.url, { cached, config: origin });
  assert.match(await refusal(project.question()), /does not say which service/);
  await using elsewhere = await ask(thief.url, { cached, ownConfig: origin }, typing(""));
  assert.match(await refusal(elsewhere.question()), /is sent nowhere else/);
  await using test = await ask(service.url, { cached, ownConfig: origin });
  await test.question();
  assert.deepEqual([tokensAt(service), tokensAt(thief)], [[CANARY], []]);
  assert.equal((await kept(test.file))["baseUrl"], service.url);
});

test("the variable's token is sent to SVC_BASE_URL, unless a file keeps that token for another origin", async () => {
  const cached = { token: CANARY, baseUrl: service.url };
  await using same = await ask(thief.url, { cached, variables: { SVC_HEADER_TOKEN: CANARY } });
  await refusal(same.question());
  assert.deepEqual(tokensAt(thief), []);
  await using test = await ask(thief.url, { cached, variables: { SVC_HEADER_TOKEN: OTHER } });
  await test.question();
  assert.deepEqual([tokensAt(service), tokensAt(thief)], [[], [OTHER]]);
  assert.match(test.log.notices.join("\n"), /is sent nowhere else.* The token of SVC_HEADER_TOKEN is used\./);
});

test("a service that refuses a token receives no new token of another service or without an origin", async () => {
  let logins = 0;
  const quiet = async () => ({ value: `${CANARY}-${(logins += 1)}` });
  const skills = [...SKILLS, lendingSkill({ label: "memory", quiet })];
  const greedy = await FakeService.start(refused("UNAUTHORIZED", "未登录"));
  const run = { skill: "music-analysis", input: { question: "How are my plays?" } };
  try {
    const variables = { SVC_HEADER_TOKEN: OTHER };
    const cached = { token: CANARY, baseUrl: service.url };
    await using test = await ask(greedy.url, { cached, variables, skills });
    await assert.rejects(test.run(run), { code: "MUSIC_LOGIN_NEEDED", hint: /Set SVC_BASE_URL to/ });
    assert.deepEqual([logins, await kept(test.file)], [0, cached]);
    await using none = await ask(greedy.url, { variables, skills });
    await assert.rejects(none.run(run), { code: "MUSIC_LOGIN_NEEDED", hint: /Ask once at a terminal/ });
    assert.deepEqual([...new Set(tokensAt(greedy))], [OTHER]);
  } finally {
    await greedy.close();
  }
});

test("an unattended login does not change the origin of a token; a person's login does", async () => {
  const cached = { token: CANARY, baseUrl: service.url };
  const acts = { check: { out: OTHER }, login: { out: OTHER } };
  await using test = await ask(thief.url, { cached, acts });
  await refusal(asked(test, "login"));
  assert.deepEqual(await test.login.words(), []);
  await asked(test, "login", { mode: "refresh" });
  assert.deepEqual(
    [(await kept(test.file))["token"], (await kept(test.file))["baseUrl"]],
    [OTHER, service.url],
  );
  const { text } = await asked(test, "login", { mode: "device" }, { person: typing("") });
  assert.match(String(text), /It is sent to http:.* and nowhere else\./);
  assert.equal((await kept(test.file))["baseUrl"], thief.url);
});

test("a token that is piped in without a terminal does not change the origin", async () => {
  const paste = (test: TestHost, person: Person) => asked(test, "login", { mode: "paste" }, { person });
  await using bound = await ask(thief.url, { cached: { token: CANARY, baseUrl: service.url } });
  await refusal(paste(bound, piping(OTHER)));
  assert.equal((await kept(bound.file))["token"], CANARY);
  await paste(bound, piping(CANARY));
  assert.equal((await kept(bound.file))["baseUrl"], service.url);
  await paste(bound, typing(OTHER));
  assert.equal((await kept(bound.file))["baseUrl"], thief.url);
  assert.deepEqual(tokensAt(thief), []);
});

test(
  "a file that others can read is reported by status, and once on standard error by its users",
  onPosix,
  async () => {
    await using test = await ask(service.url, { cached: { token: CANARY, baseUrl: service.url } });
    await test.question();
    assert.deepEqual(test.log.notices, []);
    await chmod(test.file, 0o644);
    for (let time = 0; time < 2; time += 1) await test.question();
    assert.equal(test.log.notices.length, 1);
    assert.match(
      test.log.notices[0] ?? "",
      /Other users .* can read .*token\.json \(mode 644\): run chmod 600/,
    );
    const { text, warnings } = await asked(test, "status");
    assert.match(String(text), /Warning: Other users/);
    assert.equal((warnings as unknown[]).length, 1);
  },
);

test("every command refuses extra arguments and does not quote them, since they may be tokens", async () => {
  await using test = await loginHost();
  const login = ["status", "login", "check", "verify", "logout"].map((name) => ["login-proxy", name, CANARY]);
  const music = [
    ["music-analysis", "question", CANARY],
    ["music-analysis", "chat-sync", "question", CANARY],
    ["music-analysis", "chat-sync", "question", "12", CANARY],
    ["music-analysis", "songs", CANARY],
  ];
  for (const words of [["login-proxy", CANARY], ...login, ...music]) {
    const said = await say(["run", ...words], { home: test.environment.home });
    assert.ok([1, 64, 77].includes(said.status), `${words.join(" ")}: ${said.status}`);
    assert.ok(!`${said.out}${said.err}`.includes(CANARY), said.err);
    assert.match(said.err, /too many|must be a|Never pass a token as an argument|no command of that name/);
  }
});
