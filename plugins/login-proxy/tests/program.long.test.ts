/** How login programs are found and spoken to (docs/login.md, Login programs and Protocol), with real executables. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { ProgramRun } from "skillctl";
import { nodePorts, type HostedSkill } from "skillctl/host";
import type { TestHost } from "skillctl/testing";
import { fixtureCommand, fixtureSkill } from "../../../core/testing/fixture-skills.ts";
import { ACCESS_TOKENS, type AccessTokens, type LoginProgram, type LoginWait } from "../../ports.ts";
import { SKILLS } from "../../../contract-tests/harness.ts";
import {
  CANARY,
  FakeLogin,
  asked,
  lendingSkill,
  loginHost,
  printOf,
  typing,
  writeCache,
  type ProgramScript,
} from "./login-harness.ts";

/** The service that a new token is asked for. */
const ORIGIN = "https://music.example";

/** A skill that borrows the token: its command asks for a token other than `failed` and returns it. */
function renewer(failed: string, wait: LoginWait): HostedSkill {
  class Renew {
    static readonly inject = [ACCESS_TOKENS];
    constructor(readonly tokens: AccessTokens) {}
    readonly run = async (): Promise<object> => {
      const { value, source } = await this.tokens.renew(ORIGIN, failed, wait);
      return { token: value, source };
    };
  }
  const [input, output] = ["login-proxy/check-input", "login-proxy/check-output"];
  return fixtureSkill("renewer", {
    requires: { "access-tokens": "required" },
    commands: { renew: fixtureCommand("renewer", { input, output, default: true }) },
    code: { commands: { renew: Renew } },
  });
}

const tokenIn = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, "utf8")) as unknown;

const notices = (test: TestHost): string => test.log.notices.join("\n");

describe("check", () => {
  const found = { token: CANARY, source: "login" };
  const rows: readonly (readonly [title: string, acts: ProgramScript, words: readonly string[]])[] = [
    ["asks the token API first", { token: { out: CANARY } }, ["token"]],
    ["takes the last line of standard output", { token: { out: `chatter\n${CANARY}\n\n` } }, ["token"]],
    ["then asks the check command", { check: { out: CANARY } }, ["token", "check --no-login"]],
    [
      "ignores the output of a program that fails",
      { token: { out: "half", status: 1 }, check: { out: CANARY } },
      ["token", "check --no-login"],
    ],
  ];
  test("asks the token API, then the check command, and keeps the last line of the output", async () => {
    for (const [title, acts, words] of rows) {
      await using test = await loginHost({ acts, variables: { SVC_HEADER_TOKEN: "variable" } });
      await writeCache(test.file, { token: "cached", baseUrl: ORIGIN });
      assert.deepEqual(await asked(test, "check"), found, title);
      assert.deepEqual(await test.login.words(), words, title);
      const { token, baseUrl } = (await tokenIn(test.file)) as { token: string; baseUrl: string };
      assert.deepEqual([token, baseUrl], [CANARY, ORIGIN], title);
    }
  });
});

