/** One login for any number of processes (docs/login.md, One login at a time), in one process; over processes: race.long.test.ts. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { asked, loginHost, typing } from "./login-harness.ts";

describe("the lock", () => {
  test("makes two logins of one process come one after the other", async () => {
    // Long enough for the second to come while the first is under way, on a busy machine too.
    await using test = await loginHost({ acts: { login: { out: "new-{N}", delayMs: 1_500 } } });
    const said: string[] = [];
    const progress = (sentence: string): void => void said.push(sentence);
    const both = [1, 2].map(() => asked(test, "login", {}, { person: typing(""), progress }));
    await Promise.all(both);
    const calls = await test.login.words();
    assert.equal(calls.length, 2);
    assert.ok(said.includes("Waiting for a login that is going on in another window."));
    assert.equal((JSON.parse(await readFile(test.file, "utf8")) as { token: string }).token, "new-2");
  });

  for (const command of ["login", "logout"]) {
    test(`is told of once to a ${command} that waits for it, however long`, async () => {
      await using test = await loginHost({ acts: { login: { out: "new", delayMs: 600 }, logout: {} } });
      const first = asked(test, "login");
      while ((await test.login.words()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      const said: string[] = [];
      await asked(test, command, {}, { progress: (sentence) => void said.push(sentence) });
      await first;
      const waiting = said.filter((one) => one.startsWith("Waiting for a login that is going on"));
      assert.equal(waiting.length, 1);
    });
  }

  test("lets who waits for it be ended", async () => {
    await using test = await loginHost({ acts: { login: { out: "new", delayMs: 1_000 } } });
    const first = asked(test, "login");
    while ((await test.login.words()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const stop = new AbortController();
    const progress = (): void => stop.abort();
    const request = { skill: "login-proxy", command: "login", input: {}, surface: "cli" } as const;
    await assert.rejects(test.run({ ...request, progress, signal: stop.signal }), { code: "CANCELLED" });
    await first;
    assert.equal((await test.login.words()).length, 1);
  });
});
