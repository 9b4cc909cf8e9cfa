/** The log of a debug server, over HTTP: it contains all acknowledged events, in order, without secrets, also after a restart. */
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import { ask, until } from "./client.ts";
import { debugHost, serving, type DebugHost, type Serving } from "./serving.ts";

interface Stored {
  readonly _seq: number;
  readonly [name: string]: unknown;
}

interface Served extends Serving {
  readonly host: DebugHost;
  readonly url: string;
  readonly send: (body: string, headers?: Readonly<Record<string, string>>) => ReturnType<typeof ask>;
  readonly logs: (query?: string) => Promise<readonly Stored[]>;
  readonly health: () => Promise<Readonly<Record<string, unknown>>>;
}

async function served(
  t: TestContext,
  flags: Parameters<typeof serving>[1] = {},
  host?: DebugHost,
): Promise<Served> {
  const known = host ?? (await debugHost(t));
  const server = await serving(known, flags);
  const url = server.info.base_url;
  return {
    ...server,
    host: known,
    url,
    send: (body, headers = {}) => ask(url, { body, headers }),
    logs: async (query = "") => JSON.parse((await ask(url, { path: `/logs?${query}` })).text) as Stored[],
    health: async () => JSON.parse((await ask(url)).text) as Record<string, unknown>,
  };
}

const numbers = (events: readonly Stored[]): readonly number[] => events.map(({ _seq }) => _seq);

