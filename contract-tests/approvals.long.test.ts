/** The question of a rule is asked at each surface that has a person, and an approval covers one call. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import type { ElicitResult } from "@modelcontextprotocol/client";
import { temporaryFolder, writeSkill } from "../core/surfaces/cli/fixture-command-line.ts";
import { atTerminal, noTerminal } from "../core/surfaces/cli/tests/terminal-harness.ts";
import { ERAS, connect } from "../core/surfaces/mcp/tests/mcp-harness.ts";
import { sayInProcessOfItsOwn } from "./command-line.ts";

const CAREFUL = {
  manifest: {
    rules: {
      careful: {
        tell: "Ask before a greeting.",
        on: ["command.pre"],
        when: { type: "object" },
        decision: "ask",
        message: "A greeting leaves the house.",
      },
    },
  },
};

async function carefulFolder() {
  const { path, close } = await temporaryFolder();
  await writeSkill(join(path, "skills"), "careful", CAREFUL);
  return { path, close };
}

test(
  "a person at the terminal answers, and skillctl why shows the answer",
  { skip: noTerminal },
  async (t) => {
    const { path, close } = await carefulFolder();
    t.after(close);
    const run = (keys: string) => {
      let isTyped = false;
      return atTerminal("run careful greet Ada", {
        folder: path,
        columns: 80,
        person: (shown, type) => {
          if (isTyped || !shown.includes("◆")) return;
          isTyped = true;
          type(keys, 200);
        },
      });
    };
    const byLabel = await run("Yes, this\r");
    assert.equal(byLabel.status, 0, byLabel.shown);
    const allowed = await run("y\r");
    assert.equal(allowed.status, 0, allowed.shown);
    assert.match(
      allowed.shown,
      /A greeting leaves the house\.[^]*Run careful greet with \{"name":"Ada"\}\?[^]*Hello Ada/,
    );
    const why = await sayInProcessOfItsOwn(["why", "--plugin", join(path, "skills")], path);
    assert.match(why.out, /: ask, [^]*approved for this call by a person \(cli\)/);
    for (const keys of ["\r", "n\r"]) {
      const refused = await run(keys);
      assert.equal(refused.status, 77, refused.shown);
      assert.match(refused.shown, /Not approved: A greeting leaves the house\./);
      assert.doesNotMatch(refused.shown, /Hello Ada/);
    }
    const words = ["run", "careful", "greet", "Ada", "--plugin", join(path, "skills")];
    const alone = await sayInProcessOfItsOwn(words, path);
    assert.equal(alone.status, 77);
    assert.match(
      alone.err,
      /^hint: Run the command at a terminal to answer the question\. Rule: careful\/careful\./m,
    );
  },
);

for (const era of ERAS)
  test(`a client of MCP ${era} shows the question as a form`, async (t) => {
    const { path, close } = await carefulFolder();
    t.after(close);
    const call = async (answer?: () => ElicitResult) => {
      await using opened = await connect({
        era,
        folder: path,
        words: ["--plugin", join(path, "skills")],
        ...(answer && { answer }),
      });
      return await opened.client.callTool({ name: "careful_greet", arguments: { name: "Ada" } });
    };
    const yes = await call(() => ({ action: "accept", content: { choice: "Y" } }));
    assert.deepEqual(yes.content, [{ type: "text", text: "Hello Ada" }]);
    const no = await call(() => ({ action: "accept", content: { choice: "N" } }));
    assert.equal(no.isError, true);
    assert.match(JSON.stringify(no.content), /GUARD_DENIED: Not approved: A greeting leaves the house\./);
    const unasked = await call();
    assert.match(JSON.stringify(unasked.content), /GUARD_ASKS/);
    const declined = await call(() => ({ action: "decline" }));
    assert.equal(declined.isError, true);
  });