describe("a login program is found", () => {
  const lent = (value: string): LoginProgram => ({
    label: "the sibling",
    quiet: async () => ({ value, baseUrl: "https://sibling.example" }),
    interactive: async () => ({ value }),
    verify: async () => undefined,
    forget: async () => undefined,
  });

  test("by configuration, before a sibling skill and PATH; its own arguments come first", async () => {
    await using place = await loginHost();
    const own = await FakeLogin.in(join(place.folder, "own"), { token: { out: "configured" } });
    const ownConfig = { "login-proxy": { program: [own.path, "--profile", "music"] } };
    await using test = await loginHost({
      ownConfig,
      skills: [...SKILLS, lendingSkill(lent("lent"))],
      acts: { token: { out: "path" } },
    });
    assert.equal((await asked(test, "check"))["token"], "configured");
    assert.deepEqual(await own.words(), ["--profile music token"]);
    assert.equal((await asked(test, "status"))["program"], `login program (${own.path})`);
    assert.deepEqual(await test.login.words(), []);
  });

  test("then in a sibling skill that provides one, then on PATH, before the device login", async () => {
    const config = { "login-proxy": { oauth: { issuer: "https://id.example", clientId: "c" } } };
    const skills = [...SKILLS, lendingSkill(lent("lent"))];
    await using sibling = await loginHost({ skills, config, acts: { token: { out: "path" } } });
    assert.equal((await asked(sibling, "check"))["token"], "lent");
    assert.equal((await asked(sibling, "status"))["program"], "the sibling");
    await using test = await loginHost({ config, acts: { token: { out: "path" } } });
    assert.equal((await asked(test, "status"))["program"], `login program (${test.login.path})`);
    await using device = await loginHost({ config });
    assert.equal((await asked(device, "status"))["program"], "device login (https://id.example)");
  });

  test("a relative path is refused, and a missing program is reported", async () => {
    await using relative = await loginHost({ ownConfig: { "login-proxy": { program: "bin/svc-login" } } });
    await assert.rejects(asked(relative, "check"), { code: "CONFIG_INVALID" });
    await using gone = await loginHost({ ownConfig: { "login-proxy": { program: "/nowhere/svc-login" } } });
    await assert.rejects(asked(gone, "check"), {
      code: "PROGRAM_FAILED",
      message: /nowhere\/svc-login .*ENOENT/,
    });
  });
});