describe("the log of a server", () => {
  test("does not contain the given login token, in any encoding", async (t) => {
    const token = "an/opaque+token";
    const host = await debugHost(t, { variables: { SVC_HEADER_TOKEN: token } });
    const { info, send } = await served(t, {}, host);
    const forms = [token, encodeURIComponent(token), Buffer.from(`x:${token}`).toString("base64")];
    await send(JSON.stringify({ data: forms, [token]: 1 }));
    assert.equal((await send(`{"data":"${token}"`)).status, 400);
    const rejected = info.log_file.replace("debug-log", "debug-rejected");
    const kept = `${await readFile(info.log_file, "utf8")}${await readFile(rejected, "utf8")}`;
    for (const form of forms) assert.ok(!kept.includes(form), form);
    assert.match(kept, /"_flags":\["redacted:\/data\/0",.*"redacted:\/\[redacted\]"\]/);
  });

  test("does not contain the token of a login that happens while the server runs", async (t) => {
    const host = await debugHost(t);
    const { info, send } = await served(t, {}, host);
    const folder = join(host.environment.home, ".svc-login");
    await mkdir(folder, { mode: 0o700 });
    const token = "fresh-from/the+login";
    await writeFile(join(folder, "token.json"), JSON.stringify({ token }), { mode: 0o600 });
    await until(
      async () => {
        await send(JSON.stringify({ data: token }));
        return readFile(info.log_file, "utf8");
      },
      (text) => text.includes('"data":"[redacted]"'),
    );
  });

  test("contains the sent events in order, numbered, with the run, also after a restart [debug.server.collects] [debug.instrumentation.network] [debug.events.stored] [debug.resource.log-file]", async (t) => {
    const first = await served(t);
    assert.equal(basename(first.info.log_file), "svc-debug-log-login-timeout.ndjson");
    assert.deepEqual(await first.send('{"hypothesisId":"A","msg":"one"}\n{"msg":"two"}'), {
      status: 200,
      text: "ok",
    });
    await first.send('[{"msg":"three"},{"msg":"four","runId":"post"}]');
    const told = await first.logs();
    assert.deepEqual(numbers(told), [1, 2, 3, 4]);
    assert.deepEqual(
      told.map(({ msg, _run }) => `${String(msg)} ${String(_run)}`),
      ["one pre-fix", "two pre-fix", "three pre-fix", "four post-fix"],
    );
    assert.equal(told[0]?.["sessionId"], "login-timeout");
    const lines = (await readFile(first.info.log_file, "utf8")).split("\n").slice(0, -1);
    assert.deepEqual(
      lines.map((line) => JSON.parse(line) as Stored),
      told,
    );
    await first.stop();
    const second = await served(t, {}, first.host);
    assert.deepEqual(await second.logs(), told);
    await second.send('{"msg":"five"}');
    assert.deepEqual(numbers(await second.logs()), [1, 2, 3, 4, 5]);
    assert.deepEqual(numbers(await second.logs("runId=post")), [4]);
  });

  test("stores nothing of a body with a bad line or element, names that part, and counts the body", async (t) => {
    const { send, logs, health } = await served(t);
    const told = await send('{"msg":"good"}\nnonsense\n{"msg":"better"}');
    assert.equal(told.status, 400);
    const { error, accepted, rejected, message } = JSON.parse(told.text) as Record<string, unknown>;
    assert.deepEqual([error, accepted, rejected], ["bad_json", 0, 1]);
    assert.match(String(message), /^Line 2 is not JSON/);
    assert.equal((await send('[{"msg":"none"},7]')).status, 400);
    assert.deepEqual(await logs(), []);
    await send('{"msg":"good"}\n{"msg":"better"}');
    assert.deepEqual(
      (await logs()).map(({ msg }) => msg),
      ["good", "better"],
    );
    const { log_count, rejected: counted, seq, ok, session_id } = await health();
    assert.deepEqual([log_count, counted, seq, ok, session_id], [2, 2, 2, true, "login-timeout"]);
  });

  test("refuses bodies that are too large, too many, compressed, or name a path, each with its status", async (t) => {
    const { url, send, logs } = await served(t);
    const cases = [
      [JSON.stringify({ msg: "x".repeat(1_100_000) }), 413, "too_large"],
      ['{"msg":"x"}\n'.repeat(1_001), 413, "too_large"],
      ['{"sessionId":"../../etc"}', 422, "bad_session"],
      ["7", 400, "not_object"],
    ] as const;
    for (const [body, status, error] of cases) {
      const told = await send(body);
      assert.equal(told.status, status, error);
      assert.equal((JSON.parse(told.text) as { error: string }).error, error);
    }
    const body = gzipSync('{"msg":"x"}');
    assert.equal((await ask(url, { body, headers: { "content-encoding": "gzip" } })).status, 415);
    assert.deepEqual(await logs(), []);
  });

  test("cuts and marks an event that is nested too deep, and stores the others of its body whole", async (t) => {
    const { send, logs } = await served(t);
    const deep = `{"msg":"deep","data":${'{"a":'.repeat(60)}1${"}".repeat(60)},"hypothesisId":"A"}`;
    assert.equal((await send(`{"msg":"first"}\n${deep}\n{"msg":"last"}`)).status, 200);
    const told = (await logs()).map(({ msg, hypothesisId, _flags }) => [msg, hypothesisId, _flags]);
    assert.deepEqual(told, [
      ["first", undefined, undefined],
      ["deep", "A", ["cut"]],
      ["last", undefined, undefined],
    ]);
  });

  test("is emptied without losing the events for the comparison, and purged only on demand", async (t) => {
    const { url, send, logs } = await served(t);
    await send('{"msg":"before"}');
    assert.equal((await ask(url, { method: "DELETE", path: "/logs" })).text, "ok");
    assert.deepEqual(await logs(), []);
    assert.deepEqual(numbers(await logs("segment=all")), [1]);
    const run = JSON.stringify({ runId: "post" });
    assert.deepEqual(JSON.parse((await ask(url, { path: "/run", body: run })).text), {
      ok: true,
      run: "post-fix",
    });
    await send('{"msg":"after"}');
    assert.deepEqual(
      (await logs()).map(({ _run, _seq }) => [_run, _seq]),
      [["post-fix", 2]],
    );
    await ask(url, { method: "DELETE", path: "/logs?purge=1" });
    assert.deepEqual(await logs("segment=all"), []);
  });

  test("is queried, cleared and checked at the address of the environment file and next to it [debug.endpoint.address] [debug.endpoint.query] [debug.endpoint.health] [debug.endpoint.clear]", async (t) => {
    const { url, send } = await served(t);
    for (const place of ["/event", ""]) {
      for (const hypothesisId of ["A", "B", "A"]) await send(JSON.stringify({ hypothesisId }));
      const events = async (query = ""): Promise<number> =>
        (JSON.parse((await ask(url, { path: `${place}/logs${query}` })).text) as Stored[]).length;
      assert.deepEqual([await events(), await events("?hypothesisId=A&last=1")], [3, 1]);
      const told = JSON.parse((await ask(url, { path: `${place}/health` })).text) as Record<string, unknown>;
      assert.deepEqual([told["status"], told["log_count"]], ["ok", 3]);
      const clear = (query: string) => ask(url, { method: "DELETE", path: `${place}/logs${query}` });
      assert.equal((await clear("?purge=maybe")).status, 400);
      assert.deepEqual(await clear(""), { status: 200, text: "ok" });
      assert.equal(await events(), 0);
    }
  });

  test("takes its run from a body of any content type, and refuses an invalid body with a valid example", async (t) => {
    const { url } = await served(t);
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const named = await ask(url, { path: "/run", body: '{"runId":"post"}', headers });
    assert.deepEqual([named.status, JSON.parse(named.text)], [200, { ok: true, run: "post-fix" }]);
    for (const body of ["", "post-fix", '{"runId":""}', '{"runId":1}', '{"runId":"a","b":1}', "null"]) {
      const { status, text } = await ask(url, { path: "/run", body, headers });
      const { error, hint } = JSON.parse(text) as { readonly error: string; readonly hint: string };
      assert.deepEqual([status, error], [400, "bad_body"], body);
      assert.match(hint, /runId/);
    }
  });

  test("marks an event with a duplicate key, and cuts a key over 1 KiB", async (t) => {
    const { send, logs } = await served(t);
    await send(`{"msg":"a","msg":"b"}\n{"${"k".repeat(1_025)}":1}`);
    const [twice, long] = await logs();
    assert.deepEqual([twice?.["msg"], twice?.["_flags"]], ["b", ["doubled"]]);
    assert.deepEqual([long?.[`${"k".repeat(1_024)}…(+1 bytes)`], long?.["_flags"]], [1, ["cut"]]);
  });

  test("contains no secret, by its name or form, not even in refused bodies", async (t) => {
    const { info, send, logs } = await served(t);
    const bearer = "Bearer abcDEF123456ghiJKL";
    await send(
      JSON.stringify({
        data: { user: "mira", token: "tok-123", nested: { Password: "hunter2", pin: 4 } },
        msg: `sent with ${bearer}`,
        tokens: 12,
      }),
    );
    assert.equal((await send(`{"authorization": "${bearer}", oops`)).status, 400);
    const [stored] = await logs();
    assert.deepEqual(stored?.["data"], {
      user: "mira",
      token: "[redacted]",
      nested: { Password: "[redacted]", pin: 4 },
    });
    assert.equal(stored["msg"], "sent with Bearer [redacted]");
    assert.equal(stored["tokens"], 12);
    const kept = `${await readFile(info.log_file, "utf8")}${await readFile(info.log_file.replace("debug-log", "debug-rejected"), "utf8")}`;
    for (const secret of ["tok-123", "hunter2", "abcDEF123456"]) assert.ok(!kept.includes(secret), secret);
  });
});
