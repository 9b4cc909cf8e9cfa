/** One login for any number of processes (docs/login.md, One login at a time), with real ones. */
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createInterface } from "node:readline";
import { describe, test } from "node:test";
import { createTestHost } from "skillctl/testing";
import { ROOT, SKILLS } from "../../../contract-tests/harness.ts";
import { FakeLogin, asked, loginHost, typing, writeCache, type Acts } from "./login-harness.ts";
import { renewer } from "./renewer.ts";

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
  readonly home: string;
  readonly file: string;
}

async function race(count: number, acts: Acts, action: (race: Race) => Promise<void>): Promise<void> {
  await using place = await createTestHost();
  const { home } = place.environment;
  const login = await FakeLogin.in(place.folder, acts);
  const file = join(home, ".svc-login", "token.json");
  await writeCache(file, { token: "failed", profile: "kept" });
  const racers = Array.from({ length: count }, () => new Racer(home, login.folder, "failed"));
  try {
    for (const racer of racers) await racer.ready();
    await action({ racers, login, home, file });
  } finally {
    for (const { child } of racers) {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) continue;
      child.stdin?.end();
      if (child.exitCode === null) await once(child, "close");
    }
  }
}

const locks = async (home: string): Promise<readonly string[]> =>
  (await readdir(join(home, ".svc-login"))).filter((name) => name.includes("lock"));

describe("processes that find one token refused", () => {
  test("log in once, and all go on with the one new token", () =>
    race(8, { check: { out: "new-{PID}", delayMs: 300 } }, async ({ racers, login, home, file }) => {
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
      assert.equal((await locks(home)).length, 1);
    }));

  test("try in vain once, when nobody can be asked", () =>
    race(4, { check: { status: 1, delayMs: 2_000 } }, async ({ racers, login }) => {
      for (const racer of racers) racer.go();
      const came = await Promise.all(racers.map((racer) => racer.came()));
      assert.deepEqual([...new Set(came.map(({ code }) => code))], ["TOKEN_MISSING"]);
      const others = came.filter(({ message }) => message?.startsWith("Another process has just tried"));
      assert.equal(others.length, 3);
      assert.deepEqual(await login.words(), ["token", "check --no-login --force"]);
    }));

  test("are not blocked for long by one that is killed in the middle of a login", () =>
    race(2, { token: { out: "never", delayMs: 600_000 } }, async ({ racers, login, home }) => {
      const [dead, heir] = racers;
      assert.ok(dead && heir);
      dead.go();
      while ((await login.words()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      const [before] = await locks(home);
      await login.plays({ token: { out: "new" } });
      heir.go();
      await dead.kill();
      assert.equal((await heir.came()).token, "new");
      const after = await locks(home);
      assert.deepEqual(after.length, 1);
      assert.notEqual(after[0], before);
    }));
});

describe("the lock in the folder", () => {
  const wait = { signal: new AbortController().signal, progress: () => undefined, interactive: false };

  const leftOver: readonly (readonly [
    title: string,
    files: Readonly<Record<string, string>>,
    next: string,
  ])[] = [
    ["of a process that was killed long ago", { "refresh.lock.7": '{"beat":3,"until":1}' }, "refresh.lock.8"],
    ["that something else has broken", { "refresh.lock.7": "\u0000\u0000" }, "refresh.lock.8"],
    [
      "of two processes",
      { "refresh.lock.7": "{}", "refresh.lock.10": '{"beat":1,"until":0}' },
      "refresh.lock.11",
    ],
  ];
  for (const [title, files, next] of leftOver) {
    test(`left over ${title} is followed`, async () => {
      await using test = await loginHost({
        skills: [...SKILLS, renewer("failed", wait)],
        acts: { token: { out: "new" } },
      });
      const folder = join(test.environment.home, ".svc-login");
      await mkdir(folder);
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
      assert.equal(((await test.run({ skill: "renewer", input: {} })) as Came).token, "new");
      assert.deepEqual(await locks(test.environment.home), [next]);
      assert.deepEqual(JSON.parse(await readFile(join(folder, next), "utf8")), { beat: 1, until: 0 });
    });
  }

  test("says how a login ended, but nothing of a token", async () => {
    await using test = await loginHost({
      skills: [...SKILLS, renewer("failed", { ...wait, interactive: true })],
      acts: { login: { status: 77 } },
    });
    await test.run({ skill: "renewer", input: {} }).catch(() => undefined);
    const [name = ""] = await locks(test.environment.home);
    const text = await readFile(join(test.environment.home, ".svc-login", name), "utf8");
    assert.deepEqual(JSON.parse(text), { beat: 1, until: 0, failed: "asked" });
  });

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
