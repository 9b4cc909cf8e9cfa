/** The server of a session as its commands start and end it: a separate process in the background. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import type { SkillError } from "skillctl";
import { nodePorts } from "skillctl/host";
import { otherSide } from "../../../core/testing/fixture-other-side.ts";
import { BUILT } from "../../../contract-tests/command-line.ts";
import { nodePrograms } from "../../../core/adapters/programs.ts";
import { testEnvironment } from "../../../core/testing/test-environment.ts";
import { recordFile } from "../server/server-files.ts";
import { BackgroundStart } from "../server/server-call.ts";
import { SessionHomes } from "../server/session-home.ts";
import { DebugServers } from "../session/debug-servers.ts";
import type { SessionEntry } from "../session/entry.ts";
import { Evidence } from "../session/evidence.ts";
import type { OpenedSession } from "../session/sessions.ts";
import { debugProject, HYPOTHESES, placed, type DebugProject } from "./session-harness.ts";

const ID = "sum-is-wrong";

const CALL = {
  surface: "host",
  signal: new AbortController().signal,
  progress: () => undefined,
  announce: () => undefined,
} as const;

interface Setup {
  readonly project: DebugProject;
  readonly servers: DebugServers;
  readonly evidence: Evidence;
  readonly opened: OpenedSession;
  readonly stateFolder: string;
}

async function scene(t: TestContext, more: Partial<SessionEntry> = {}): Promise<Setup> {
  const project = await debugProject(t, { git: false });
  const { folder } = project.host;
  const variables = { SKILLCTL_STATE: join(folder, "state") };
  const environment = testEnvironment(folder, { PATH: process.env["PATH"], ...variables });
  const { files, http, claims, journals, log } = nodePorts({ environment, log: project.host.log });
  const programs = nodePrograms(environment, [process.execPath, ...BUILT]);
  const homes = new SessionHomes(files, claims, http, environment);
  const background = new BackgroundStart(environment, files, http, log, programs);
  const servers = new DebugServers(homes, background, files, http, environment);
  const evidence = new Evidence(journals, files, servers);
  const opened = { root: project.root, entry: await placed(project, "instrumenting", more) };
  project.host.servers.push(() => servers.stop(opened));
  return { project, servers, evidence, opened, stateFolder: environment.stateFolder };
}

const health = async (url: string): Promise<Readonly<Record<string, unknown>>> =>
  (await (await fetch(`${url}/health`)).json()) as Readonly<Record<string, unknown>>;

/** The server at an address; `undefined` without one. */
const instanceAt = (url: string): Promise<unknown> =>
  health(url).then(
    (one) => one["instance"],
    () => undefined,
  );

/** Whether a process other than the one at `own` has the port of `url`. */
async function isTaken(url: string, own: string): Promise<boolean> {
  if (url === own) return false;
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => (socket.destroy(), resolve(true)));
    socket.once("error", () => resolve(false));
  });
}

