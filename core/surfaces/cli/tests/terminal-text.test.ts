/** What a service or a title says never reaches a terminal as something that it would obey; to a pipe the bytes stay. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runCli, temporaryFolder, writeSkill } from "../fixture.ts";
import type { Terminal } from "../verb.ts";

const OBEYED = "\u001B]0;title\u0007 \u009B2J\r \u202E";
const SHOWN = "\\u001b]0;title\\u0007 \\u009b2J\\u000d \\u202e";
test("the result of a command is escaped on a terminal and stays as it is on a pipe", async (t) => {
  const { path, close } = await temporaryFolder();
  t.after(close);
  const skill = await writeSkill(path, "greeting");
  for (const showsOut of [true, false]) {
    let out = "";
    const terminal: Terminal = {
      out: (text) => void (out += text),
      err: () => undefined,
      lively: false,
      colour: false,
      columns: 80,
      showsOut,
      signal: new AbortController().signal,
    };
    const words = ["run", "greeting", "greet", OBEYED, "--plugin", skill];
    await runCli(path, words, { terminal: () => terminal });
    assert.equal(out, `Hello ${showsOut ? SHOWN : OBEYED}\n`);
  }
});
