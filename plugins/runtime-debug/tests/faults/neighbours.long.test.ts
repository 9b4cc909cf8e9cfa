/** A troublesome skill in the same process: F43 and F44 of the fault table. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { ask, health, load, until } from "../client.ts";
import { FLAWLESS, History } from "../history.ts";
import { debugServer, type DebugServer } from "../server-harness.ts";
import { ROOT } from "../../../../contract-tests/harness.ts";
import { careless } from "./careless.ts";

const LOADER = join(ROOT, "node_modules", "tsx", "dist", "loader.mjs");
const HOUSE = {
  node: ["--conditions=@skillctl/source", "--import", `file://${LOADER}`],
  script: [join(import.meta.dirname, "trouble-harness.ts")],
  variables: { TSX_TSCONFIG_PATH: join(ROOT, "tsconfig.json") },
};

async function neighbours(
  t: TestContext,
): Promise<{ readonly server: DebugServer; readonly trouble: string }> {
  const server = await debugServer(t, HOUSE);
  const [, trouble = ""] = /^TROUBLE (\S+)$/m.exec(server.out()) ?? [];
  return { server, trouble };
}

/** Load that has got going. */
async function underLoad(server: DebugServer) {
  const history = new History();
  const posting = load(server.url, history, 4);
  await until(
    async () => history.acknowledged.size,
    (size) => size > 20,
  );
  return { history, posting };
}

for (const name of ["throws", "rejects"]) {
  test(`F43 a route that ${name} is answered with 500, and the debug server does not feel it`, async (t) => {
    const { server, trouble } = await neighbours(t);
    const { history, posting } = await underLoad(server);
    for (let turn = 0; turn < 20; turn += 1) {
      const told = await ask(trouble, { path: `/${name}` });
      assert.equal(told.status, 500, told.text);
      assert.doesNotMatch(told.text, /trouble-harness|    at /);
    }
    await posting.stop();
    assert.equal((await health(server.url)).pid, server.pid);
    assert.deepEqual([[...history.refusals], await history.verdict(server.folder)], [[], FLAWLESS]);
  });
}

test("F43 control: a collector that handles a request bare ends with it", async (t) => {
  const server = await debugServer(t, careless("naming"));
  await assert.rejects(ask(server.url, { path: "/throws" }));
  assert.equal((await server.ended).code, 1);
});

test("F44 a route that blocks everything for 5 s costs no acknowledged event, and nothing is refused for it", async (t) => {
  const { server, trouble } = await neighbours(t);
  const { history, posting } = await underLoad(server);
  const started = performance.now();
  const told = await ask(trouble, { path: "/blocks" });
  assert.deepEqual([told.status, performance.now() - started > 4_900], [200, true]);
  await until(
    async () => history.acknowledged.size,
    (size) => size > 100,
  );
  await posting.stop();
  assert.deepEqual([[...history.refusals], await history.verdict(server.folder)], [[], FLAWLESS]);
});

test("F44 control: a collector that watches over its own clock ends", async (t) => {
  const server = await debugServer(t, careless("watchdog"));
  await ask(server.url, { path: "/blocks" });
  assert.equal((await server.ended).code, 1);
});
