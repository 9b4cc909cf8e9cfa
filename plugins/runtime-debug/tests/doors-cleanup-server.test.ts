/** The server of a session in a process of its own: it is there until the cleanup, and no longer. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { program } from "../../../contract-tests/command-line.ts";
import { ask } from "./client.ts";
import { blockIn, type Announced } from "./serving.ts";
import { debugProject } from "./session-harness.ts";
import { ID } from "./doors-walk.ts";

/** Serves a session of a project in a process of its own, from the source. */
async function serverProcess(t: TestContext, root: string, home: string, session: string) {
  const words = ["run", "runtime-debug", "serve", session, "--port", "0", "--outdir", join(root, ".dbg")];
  const child = program(words, home);
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
