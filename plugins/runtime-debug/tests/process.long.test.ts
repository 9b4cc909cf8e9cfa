import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { BUILT, program, sayInProcessOfItsOwn } from "../../../contract-tests/command-line.ts";
import { ask, health, load, until } from "./client.ts";
import { FLAWLESS, History } from "./history.ts";
import { blockIn, type Announced } from "./serving.ts";

const START = { start: BUILT };
const SERVE = ["run", "runtime-debug", "serve", "login-timeout", "--port", "0"];
const onPosix = { skip: process.platform === "win32" };
const withTerminal = {
  skip: spawnSync("script", ["--version"]).status !== 0 && "the program script is not there",
};

async function home(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "skillctl-debug-"));
  t.after(async () => {
    await endServerIn(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return folder;
}

/** Who serves in the folder of a test, by the record that it keeps. */
async function recordIn(folder: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await readFile(join(folder, ".dbg", "login-timeout.server.json"), "utf8");
  return JSON.parse(text) as Readonly<Record<string, unknown>>;
}

/** Ends what a test has left in the background, when it is the server it says it is. */
async function endServerIn(folder: string): Promise<void> {
  const { url, instance, pid } = await recordIn(folder).catch((): Record<string, unknown> => ({}));
  if (typeof url !== "string") return;
  const alive = await health(url).catch(() => undefined);
  if (alive?.instance === instance) process.kill(pid as number, "SIGKILL");
}

interface Running {
  readonly child: ChildProcess;
  readonly info: Announced;
  readonly ended: Promise<readonly [status: number | null, signal: NodeJS.Signals | null]>;
  readonly err: () => string;
}

/** A process that serves in the foreground. */
async function running(t: TestContext, folder: string, words: readonly string[] = []): Promise<Running> {
  const child = program([...SERVE, ...words], folder, START);
  t.after(() => child.kill("SIGKILL"));
  let [out, err] = ["", ""];
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const ended = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  await new Promise<void>((resolve, reject) => {
    child.once("exit", () => reject(new Error(`It ended: ${err}`)));
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
      if (out.includes("@@END_DEBUG_SERVER_INFO")) resolve();
    });
  });
  return { child, info: blockIn(out), ended, err: () => err };
}

describe("a server told to end", onPosix, () => {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    test(`by ${signal} under load ends with 0, and every event it acknowledged is in the log`, async (t) => {
      const folder = await home(t);
      const { child, info, ended } = await running(t, folder);
      const history = new History();
      const posting = load(info.base_url, history, 4);
      await until(
        async () => history.acknowledged.size,
        (size) => size > 200,
      );
      child.kill(signal);
      assert.deepEqual(await ended, [0, null]);
      await posting.over;
      assert.deepEqual(await history.verdict(info.log_dir, info.session_id), FLAWLESS);
      assert.equal((await recordIn(folder))["ended"], "stopped");
    });
  }

  test("does not wait for a request that never comes to its end; a second signal ends it at once", async (t) => {
    for (const second of [false, true]) {
      const { child, info, ended, err } = await running(t, await home(t));
      const { port } = new URL(info.base_url);
      const socket = connect(Number(port), "127.0.0.1");
      socket.on("error", () => undefined);
      socket.write(`POST /event HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 9\r\n\r\n{"a"`);
      await ask(info.base_url);
      child.kill("SIGTERM");
      if (second) {
        await until(
          async () => err(),
          (said) => said.includes("Still stopping"),
        );
        child.kill("SIGTERM");
      }
      assert.deepEqual(await ended, [second ? 130 : 0, null]);
      socket.destroy();
    }
  });

  test("twice at once, as a whole group is, ends like one told once", async (t) => {
    const { child, ended } = await running(t, await home(t));
    child.kill("SIGTERM");
    child.kill("SIGINT");
    assert.deepEqual(await ended, [0, null]);
  });
});

test("a session id that is none is answered with what one looks like", async (t) => {
  const folder = await home(t);
  for (const id of ["login", "../../x-y", "Login-Timeout"]) {
    const words = ["run", "runtime-debug", "serve", id];
    const { status, out, err } = await sayInProcessOfItsOwn(words, folder, START);
    assert.deepEqual([status, out], [65, ""]);
    assert.match(err, /^error: SESSION does not fit: .* 2 to 4 words .* such as login-timeout\.\nhint: /, id);
  }
});

test("a server whose standard output nobody reads serves all the same", async (t) => {
  const folder = await home(t);
  const child = program(SERVE, folder, START);
  t.after(() => child.kill("SIGKILL"));
  child.stdout.destroy();
  const ended = once(child, "exit");
  const { url } = await until(
    () => recordIn(folder).catch((): Record<string, unknown> => ({})),
    (record) => typeof record["url"] === "string",
  );
  assert.equal((await ask(url as string, { body: "{}" })).status, 200);
  child.kill("SIGTERM");
  assert.deepEqual(await ended, [0, null]);
});

