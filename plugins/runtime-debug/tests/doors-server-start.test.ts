/** The start of a debug server and the access to it, over HTTP: addresses, keys, files and the second start. */
import assert from "node:assert/strict";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { SkillError } from "skillctl";
import { recordFile } from "../server/server-files.ts";
import { ask } from "./client.ts";
import { debugHost, keysOf, serving } from "./serving.ts";

const JSON_TYPE = { "content-type": "application/json" };

describe("a debug server on this machine", () => {
  test("publishes its address and its run, and the next one has the same address", async (t) => {
    const host = await debugHost(t);
    const first = await serving(host);
    const { info } = first;
    const file = (): Promise<string> => readFile(info.env_file, "utf8");
    const head = `DEBUG_SERVER_URL=${info.base_url}/event\nDEBUG_SESSION_ID=login-timeout\n`;
    assert.ok((await file()).startsWith(`${head}DEBUG_RUN_ID=pre-fix\n`));
    await ask(info.base_url, { path: "/run", body: '{"runId":"post-fix"}', headers: JSON_TYPE });
    assert.ok((await file()).startsWith(`${head}DEBUG_RUN_ID=post-fix\n`));
    await first.stop();
    const second = await serving(host);
    assert.equal(second.info.base_url, info.base_url);
    await ask(info.base_url, { body: '{"msg":"x"}' });
    const [event] = JSON.parse((await ask(info.base_url, { path: "/logs" })).text) as { _run: string }[];
    assert.equal(event?._run, "post-fix");
  });

  test("is the only one of its session in a folder; another folder has its own", async (t) => {
    const host = await debugHost(t);
    const { info } = await serving(host);
    await assert.rejects(serving(host), (error: unknown) => {
      assert.ok(error instanceof SkillError);
      assert.equal(error.code, "DEBUG_SERVED");
      return error.message.includes(info.base_url);
    });
    const beside = await debugHost(t, { ports: { claims: host.host.ports.claims } });
    const other = await serving(beside);
    assert.notEqual(other.info.base_url, info.base_url);
  });

  test("refuses other hosts and foreign pages, and lets a page of an allowed origin send and not read", async (t) => {
    const host = await debugHost(t);
    const { info } = await serving(host, { allowOrigin: ["https://app.example"] });
    const url = info.base_url;
    const status = async (path: string, headers: Record<string, string>, body?: string): Promise<number> =>
      (await ask(url, { path, headers, ...(body !== undefined && { body }) })).status;
    assert.equal(await status("/logs", { host: "rebound.example" }), 403);
    assert.equal(await status("/logs", { origin: "https://evil.example" }), 403);
    assert.equal(await status("/event", { origin: "https://evil.example" }, "{}"), 403);
    assert.equal(await status("/event", { origin: "null" }, "{}"), 403);
    assert.equal(await status("/event", { origin: "https://app.example" }, '{"msg":"x"}'), 200);
    for (const [method, path, body] of [
      ["GET", "/logs"],
      ["GET", "/health"],
      ["GET", "/"],
      ["DELETE", "/logs"],
      ["DELETE", "/logs?purge=1"],
      ["POST", "/run", '{"runId":"post-fix"}'],
    ] as const) {
      const asked = { method, path, headers: { origin: "https://app.example" }, ...(body && { body }) };
      assert.equal((await ask(url, asked)).status, 403, `${method} ${path}`);
    }
    const [event, ...more] = JSON.parse((await ask(url, { path: "/logs" })).text) as { _flags: string[] }[];
    assert.deepEqual([event?._flags, more.length], [["foreign-origin"], 0]);
    for (const origin of ["https://*.example", "app.example"])
      await assert.rejects(
        serving(host, { session: "other-bug", allowOrigin: [origin] }),
        (error: unknown) => error instanceof SkillError && error.code === "USAGE",
      );
  });

  test("answers a preflight of permitted pages, including beacons, and reveals nothing to a page of another origin", async (t) => {
    const { info } = await serving(await debugHost(t), { allowOrigin: ["https://app.example"] });
    const asked = async (origin: string, path: string, method: string) => {
      const headers = {
        origin,
        "access-control-request-method": method,
        "access-control-request-headers": "content-type,x-debug-session-id",
      };
      const reply = await fetch(info.base_url + path, { method: "OPTIONS", headers });
      const [who, names, leave] = ["origin", "headers", "credentials"].map((name) =>
        reply.headers.get(`access-control-allow-${name}`),
      );
      return { status: reply.status, who, names, leave };
    };
    for (const origin of ["https://app.example", "http://localhost:3000"]) {
      const { status, who, names, leave } = await asked(origin, "/event", "POST");
      // A beacon of JSON always sends a preflight; addresses for reading refuse it to all pages.
      assert.deepEqual([status, who, leave], [204, origin, "true"]);
      assert.match(names ?? "", /x-debug-session-id/i);
    }
    assert.equal((await asked("http://localhost:3000", "/logs", "GET")).leave, null);
    assert.equal((await asked("https://app.example", "/logs", "DELETE")).who, null);
    const foreign = await asked("https://evil.example", "/event", "POST");
    assert.deepEqual([foreign.status, foreign.who], [403, null]);
  });
});

