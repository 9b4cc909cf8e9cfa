/** The sources, destinations and display of the login token: through the host and the command line only. */
import assert from "node:assert/strict";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createTestHost, type TestHost } from "skillctl/testing";
import { AskingService } from "../../music-analysis/tests/asking-service.ts";
import { answered, refused } from "../../../contract-tests/fake-service.ts";
import { SKILLS } from "../../../contract-tests/harness.ts";
import {
  CANARY,
  FakeLogin,
  asked,
  jwtOf,
  lendingSkill,
  loginHost,
  piping,
  writeCache,
} from "./login-harness.ts";

const OLD = "canary-token-old-3c11";
const NEW = "canary-token-new-9d02";

/** All messages of a host and the output of a command. */
const saidOf = (test: TestHost, output: unknown): string =>
  [JSON.stringify(output), ...test.log.notices, ...test.log.details].join("\n");

test("the token of the cache file takes precedence over the variable, which replaces an invalid file", async () => {
  await using test = await loginHost({ variables: { SVC_HEADER_TOKEN: NEW } });
  assert.deepEqual(await asked(test, "check"), { token: NEW, source: "environment" });
  await writeCache(test.file, { token: OLD });
  assert.deepEqual(await asked(test, "check"), { token: OLD, source: "cache" });
  await writeFile(test.file, "{ broken");
  assert.deepEqual(await asked(test, "check"), { token: NEW, source: "environment" });
  assert.match(test.log.notices.join("\n"), /holds no usable token\. The token of SVC_HEADER_TOKEN is used/);
  await using bare = await loginHost();
  await assert.rejects(asked(bare, "check"), { code: "TOKEN_MISSING" });
});

test("a pasted token is kept without its quotes, readable by the user only, and not shown", async () => {
  await using test = await loginHost({ variables: { SVC_BASE_URL: "https://music.example/openapi" } });
  const output = await asked(test, "login", { mode: "paste" }, { person: piping(`"${CANARY}"\n`) });
  assert.ok(!saidOf(test, output).includes(CANARY));
  assert.match(String(output["text"]), /^You are logged in\. The token is in /);
  const kept = JSON.parse(await readFile(test.file, "utf8")) as object;
  assert.deepEqual(kept, {
    token: CANARY,
    savedAt: test.clock.now() / 1000,
    baseUrl: "https://music.example",
  });
  if (process.platform !== "win32") {
    assert.equal((await stat(test.file)).mode & 0o777, 0o600);
    assert.equal((await stat(join(test.file, ".."))).mode & 0o777, 0o700);
  }
  const refusal = asked(test, "login", { mode: "paste" }, { person: piping("two words") });
  await assert.rejects(refusal, { code: "LOGIN_PASTE_UNUSABLE" });
  assert.match(await readFile(test.file, "utf8"), new RegExp(CANARY));
});

test("status shows the token's location, owner and expiry, but neither the token nor the full name", async () => {
  const token = jwtOf({ sub: "ada.lovelace@example.org", exp: Date.parse("2026-07-03T12:00:00Z") / 1000 });
  await using test = await loginHost();
  await writeCache(test.file, { token, savedAt: 1_782_000_000 });
  const output = await asked(test, "status");
  const said = saidOf(test, output);
  assert.ok(!said.includes(token) && !said.includes("ada.lovelace"), said);
  assert.equal(output["source"], "cache");
  assert.equal(output["account"], "a***rg");
  assert.equal(output["expiresAt"], "2026-07-03T12:00:00.000Z");
  assert.match(String(output["text"]), /The login token is in .*token\.json/);
  assert.match(String(output["text"]), /expires in 2 days/);
});

test("logout removes the cache file and says that the variable will still be used", async () => {
  await using test = await loginHost({ variables: { SVC_HEADER_TOKEN: NEW } });
  await writeCache(test.file, { token: OLD });
  const { text, removed, environment } = await asked(test, "logout");
  assert.deepEqual([removed, environment], [true, true]);
  assert.match(String(text), /SVC_HEADER_TOKEN is still set/);
  await assert.rejects(stat(test.file), { code: "ENOENT" });
});

test("a login program receives no token in arguments or variables, and tokens in its output are masked", async () => {
  const jwt = jwtOf({ sub: "1234567890" });
  await using test = await loginHost({
    acts: {
      verify: { status: 0, out: '{"account":"Ada Lovelace"}' },
      login: { out: `${NEW}\n`, err: `Hello ${jwt}\n` },
    },
    variables: { SVC_HEADER_TOKEN: CANARY, SVC_BASE_URL: "https://music.example" },
  });
  const verified = await asked(test, "verify");
  const logged = await asked(test, "login", { mode: "device" });
  const [first] = await test.login.calls();
  assert.equal(first?.stdin, `${CANARY}\n`);
  assert.equal(first.variables["SVC_BASE_URL"], "https://music.example");
  for (const { args, variables } of await test.login.calls())
    assert.ok(!JSON.stringify([args, variables]).includes(CANARY));
  const said = saidOf(test, [verified, logged]);
  assert.match(said, /Hello \*\*\*/);
  for (const secret of [jwt, NEW, CANARY, "Lovelace"]) assert.ok(!said.includes(secret), said);
});

test("a login program is named by the user's own settings only: one of a project is refused, and does not run", async () => {
  await using place = await loginHost();
  const login = await FakeLogin.in(join(place.folder, "own"), { token: { out: "configured" } });
  const settings = { "login-proxy": { program: login.path } };
  for (const ownConfig of [undefined, { "login-proxy": { origin: "https://music.example" } }]) {
    await using project = await loginHost({ config: settings, ...(ownConfig && { ownConfig }) });
    for (const command of ["check", "login", "status"])
      await assert.rejects(asked(project, command), {
        code: "CONFIG_INVALID",
        message: /is named by the settings of a project/,
      });
  }
  assert.deepEqual(await login.words(), []);
  await using own = await loginHost({ config: { "login-proxy": { program: "/x" } }, ownConfig: settings });
  assert.equal((await asked(own, "check"))["token"], "configured");
});

test("simultaneous requests with a refused token cause one login, and all succeed", async () => {
  let logins = 0;
  let release = (): void => undefined;
  const refusedAll = new Promise<void>((settle) => (release = settle));
  let refusals = 0;
  const service = await AskingService.start((_body, token) => {
    if (token === NEW) return answered("shown");
    refusals += 1;
    if (refusals === 3) release();
    return refused("UNAUTHORIZED", "未登录");
  });
  const program = {
    label: "memory",
    quiet: async () => {
      logins += 1;
      await refusedAll;
      return { value: NEW };
    },
    interactive: () => assert.fail("No person may be asked."),
    verify: async () => undefined,
    forget: async () => undefined,
  };
  const skills = [...SKILLS, lendingSkill(program)];
  await using first = await createTestHost({ skills, variables: { SVC_BASE_URL: service.url } });
  const ports = { environment: first.environment };
  await using second = await createTestHost({ skills, ports });
  try {
    const cached = { token: OLD, baseUrl: service.url };
    await writeCache(join(first.environment.home, ".svc-login", "token.json"), cached);
    const ask = ({ run }: TestHost) =>
      run({ skill: "music-analysis", input: { question: "我的播放量怎么样？" } });
    const shown = await Promise.all([ask(first), ask(second), ask(first)]);
    for (const one of shown) assert.match((one as { readonly text: string }).text, /^shown/);
    assert.equal(logins, 1);
  } finally {
    await service.close();
  }
});