describe("the server of a session", () => {
  test("is started once, collects for the current run, and disappears when it is stopped", async (t) => {
    const { project, servers, opened } = await scene(t);
    assert.equal(await servers.running(opened), undefined);
    const [one, other] = await Promise.all([servers.ensure(opened, CALL), servers.ensure(opened, CALL)]);
    assert.equal(one.instance, other.instance);
    assert.equal(one.eventUrl, `${one.url}/event`);
    const { run, instance } = await health(one.url);
    assert.equal(run, "pre-fix");
    await fetch(one.eventUrl, { method: "POST", body: '{"msg":"x"}' });

    const later = { ...opened, entry: { ...opened.entry, runs: { before: "pre-fix-2" } } };
    assert.equal((await servers.ensure(later, CALL)).instance, one.instance);
    assert.equal((await health(one.url))["run"], "pre-fix-2");
    assert.equal((await servers.begin(later, CALL, "post-fix")).instance, one.instance);
    assert.equal((await health(one.url))["run"], "post-fix");
    assert.deepEqual(await (await fetch(`${one.url}/logs`)).json(), []);
    assert.equal(((await (await fetch(`${one.url}/logs?segment=all`)).json()) as unknown[]).length, 1);

    assert.equal(await servers.stop(opened), true);
    assert.equal(await servers.running(opened), undefined);
    assert.equal(await servers.stop(opened), false);
    assert.notEqual(await instanceAt(one.url), instance);
    assert.ok(existsSync(join(project.root, ".dbg", `${ID}.env`)));
  });

  test("that has died is started again at the same address, with the run under way", async (t) => {
    const { project, servers, opened } = await scene(t, { runs: { before: "pre-fix", after: "post-fix" } });
    const one = await servers.ensure(opened, CALL);
    const { pid, instance } = (await health(one.url)) as { readonly pid: number; readonly instance: string };
    // A step, which keeps the address of the server.
    await project.run("hypothesize", { hypotheses: HYPOTHESES });
    process.kill(pid, "SIGKILL");
    const status = await project.run("status");
    assert.match(status.text, /does not answer, so no event arrives[^]*serve sum-is-wrong --detach/);
    const again = await servers.ensure(opened, CALL);
    const now = await health(again.url);
    assert.equal(now["run"], "post-fix");
    assert.notEqual(now["instance"], instance);
    // Unless another process has taken the port meanwhile.
    if (!(await isTaken(one.url, again.url))) assert.equal(again.url, one.url);
  });

  test("whose files were removed is still ended", async (t) => {
    const { project, servers, opened } = await scene(t);
    const { url } = await servers.ensure(opened, CALL);
    await rm(join(project.root, ".dbg"), { recursive: true });
    assert.equal(await servers.stop(opened), true);
    await assert.rejects(fetch(`${url}/health`));
  });

  test("that had ended is started again, and the answer reports it", async (t) => {
    const { servers, evidence, opened } = await scene(t);
    const counts = { evidence: 0, others: { session: 0, hypothesis: 0, region: 0, code: 0 } };
    const revival = evidence.refuseWithout(opened, "answer A", counts, CALL);
    await assert.rejects(revival, (error: SkillError) => {
      assert.equal(error.code, "DEBUG_STEP");
      assert.match(
        error.message,
        /no event has been collected in this run, because the debug server was not running/,
      );
      assert.match(error.hint ?? "", /runs again at http:[^]*repeat this command/);
      return true;
    });
    assert.ok(await servers.running(opened));
    await evidence.refuseWithout(opened, "answer A", counts, CALL);
  });

  test("is not identified by a file that names another process: no other process is ended", async (t) => {
    const { project, servers, opened, stateFolder } = await scene(t);
    const other = await project.collect("another-one");
    await servers.ensure(opened, CALL);
    const path = recordFile({ stateFolder }, { folder: join(project.root, ".dbg") }, ID);
    const record = JSON.parse(await readFile(path, "utf8")) as Readonly<Record<string, unknown>>;
    const forged = JSON.stringify({ ...record, pid: process.pid });
    await writeFile(path, forged);
    await assert.rejects(servers.stop(opened), { code: "PROGRAM_FAILED" });
    await writeFile(path, JSON.stringify({ ...record, url: other.info.base_url }));
    assert.equal(await servers.stop(opened), false);
    await writeFile(path, JSON.stringify(record));
  });

  test("that a file of the project names is neither queried nor sent events", async (t) => {
    const { project, opened, servers } = await scene(t);
    const asked: string[] = [];
    const theirs = await otherSide(t, (request, response) => {
      asked.push(request.url ?? "");
      response.end(JSON.stringify({ instance: "theirs", pid: process.pid }));
    });
    const { origin: url, port } = new URL(theirs.url);
    const record = {
      session: ID,
      pid: process.pid,
      instance: "theirs",
      host: "127.0.0.1",
      port: Number(port),
    };
    const told = { ...record, url, eventUrl: `${url}/event`, allowHosts: [], run: "pre-fix" };
    const folder = join(project.root, ".dbg");
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${ID}.server.json`), JSON.stringify(told));
    await writeFile(join(folder, `${ID}.env`), `DEBUG_SERVER_URL=${url}/event\nDEBUG_SESSION_ID=${ID}\n`);
    assert.equal(await servers.running(opened), undefined);
    assert.equal(await servers.stop(opened), false);
    assert.notEqual((await servers.ensure(opened, CALL)).url, url);
    assert.deepEqual(asked, []);
  });
});
