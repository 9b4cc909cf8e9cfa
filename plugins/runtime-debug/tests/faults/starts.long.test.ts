/** Starts at the same time as others and after others: F34, F36 and F37 of the fault table. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { otherSide } from "../../../../core/testing/fixture-other-side.ts";
import { BUILT, sayInProcessOfItsOwn } from "../../../../contract-tests/command-line.ts";
import { recordFile } from "../../server/server-files.ts";
import { ask, post, until } from "../client.ts";
import { FLAWLESS, History } from "../history.ts";
import { debugServer, lastly, launched, scratch } from "../server-harness.ts";
import { needs } from "./needs.ts";

test("F34 32 sessions that start at once get 32 ports, and each gets its own events [debug.resource.session-id] [debug.endpoint.port]", async (t) => {
  const folder = join(await scratch(t), ".dbg");
  const names = Array.from({ length: 32 }, (_, index) => `session-n${index}`);
  const all = await Promise.all(names.map((session) => launched(t, { folder, session, port: 17_777 })));
  const blocks = (await Promise.all(all.map(({ block }) => block))).filter((block) => block !== undefined);
  assert.equal(new Set(blocks.map(({ api_url }) => new URL(api_url).port)).size, 32);
  const told = await Promise.all(
    blocks.map(({ api_url, session_id }) =>
      ask(new URL(api_url).origin, { body: JSON.stringify({ msg: session_id }) }),
    ),
  );
  assert.deepEqual([...new Set(told.map(({ status }) => status))], [200]);
  for (const { log_file: log, session_id } of blocks) {
    const [line = "", ...others] = (await readFile(log, "utf8")).trim().split("\n");
    const { msg } = JSON.parse(line) as { readonly msg: string };
    assert.deepEqual([msg, others], [session_id, []]);
  }
});

test("F36 of two starts at once for one session, 20 times, one serves, the other names its address, and a kill frees it", async (t) => {
  const folder = join(await scratch(t), ".dbg");
  const history = new History();
  const said: string[] = [];
  for (let round = 0; round < 20; round += 1) {
    const both = await Promise.all([launched(t, { folder }), launched(t, { folder })]);
    const blocks = await Promise.all(both.map(({ block }) => block));
    const [up, ...others] = blocks.filter((block) => block !== undefined);
    assert.ok(up && others.length === 0, `round ${round}`);
    const refused = both[blocks.indexOf(undefined)] ?? assert.fail();
    const { code } = await refused.ended;
    const told = await until(
      async () => refused.err(),
      (text) => text.includes("hint: "),
    );
    said.push(`${code}${told.includes(new URL(up.api_url).host) ? "" : told}`);
    await post(new URL(up.api_url).origin, history, round);
    process.kill(up.pid, "SIGKILL");
    await Promise.all(both.map(({ ended }) => ended));
  }
  assert.deepEqual(await history.verdict(folder), FLAWLESS);
  // On a machine that is busy, the first may take longer than the other waits for its address.
  const patient = said.filter((text) => !/^75.*has published no address/s.test(text));
  assert.deepEqual([[...new Set(patient)], patient.length > 14], [["75"], true]);
});

test(
  "F37 stale files are not trusted: no other process is signalled, and the present owner of the port receives no key",
  { skip: needs("linux") },
  async (t) => {
    const bystander = spawn("sleep", ["600"], { stdio: "ignore" });
    lastly(t, async () => void bystander.kill("SIGKILL"));
    const shown: string[] = [];
    const foreign = await otherSide(t, (request, response) => {
      shown.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
      response.end('{"ok":true,"session_id":"fault-test","instance":"another"}');
    });
    const folder = join(await scratch(t), ".dbg");
    const start = { folder, words: ["--require-key"] };
    const first = await debugServer(t, start);
    await first.kill();
    const path = recordFile({ stateFolder: join(folder, "..", "state") }, { folder }, "fault-test");
    const known = JSON.parse(await readFile(path, "utf8")) as { readonly keyFile: string };
    const keys = JSON.parse(await readFile(known.keyFile, "utf8")) as Record<"control" | "collect", string>;
    const url = new URL(foreign.url).origin;
    const believed = { ...known, url, eventUrl: `${url}/event`, pid: bystander.pid };
    await writeFile(path, JSON.stringify({ ...believed, port: Number(new URL(url).port) }), { mode: 0o600 });
    const variables = await readFile(first.environmentFile, "utf8");
    await writeFile(first.environmentFile, variables.replaceAll(first.url, url));
    const words = ["run", "runtime-debug", "doctor", "fault-test", "--outdir", folder];
    assert.equal((await sayInProcessOfItsOwn(words, dirname(folder), { start: BUILT })).status, 69);
    const second = await launched(t, start);
    assert.ok(await second.block);
    // A signal needs a moment.
    await pause(1_000);
    assert.deepEqual([bystander.exitCode, bystander.signalCode], [null, null]);
    assert.notEqual(shown.length, 0);
    for (const secret of [keys.control, keys.collect, "authorization", "k="])
      assert.ok(!shown.some((text) => text.includes(secret)), secret);
  },
);
