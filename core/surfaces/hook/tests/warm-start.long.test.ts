/** The real program behind the dispatcher: the first event starts a warm host in the background, the second asks it. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { nodeFiles } from "../../../adapters/files.ts";
import { dispatcherFile, hostSocket, sentVariables } from "../warm/dispatcher.ts";
import { SOURCE, variablesOf } from "../../../../contract-tests/command-line.ts";
import { SKILLS } from "../../../../contract-tests/harness.ts";

/** So long something may take on a busy machine, in milliseconds. */
const PATIENCE_MS = 60_000;

async function until(isSo: () => boolean): Promise<void> {
  for (let waited = 0; !isSo(); waited += 20) {
    assert.ok(waited < PATIENCE_MS);
    await sleep(20);
  }
}

test("a warm host is started once, outlives the dispatcher, gives the same answer, and ends when it is not meant", async (t) => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "skillctl-warm-start-")));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const variables = variablesOf(folder);
  const state = join(folder, "state");
  const named = SKILLS.flatMap(({ manifest }) => manifest.permissions?.environment ?? []);
  const own = [process.execPath, ...SOURCE];
  const dispatcher = await dispatcherFile(state, { own, variables: named, files: nodeFiles });
  const event = JSON.stringify({
    hook_event_name: "PreToolUse",
    session_id: "s",
    cwd: folder,
    tool_name: "Write",
    tool_input: { file_path: join(folder, ".svc-login", "token.json"), content: "x" },
  });
  const ask = () => {
    const { status, stdout, stderr } = spawnSync("sh", [dispatcher, "claude-code"], {
      cwd: folder,
      env: variables,
      input: event,
      encoding: "utf8",
    });
    return { status, out: stdout.replace(/ \(skillctl why [^)]*\)/, ""), err: stderr };
  };
  const socket = hostSocket(state);
  const cold = ask();
  assert.equal(cold.status, 0, cold.err);
  assert.match(cold.out, /"permissionDecision":"deny"/);
  await until(() => existsSync(socket));
  assert.deepEqual(ask(), cold);
  assert.ok(existsSync(socket));
  const peer = connect(socket);
  const said = peer.setEncoding("utf8").toArray();
  const head = ["skillctl-guard/1", "claude-code", folder, sentVariables(named), "/another/program"];
  peer.end(`${head.join("\0")}\0\0${event}`);
  assert.match((await said).join(""), /^\.*no\n$/);
  await until(() => !existsSync(socket));
});
