/** The server of a session in a separate process: it runs until the cleanup, and no longer. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { nodePorts } from "skillctl/host";
import { PROGRAM, variablesOf } from "../../../contract-tests/command-line.ts";
import { testEnvironment } from "../../../core/testing/test-environment.ts";
import { BackgroundStart } from "../server/server-call.ts";
import { SessionHomes } from "../server/session-home.ts";
import { DebugServers } from "../session/debug-servers.ts";
import { ask } from "./client.ts";
import { debugServer, type DebugServer } from "./server-harness.ts";
import { debugProject, entryOf, type DebugProject } from "./session-harness.ts";
import { ID } from "./doors-walk.ts";

/** Serves the session of a project in a separate process. */
function serverOf(
  t: TestContext,
  { host, root }: DebugProject,
  ...words: readonly string[]
): Promise<DebugServer> {
  const script = [...PROGRAM, "run", "runtime-debug", "serve", "--session"];
  const place = { folder: join(root, ".dbg"), variables: variablesOf(host.folder) };
  return debugServer(t, { ...place, script, session: ID, words });
}

test("a cleanup ends the server of the session, which stays until then", async (t) => {
  const project = await debugProject(t, { git: "none" });
  const { run } = project;
  await run("start", { issue: "The sum is wrong", session: ID });
  const { url, ended } = await serverOf(t, project);
  await run("answer", { answer: "D" });
  assert.equal((await ask(url)).status, 200);
  const { state } = await run("cleanup");
  assert.equal(state, "closed");
  await assert.rejects(ask(url));
  assert.deepEqual(await ended, { code: 0, signal: null });
});

test("another program at the port of a killed server receives no key, even if it answers with its name", async (t) => {
  const project = await debugProject(t, { git: "none" });
  const { host, root, run } = project;
  await run("start", { issue: "The sum is wrong", session: ID });
  const { url, port, kill } = await serverOf(t, project, "--require-key");
  // Another user of the machine may send this request too.
  const { text } = await ask(url);
  await kill();
  const seen: string[] = [];
  const other = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization ?? "no key"}`);
    response.setHeader("content-type", "application/json").end(text);
  }).listen(port, "127.0.0.1");
  t.after(() => other.close());
  await once(other, "listening");
  const environment = testEnvironment(host.folder);
  const { files, http, claims, log, programs } = nodePorts({ environment, log: host.log });
  const homes = new SessionHomes(files, claims, http, environment);
  const background = new BackgroundStart(environment, files, http, log, programs);
  const servers = new DebugServers(homes, background, files, http, environment);
  const opened = { root, entry: await entryOf(project, ID) };
  const call = {
    surface: "host",
    signal: AbortSignal.timeout(60_000),
    progress() {},
    announce() {},
  } as const;
  // No server is started here: there is no program to start it with.
  await assert.rejects(servers.begin(opened, call), {
    code: "PROGRAM_FAILED",
    message: /start it in the background/,
  });
  assert.equal(await servers.stop(opened), false);
  assert.deepEqual([...new Set(seen)], ["GET /health no key"]);
});