describe("login with a program", () => {
  test("renews a token with --mode refresh without asking a person", async () => {
    await using test = await loginHost({ acts: { check: { out: CANARY }, login: { out: "asked" } } });
    assert.equal(
      (await asked(test, "login", { mode: "refresh" }, { person: typing("") }))["mode"],
      "refresh",
    );
    await test.login.plays({ login: { out: "asked" } });
    const refused = asked(test, "login", { mode: "refresh" }, { person: typing("") });
    await assert.rejects(refused, { code: "LOGIN_REQUIRED" });
    assert.ok(!(await test.login.words()).some((words) => words.startsWith("login")));
  });

  const ends: readonly (readonly [status: number, out: string, code: string])[] = [
    [77, "", "LOGIN_REFUSED"],
    [75, "", "LOGIN_EXPIRED"],
    [1, "", "PROGRAM_FAILED"],
    [0, "no token", "PROGRAM_FAILED"],
    [0, "", "PROGRAM_FAILED"],
  ];
  test("a program without a token in its output has failed", async () => {
    for (const [status, out, code] of ends) {
      await using test = await loginHost({ acts: { login: { status, out } } });
      await assert.rejects(asked(test, "login"), { code }, `status ${status}, ${JSON.stringify(out)}`);
    }
  });

  test("a folder that cannot keep the token is reported before a person is asked", async () => {
    await using test = await loginHost({ acts: { login: { out: CANARY } } });
    await writeFile(join(test.environment.home, ".svc-login"), "in the way");
    await assert.rejects(asked(test, "login"), { code: "FILE_UNWRITABLE", message: /is not a folder/ });
    assert.deepEqual(await test.login.words(), []);
  });

  test("cancelling the wait ends the program", async () => {
    await using test = await loginHost({ acts: { login: { out: CANARY, delayMs: 60_000 } } });
    const stop = new AbortController();
    const request = {
      skill: "login-proxy",
      command: "login",
      input: {},
      surface: "cli",
      signal: stop.signal,
    } as const;
    const logged = test.run(request);
    while ((await test.login.words()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    stop.abort();
    await assert.rejects(logged, { code: "CANCELLED" });
  });
});

describe("the protocol", () => {
  test("each word has its time limit: 60 s without a person, 300 s with one", async () => {
    const runs: ProgramRun[] = [];
    const programs = {
      find: async () => "/bin/svc-login",
      run: async (run: ProgramRun) => {
        runs.push(run);
        return { status: run.args[0] === "login" ? 0 : 1, out: "abc" };
      },
    };
    await using test = await loginHost({
      ports: { ...nodePorts(), programs: { ...nodePorts().programs, ...programs } },
    });
    await asked(test, "check", {}, { person: typing("") });
    await asked(test, "verify").catch(() => undefined);
    await asked(test, "logout").catch(() => undefined);
    const times = runs.map(({ args, timeoutMs }) => `${args.join(" ")}: ${timeoutMs}`);
    assert.deepEqual(times, [
      "token: 60000",
      "check --no-login: 60000",
      "login --mode device: 300000",
      "verify: 60000",
      "logout: 60000",
    ]);
  });
});

describe("renewing", () => {
  const wait = (interactive: boolean): LoginWait => ({
    signal: new AbortController().signal,
    progress: () => undefined,
    interactive,
    columns: undefined,
  });

  test("a program that returns the refused token is forced past its own cache, then asks a person", async () => {
    await using test = await loginHost({
      skills: [...SKILLS, renewer("failed", wait(true))],
      acts: { token: { out: "failed" }, check: { out: "failed" }, login: { out: "new" } },
    });
    const output = await test.run({ skill: "renewer", input: {} });
    assert.deepEqual(output, { token: "new", source: "cache" });
    assert.deepEqual(await test.login.words(), ["token", "check --no-login --force", "login --mode device"]);
  });

  test("masks the refused token in the output of a program", async () => {
    await using test = await loginHost({
      skills: [...SKILLS, renewer(CANARY, wait(true))],
      acts: {
        token: { status: 1, err: `t ${CANARY}\n` },
        check: { status: 1, err: `c ${CANARY}\n` },
        login: { out: "new", err: `l ${CANARY}\nlong ${"x".repeat(8_170)} ${CANARY}\n` },
      },
    });
    await test.run({ skill: "renewer", input: {} });
    assert.deepEqual(test.log.notices, ["l ***", `long ${"x".repeat(8_170)} ***`]);
    const said = test.log.details.join("\n");
    assert.match(said, /^t \*\*\*$/m);
    assert.match(said, /^c \*\*\*$/m);
    assert.doesNotMatch(said, new RegExp(CANARY));
  });

  const vain: readonly (readonly [
    title: string,
    acts: ProgramScript | undefined,
    interactive: boolean,
    hint: RegExp,
  ])[] = [
    ["the login returns the refused token again", { login: { out: "failed" } }, true, /login skill/],
    ["the person refuses", { login: { status: 77 } }, true, /Log in again/],
    ["the program fails", { login: { status: 2 } }, true, /Run it directly/],
    ["there is no program", undefined, true, /Install the login program/],
  ];
  test("ends as TOKEN_MISSING with a hint if no new token is available", async () => {
    for (const [title, acts, interactive, hint] of vain) {
      await using test = await loginHost({
        skills: [...SKILLS, renewer("failed", wait(interactive))],
        ...(acts && { acts }),
      });
      await writeCache(test.file, { token: "failed", baseUrl: ORIGIN });
      const before = await printOf(test.file);
      await assert.rejects(test.run({ skill: "renewer", input: {} }), { code: "TOKEN_MISSING", hint }, title);
      assert.equal(await printOf(test.file), before, title);
    }
  });

  test("a new token that cannot be kept is used once, and the reason is shown", async () => {
    await using test = await loginHost({
      skills: [...SKILLS, renewer("failed", wait(true))],
      acts: { token: { out: CANARY } },
    });
    await writeFile(join(test.environment.home, ".svc-login"), "in the way");
    assert.equal(((await test.run({ skill: "renewer", input: {} })) as { token: string }).token, CANARY);
    assert.match(notices(test), /could not be kept/);
    assert.doesNotMatch(notices(test), new RegExp(CANARY));
  });
});
