/** The server of a session in a process of its own: it is there until the cleanup, and no longer. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { nodePorts } from "skillctl/host";
import { program } from "../../../contract-tests/command-line.ts";
import { testEnvironment } from "../../../core/testing/test-environment.ts";
import { DebugServers } from "../session/debug-servers.ts";
import { ask } from "./client.ts";
import { blockIn, type Announced } from "./serving.ts";
import { debugProject, entryOf } from "./session-harness.ts";
import { ID } from "./doors-walk.ts";

/** Serves a session of a project in a process of its own, from the source. */
async function serverProcess(
  t: TestContext,
  root: string,
  home: string,
  session: string,
  more: readonly string[] = [],
) {
  const words = ["run", "runtime-debug", "serve", session, "--port", "0", "--outdir", join(root, ".dbg")];
  const child = program([...words, ...more], home);
  t.after(() => child.kill("SIGKILL"));
  const ended = once(child, "exit");
  let out = "";
  const info = await new Promise<Announced>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
      if (out.includes("@@END_DEBUG_SERVER_INFO")) resolve(blockIn(out));
    });
    child.once("exit", () => reject(new Error(`It did not start: ${out}`)));
  });
  return { child, ended, info };
}

test("a cleanup ends the server of the session, which stays until then", async (t) => {
  const { host, root, run } = await debugProject(t, { git: "none" });
  await run("start", { issue: "The sum is wrong", session: ID });
  const { child, ended, info } = await serverProcess(t, root, host.folder, ID);
  await run("answer", { answer: "D" });
  assert.equal((await ask(info.base_url)).status, 200);
  const { state } = await run("cleanup");
  assert.equal(state, "closed");
  await assert.rejects(ask(info.base_url));
  await ended;
  assert.equal(child.exitCode, 0);
});

test("who takes the port of a server that was killed, and answers by its name, is sent no key and taken for nobody", async (t) => {
  const project = await debugProject(t, { git: "none" });
  const { host, root, run } = project;
  await run("start", { issue: "The sum is wrong", session: ID });
  const { child, ended, info } = await serverProcess(t, root, host.folder, ID, ["--require-key"]);
  // Another user of the machine may ask this much.
  const { text } = await ask(info.base_url);
  child.kill("SIGKILL");
  await ended;
  const seen: string[] = [];
  const other = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization ?? "no key"}`);
    response.setHeader("content-type", "application/json").end(text);
  }).listen(Number(new URL(info.base_url).port), "127.0.0.1");
  t.after(() => other.close());
  await once(other, "listening");
  const environment = testEnvironment(host.folder);
  const { files, http, claims, log, programs } = nodePorts({ environment, log: host.log });
  const servers = new DebugServers(files, http, claims, environment, log, programs);
  const opened = { root, entry: await entryOf(project, ID) };
  const call = {
    surface: "host",
    signal: AbortSignal.timeout(60_000),
    progress() {},
    announce() {},
  } as const;
  // None is started here: there is no program to start it with.
  await assert.rejects(servers.begin(opened, call), {
    code: "PROGRAM_FAILED",
    message: /start it in the background/,
  });
  assert.equal(await servers.stop(opened), false);
  assert.deepEqual([...new Set(seen)], ["GET /health no key"]);
});
