import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { BUILT, sayInProcessOfItsOwn } from "../../../contract-tests/command-line.ts";
import { recordFile } from "../server/server-files.ts";
import { ask, health, until } from "./client.ts";
import { blockIn } from "./serving.ts";

const START = { start: BUILT };
const SERVE = ["run", "runtime-debug", "serve", "login-timeout", "--port", "0"];
const onPosix = { skip: process.platform === "win32" };
async function home(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "skillctl-debug-"));
  t.after(async () => {
    await endServerIn(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return folder;
}

/** The server in the folder of a test, by its record. */
async function recordIn(folder: string): Promise<Readonly<Record<string, unknown>>> {
  const place = { folder: join(folder, ".dbg") };
  const path = recordFile({ stateFolder: join(folder, "state") }, place, "login-timeout");
  const text = await readFile(path, "utf8");
  return JSON.parse(text) as Readonly<Record<string, unknown>>;
}

/** Ends the server that a test has left in the background, if the recorded process still is that server. */
async function endServerIn(folder: string): Promise<void> {
  const { url, instance, pid } = await recordIn(folder).catch((): Record<string, unknown> => ({}));
  if (typeof url !== "string") return;
  const alive = await health(url).catch(() => undefined);
  if (alive?.instance === instance) process.kill(pid as number, "SIGKILL");
}

describe("a server in the background", onPosix, () => {
  const detach = (folder: string, ...words: readonly string[]) =>
    sayInProcessOfItsOwn([...SERVE, "--detach", ...words], folder, START);

  test("answers when the command returns, with the same block, and ends on request", async (t) => {
    const folder = await home(t);
    const { status, out, err } = await detach(folder);
    assert.deepEqual([status, err], [0, ""]);
    const info = blockIn(out);
    assert.equal((await health(info.base_url)).pid, info.pid);
    assert.equal((await ask(info.base_url, { body: "{}" })).status, 200);
    process.kill(info.pid, "SIGTERM");
    await until(
      () =>
        health(info.base_url).then(
          () => false,
          () => true,
        ),
      (isGone) => isGone,
    );
  });

  test("keeps the login token of SVC_HEADER_TOKEN out of the log like one in the foreground", async (t) => {
    const folder = await home(t);
    const secret = "opaque-login-token-0123456789";
    const { out } = await sayInProcessOfItsOwn([...SERVE, "--detach"], folder, {
      ...START,
      variables: { SVC_HEADER_TOKEN: secret },
    });
    const { base_url } = blockIn(out);
    await ask(base_url, { body: JSON.stringify({ msg: `sent ${secret}` }) });
    assert.match((await ask(base_url, { path: "/logs" })).text, /"sent \[redacted\]".*redacted:\/msg/);
  });

  test("fails with the message and the status of the start in the background", async (t) => {
    const folder = await home(t);
    const wrong = await detach(folder, "--host", "203.0.113.77");
    assert.deepEqual([wrong.status, wrong.out], [69, ""]);
    assert.match(wrong.err, /^error: 203\.0\.113\.77 is not an address of this machine\.\nhint: /);
    const first = blockIn((await detach(folder)).out);
    const second = await detach(folder);
    assert.equal(second.status, 75);
    assert.ok(second.err.includes(first.base_url), second.err);
    assert.equal((await health(first.base_url)).ok, true);
  });
});