describe("a debug server with keys", () => {
  test("accepts events with one key and gives full access only with the other, also after a restart", async (t) => {
    const host = await debugHost(t);
    const first = await serving(host, { requireKey: true });
    const { info } = first;
    const [, collect = ""] = /\?(.{40,})$/.exec(info.api_url) ?? [];
    assert.ok(collect !== "");
    const { control } = await keysOf(info);
    const { key_file: keyFile = "" } = info;
    assert.ok(keyFile.startsWith(host.environment.stateFolder), "the keys lie outside the project");
    const status = async (
      path: string,
      headers: Record<string, string> = {},
      body?: string,
    ): Promise<number> =>
      (await ask(info.base_url, { path, headers, ...(body !== undefined && { body }) })).status;
    assert.equal(await status("/event", {}, '{"msg":"x"}'), 401);
    assert.equal(await status("/logs"), 401);
    assert.equal(await status(`/event?${collect}`, {}, '{"msg":"x"}'), 200);
    assert.equal(await status(`/logs?k=${collect}`), 401);
    assert.equal(await status("/logs", { authorization: `Bearer ${collect}` }), 401);
    assert.equal(await status("/logs", { authorization: `Bearer ${control}` }), 200);
    assert.equal(await status("/health"), 200);
    assert.ok((await readFile(info.env_file, "utf8")).includes(`/event?${collect}\n`));
    if (process.platform !== "win32")
      for (const name of [
        keyFile,
        info.env_file,
        info.log_file,
        recordFile(host.environment, { folder: info.log_dir }, "login-timeout"),
      ])
        assert.equal((await stat(name)).mode & 0o777, 0o600, name);
    await first.stop();
    const second = await serving(host, { requireKey: true });
    assert.equal(second.info.api_url, info.api_url);
  });

  test("accepts no key that came with the project", async (t) => {
    const host = await debugHost(t);
    const first = await serving(host, { requireKey: true });
    await first.stop();
    const known = { control: "k".repeat(43), collect: "c".repeat(43) };
    const kept = recordFile(host.environment, { folder: first.info.log_dir }, "login-timeout");
    const record = JSON.parse(await readFile(kept, "utf8")) as object;
    await rm(first.info.key_file ?? "");
    const path = join(first.info.log_dir, "login-timeout.server.json");
    await writeFile(path, JSON.stringify({ ...record, keys: known, spareKeys: known }), { mode: 0o600 });
    const { info } = await serving(host, { requireKey: true });
    assert.ok(!info.api_url.includes(known.collect));
    const reading = { path: "/logs", headers: { authorization: `Bearer ${known.control}` } };
    assert.equal((await ask(info.base_url, reading)).status, 401);
  });

  test("requires them on every route if other machines can reach it [debug.endpoint.remote]", async (t) => {
    const host = await debugHost(t);
    const { info } = await serving(host, { remote: true });
    const [, key = ""] = /\/event\?(.{40,})$/.exec(info.api_url) ?? [];
    assert.equal((await keysOf(info)).collect, key);
    assert.ok((await readFile(info.env_file, "utf8")).startsWith(`DEBUG_SERVER_URL=${info.api_url}\n`));
    assert.ok(info.addresses.some((address) => address.startsWith("http://host.docker.internal:")));
    const url = `http://127.0.0.1:${new URL(info.base_url).port}`;
    for (const [path, method, body] of [
      ["/event", "POST", '{"msg":"x"}'],
      ["/ingest/0a1b2c", "POST", "{}"],
      ["/run", "POST", '{"runId":"pre-fix"}'],
      ["/logs", "GET"],
      ["/event/logs", "DELETE"],
    ] as const) {
      const told = await ask(url, { path, method, ...(body !== undefined && { body }) });
      assert.equal(told.status, 401, path);
      assert.match(told.text, /"forbidden_key"/);
    }
    assert.equal((await ask(url)).status, 200);
    assert.equal(await readFile(join(info.log_dir, ".gitignore"), "utf8"), "*\n");
  });
});
