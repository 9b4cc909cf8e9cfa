/** One login for any number of processes (docs/login.md, One login at a time), with real ones. */
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createInterface } from "node:readline";
import { describe, test } from "node:test";
import { createTestHost } from "skillctl/testing";
import { ROOT } from "../../../contract-tests/harness.ts";
import { FakeLogin, asked, loginHost, typing, writeCache, type Acts } from "./login-harness.ts";
import { ORIGIN } from "./renewer.ts";

/** What came of a renewal in another process. */
interface Came {
  readonly token?: string;
  readonly code?: string;
  readonly message?: string;
}

/** A process that is ready to ask for another token than `failed`. */
class Racer {
  readonly child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(home: string, path: string, failed: string) {
    const loader = pathToFileURL(join(ROOT, "node_modules", "tsx", "dist", "loader.mjs")).href;
    const script = join(import.meta.dirname, "renewer.ts");
    const words = ["--conditions=@skillctl/source", "--import", loader, script, home, failed];
    this.child = spawn(process.execPath, words, {
      cwd: home,
      // A group of its own, so that the login program dies with it.
      detached: true,
      env: { PATH: path, HOME: home, TSX_TSCONFIG_PATH: join(ROOT, "tsconfig.json") },
      stdio: ["pipe", "pipe", "inherit"],
    });
    const { stdout } = this.child;
    assert.ok(stdout);
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  }

  async ready(): Promise<void> {
    assert.equal((await this.#lines.next()).value, "READY");
  }

  go(): void {
    this.child.stdin?.write("go\n");
  }

  async came(): Promise<Came> {
    return JSON.parse((await this.#lines.next()).value as string) as Came;
  }

  async kill(): Promise<void> {
    const { pid } = this.child;
    assert.ok(pid !== undefined);
    const closed = once(this.child, "close");
    process.kill(-pid, "SIGKILL");
    await closed;
  }
}

interface Race {
  readonly racers: readonly Racer[];
  readonly login: FakeLogin;
  readonly file: string;
}

async function race(count: number, acts: Acts, action: (race: Race) => Promise<void>): Promise<void> {
  await using place = await createTestHost();
  const { home } = place.environment;
  const login = await FakeLogin.in(place.folder, acts);
  const file = join(home, ".svc-login", "token.json");
  await writeCache(file, { token: "failed", profile: "kept", baseUrl: ORIGIN });
  const racers = Array.from({ length: count }, () => new Racer(home, login.folder, "failed"));
  try {
    for (const racer of racers) await racer.ready();
    await action({ racers, login, file });
  } finally {
    for (const { child } of racers) {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) continue;
      child.stdin?.end();
      if (child.exitCode === null) await once(child, "close");
    }
  }
}

describe("processes that find one token refused", () => {
  test("log in once, and all go on with the one new token", () =>
    race(8, { check: { out: "new-{PID}", delayMs: 300 } }, async ({ racers, login, file }) => {
      for (const racer of racers) racer.go();
      const came = await Promise.all(racers.map((racer) => racer.came()));
      assert.deepEqual(await login.words(), ["token", "check --no-login --force"]);
      const kept = JSON.parse(await readFile(file, "utf8")) as { token: string; profile: string };
      assert.match(kept.token, /^new-\d+$/);
      assert.equal(kept.profile, "kept");
      assert.deepEqual(
        came,
        Array.from({ length: 8 }, () => ({ token: kept.token, source: "cache" })),
      );
    }));

  test("are not blocked for long by one that is killed in the middle of a login", () =>
    race(2, { token: { out: "never", delayMs: 600_000 } }, async ({ racers, login }) => {
      const [dead, heir] = racers;
      assert.ok(dead && heir);
      dead.go();
      while ((await login.words()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      await login.plays({ token: { out: "new" } });
      heir.go();
      await dead.kill();
      assert.equal((await heir.came()).token, "new");
    }));
});

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
    assert.equal((JSON.parse(await readFile(test.file, "utf8")) as Came).token, "new-2");
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
