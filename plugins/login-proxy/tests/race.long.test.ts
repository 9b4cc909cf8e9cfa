/** One login for all processes of a user: the built program, a real OAuth server, a service that refuses the old token. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { describe, test } from "node:test";
import {
  PROGRAM,
  program,
  sayInProcessOfItsOwn,
  type ProgramResult,
} from "../../../contract-tests/command-line.ts";
import { answered, refused } from "../../../contract-tests/fake-service.ts";
import { AskingService } from "../../music-analysis/tests/asking-service.ts";
import { loggedIn } from "./device-harness.ts";
import { CLIENT_ID, OAuthProvider } from "./oauth-provider.ts";

const EXPIRED = "expired-token";
const PROCESSES = 32;
const WORDS = ["run", "music-analysis", "我的粉丝年龄分布", "--no-progress"];

/** A service that takes every token but the expired one, and remembers those it took. */
async function startService() {
  const taken: string[] = [];
  const count = { refused: 0 };
  const service = await AskingService.start((_body, token) => {
    if (token === EXPIRED) {
      count.refused += 1;
      return refused("UNAUTHORIZED", "未登录");
    }
    taken.push(token);
    return answered("## 结论");
  });
  return { url: service.url, taken, count, [Symbol.asyncDispose]: () => service.close() };
}

/** A home with an old login: the refresh token is valid, the access token has expired. */
async function home(provider: OAuthProvider, service: { readonly url: string }) {
  const test = await loggedIn(provider);
  await writeFile(test.file, JSON.stringify({ token: EXPIRED, baseUrl: service.url }));
  const folder = test.environment.home;
  const variables = {
    SVC_BASE_URL: service.url,
    SVC_LOGIN_ISSUER: provider.url,
    SVC_LOGIN_CLIENT_ID: CLIENT_ID,
  };
  return {
    test,
    options: { start: PROGRAM, variables },
    folder,
    ask: (): Promise<ProgramResult> => sayInProcessOfItsOwn(WORDS, folder, { start: PROGRAM, variables }),
    cached: async (): Promise<string> =>
      (JSON.parse(await readFile(test.file, "utf8")) as { readonly token: string }).token,
  };
}

describe("many processes with one expired token", { concurrency: true }, () => {
  // The processes of the second test would starve those of the first.
  let isKilled = (): void => undefined;
  const killed = new Promise<void>((resolve) => (isKilled = resolve));

  test("a process that is killed during its refresh does not block the others", async () => {
    const provider = await OAuthProvider.start();
    await using service = await startService();
    try {
      const { test: place, ask, cached, folder, options } = await home(provider, service);
      await using _ = place;
      const victim = program(WORDS, folder, options);
      const ended = new Promise((resolve) => victim.on("close", resolve));
      let asked = 0;
      await new Promise<void>((resolve) => {
        provider.play(({ form }) => {
          if (form.get("grant_type") !== "refresh_token") return undefined;
          asked += 1;
          if (asked > 1) return undefined;
          resolve();
          return "silence";
        });
      });
      const others = Promise.all([ask(), ask(), ask()]);
      victim.kill("SIGKILL");
      await ended;
      isKilled();
      for (const { status, err } of await others) assert.equal(status, 0, err);
      assert.equal(provider.grants("refresh").length, 2);
      assert.deepEqual([...new Set(service.taken)], [await cached()]);
    } finally {
      isKilled();
      await provider.close();
    }
  });

  test(`${PROCESSES} of them make one refresh, and all succeed`, async () => {
    await killed;
    const provider = await OAuthProvider.start();
    await using service = await startService();
    try {
      const { test: place, ask, cached } = await home(provider, service);
      await using _ = place;
      const said = await Promise.all(Array.from({ length: PROCESSES }, ask));
      for (const { status, out, err } of said) {
        assert.equal(status, 0, err);
        assert.match(out, /^## 结论/);
      }
      assert.equal(provider.grants("refresh").length, 1);
      assert.deepEqual([service.count.refused > 1, service.taken.length], [true, PROCESSES]);
      assert.deepEqual([...new Set(service.taken)], [await cached()]);
    } finally {
      await provider.close();
    }
  });
});