test("after a kill the next start has the same address and all that was acknowledged", onPosix, async (t) => {
  const folder = await home(t);
  const first = await running(t, folder);
  assert.equal((await ask(first.info.base_url, { body: '{"msg":"before"}' })).status, 200);
  first.child.kill("SIGKILL");
  await first.ended;
  const second = await running(t, folder);
  assert.equal(second.info.api_url, first.info.api_url);
  assert.match(await readFile(second.info.log_file, "utf8"), /"before"/);
});

test("of several starts at once one serves, and the others end with its address", async (t) => {
  const folder = await home(t);
  const children = Array.from({ length: 4 }, () => program(SERVE, folder, START));
  for (const child of children) t.after(() => child.kill("SIGKILL"));
  const errors = children.map((child) => {
    const said = { text: "" };
    child.stderr.setEncoding("utf8").on("data", (part: string) => (said.text += part));
    return said;
  });
  const losers = await Promise.all(
    children.map(
      (child, index) =>
        new Promise<string>((resolve) => {
          child.stdout.setEncoding("utf8").on("data", (text: string) => {
            if (text.includes("@@DEBUG")) resolve("serves");
          });
          child.once("close", (status) => resolve(`${status} ${errors[index]?.text}`));
        }),
    ),
  );
  const { url } = await recordIn(folder);
  const others = losers.filter((end) => end !== "serves");
  assert.equal(others.length, 3);
  for (const end of others) assert.ok(end.startsWith("75 ") && end.includes(url as string), end);
});

describe("a server in the background", onPosix, () => {
  const detach = (folder: string, ...words: readonly string[]) =>
    sayInProcessOfItsOwn([...SERVE, "--detach", ...words], folder, START);

  test("answers when the command returns, with the same block, and ends when it is told to", async (t) => {
    const folder = await home(t);
    const { status, out, err } = await detach(folder);
    assert.deepEqual([status, err], [0, ""]);
    const info = blockIn(out);
    assert.equal((await health(info.base_url)).pid, info.pid);
    assert.equal((await ask(info.base_url, { body: "{}" })).status, 200);
    process.kill(info.pid, "SIGTERM");
    await until(
      () => recordIn(folder),
      (record) => record["ended"] === "stopped",
    );
  });

  test("fails with the message and the status of the start in the background", async (t) => {
    const folder = await home(t);
    const wrong = await detach(folder, "--host", "203.0.113.77");
    assert.deepEqual([wrong.status, wrong.out], [69, ""]);
    assert.match(wrong.err, /^error: 203\.0\.113\.77 is no address of this machine\.\nhint: /);
    const first = blockIn((await detach(folder)).out);
    const second = await detach(folder);
    assert.equal(second.status, 75);
    assert.ok(second.err.includes(first.base_url), second.err);
    assert.equal((await health(first.base_url)).ok, true);
  });

  test("says which address is old when its port was taken meanwhile", async (t) => {
    const folder = await home(t);
    const first = blockIn((await detach(folder)).out);
    process.kill(first.pid, "SIGKILL");
    await until(
      () => health(first.base_url).catch(() => undefined),
      (answer) => answer === undefined,
    );
    const taker = createServer(() => undefined);
    t.after(() => taker.close());
    await new Promise<void>((resolve) =>
      taker.listen(Number(new URL(first.base_url).port), "127.0.0.1", () => resolve()),
    );
    const second = await detach(folder);
    assert.equal(second.status, 0);
    assert.notEqual(blockIn(second.out).api_url, first.api_url);
    assert.ok(
      second.err.includes(`what names ${first.api_url} in instrumented code no longer arrives`),
      second.err,
    );
  });

  test("outlives the terminal that it was started in", withTerminal, async (t) => {
    const folder = await home(t);
    const words = [process.execPath, ...BUILT, ...SERVE, "--detach"].join(" ");
    const shell = spawn("script", ["-qec", words, "/dev/null"], {
      cwd: folder,
      stdio: ["pipe", "pipe", "ignore"],
    });
    const [status] = (await once(shell, "exit")) as [number];
    assert.equal(status, 0);
    const { url } = await recordIn(folder);
    assert.equal((await ask(url as string, { body: "{}" })).status, 200);
  });
});

test("a server in the foreground ends in good order when its terminal is closed", withTerminal, async (t) => {
  const folder = await home(t);
  const words = [process.execPath, ...BUILT, ...SERVE].join(" ");
  const shell = spawn("script", ["-qec", words, "/dev/null"], {
    cwd: folder,
    stdio: ["pipe", "pipe", "ignore"],
  });
  t.after(() => shell.kill("SIGKILL"));
  const { url } = await until(
    () => recordIn(folder).catch((): Record<string, unknown> => ({})),
    (record) => typeof record["url"] === "string",
  );
  assert.equal((await ask(url as string, { body: '{"msg":"in time"}' })).status, 200);
  shell.kill("SIGKILL");
  await until(
    () => recordIn(folder),
    (record) => record["ended"] === "stopped",
  );
  const log = join(folder, ".dbg", "svc-debug-log-login-timeout.ndjson");
  assert.match(await readFile(log, "utf8"), /in time/);
});
