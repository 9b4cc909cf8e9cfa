/** The gates beside the evidence gate: confirmation, server, evidence, order, and what opens them all. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { entryOf, placed } from "./session-harness.ts";
import { agentIn, agentOf, SESSION } from "./gates-harness.ts";

const OPEN = [
  "observing",
  "instrumenting",
  "reproducing",
  "judging",
  "fixing",
  "verifying",
  "confirming",
] as const;

describe("the confirmation gate [debug.gate.confirmation]", () => {
  test("no cleanup before the user has answered A or D, by command or by hand", async (t) => {
    const project = await agentIn(t, { git: false });
    const agent = agentOf(project);
    const { baseline } = await entryOf(project, SESSION);
    await project.write(".dbg/sum-is-wrong.env", "");
    const commands = [
      "skillctl run runtime-debug cleanup",
      `npx skillctl run runtime-debug cleanup ${SESSION}`,
      "rm -rf .dbg",
      `rm debug-${SESSION}.md`,
      `mv debug-${SESSION}.md /tmp/`,
      `: > debug-${SESSION}.md`,
      `rm .dbg/${SESSION}.env`,
    ];
    for (const state of OPEN) {
      await placed(project, state, { baseline });
      for (const command of state === "verifying" ? commands : commands.slice(0, 3)) {
        const { decision, text } = await agent.bash(command);
        assert.equal(decision, "deny", `${state}: ${command}`);
        assert.match(text, /confirmation-gate|evidence-gate/);
      }
    }
    await placed(project, "cleaning", { outcome: "fixed" });
    for (const command of commands) assert.equal((await agent.bash(command)).decision, "allow", command);
  });

  test("the status in the record is not set by hand; a note is", async (t) => {
    const agent = await agentIn(t, { git: false });
    const file_path = join(agent.root, `debug-${agent.session}.md`);
    const text = await readFile(file_path, "utf8");
    const wrote = async (content: string) => (await agent.asks("Write", { file_path, content })).decision;
    assert.equal(await wrote(text.replace("[OPEN]", "[FIXED]")), "deny");
    assert.equal(await wrote(""), "deny");
    assert.equal(await wrote(`${text}\nSeen by Ada.\n`), "allow");
    const edit = { file_path, old_string: "[OPEN]", new_string: "[CLOSED]" };
    assert.equal((await agent.asks("Edit", edit)).decision, "deny");
    assert.equal((await agent.asks("mcp__files__delete_file", { path: file_path })).decision, "deny");
    const guide = join(agent.host.folder, "debug-guide.md");
    assert.equal((await agent.asks("Write", { file_path: guide, content: "" })).decision, "allow");
  });
});

describe("the server of a session", () => {
  test("it stays until the user has confirmed [debug.limits.stays]", async (t) => {
    const agent = await agentIn(t, { git: false });
    const { info } = await agent.collect(agent.session);
    const { port } = new URL(info.base_url);
    const denied = [
      `kill ${info.pid}`,
      `kill -9 ${info.pid}`,
      "pkill -f runtime-debug",
      "pkill node",
      "killall -9 node",
      `fuser -k ${port}/tcp`,
      `npx kill-port ${port}`,
      `curl -X POST ${info.base_url}/shutdown`,
    ];
    for (const command of denied) assert.equal((await agent.bash(command)).decision, "deny", command);
    for (const command of [
      "kill 999999",
      "pkill -f 'npm start'",
      "kill %1",
      `curl -s ${info.base_url}/health`,
    ])
      assert.equal((await agent.bash(command)).decision, "allow", command);
  });

  test("its log is cleared for a new reproduction, and not when the hypotheses are judged by it", async (t) => {
    const project = await agentIn(t, { git: false });
    const { baseline } = await entryOf(project, SESSION);
    const server = { url: "http://127.0.0.1:7777", pid: 1, instance: "x" };
    const agent = agentOf(project);
    const clear = "curl -s -X DELETE http://localhost:7777/logs";
    await placed(project, "reproducing", { baseline, server });
    assert.equal((await agent.bash(clear)).decision, "allow");
    await placed(project, "judging", { baseline, server });
    assert.equal((await agent.bash(clear)).decision, "ask");
  });

  test("nobody but the program sends it events, nor writes its log", async (t) => {
    const agent = await agentIn(t, { git: false });
    const { info } = await agent.collect(agent.session);
    const log = `.dbg/svc-debug-log-${agent.session}.ndjson`;
    const denied = [
      `curl -d '{"msg":"x"}' ${info.api_url}`,
      `curl -X POST --json '{}' ${info.api_url.replace("127.0.0.1", "localhost")}`,
      `wget --post-data='{}' ${info.api_url}`,
      `curl -d '{}' "$DEBUG_SERVER_URL"`,
      `. .dbg/${agent.session}.env; curl -d '{}' "$DEBUG_SERVER_URL"`,
      `curl -d '{}' "$(sed -n s/DEBUG_SERVER_URL=//p .dbg/${agent.session}.env)"`,
      `echo '{}' >> ${log}`,
      `cp /tmp/forged ${log}`,
    ];
    for (const command of denied) {
      const { decision, text } = await agent.bash(command);
      assert.equal(decision, "deny", command);
      assert.match(text, /Evidence comes from the running program alone/, command);
    }
    const content = "{}";
    const file_path = join(agent.root, log);
    assert.equal((await agent.asks("Write", { file_path, content })).decision, "deny");
    for (const command of [
      `curl -s ${info.base_url}/logs?last=5`,
      `curl -s ${info.base_url}/event/health`,
      `cat ${log}`,
      `. .dbg/${agent.session}.env; echo "$DEBUG_SERVER_URL"`,
      `. .dbg/${agent.session}.env; curl -s "$DEBUG_SERVER_URL/logs"`,
      `echo "$DEBUG_SERVER_URL"; curl -d '{}' http://localhost:1/orders`,
      "curl -s -d '{}' http://localhost:1/orders",
    ])
      assert.equal((await agent.bash(command)).decision, "allow", command);
  });
});

describe("the order of the steps, and where it is kept", () => {
  test("a step that does not come next is refused before the call [debug.phases.order]", async (t) => {
    const agent = await agentIn(t, { git: false });
    for (const command of ["fix x", "verify", "judge --verdicts '{}'", "answer A"]) {
      const { decision, text } = await agent.bash(`skillctl run runtime-debug ${command}`);
      assert.equal(decision, "deny", command);
      assert.match(text, /The session is at step 4 of 11/);
    }
    for (const command of [
      "status",
      "check",
      "answer D",
      "fix --help",
      "logs",
      "start other",
      "check --staged",
    ])
      assert.equal((await agent.bash(`skillctl run runtime-debug ${command}`)).decision, "allow", command);
  });

  test("the state folder is not written, and not moved away [debug.gate.evidence]", async (t) => {
    const agent = await agentIn(t, { git: false });
    const { stateFolder } = agent.host.environment;
    const denied = [
      `rm -rf ${stateFolder}`,
      `echo x > ${stateFolder}/documents/x`,
      `rm -rf ${agent.host.folder}`,
      "SKILLCTL_STATE=/tmp/other skillctl run runtime-debug status",
      "HOME=/tmp skillctl run runtime-debug status",
    ];
    for (const command of denied) {
      const { decision, text } = await agent.bash(command);
      assert.equal(decision, "deny", command);
      assert.match(text, /Only skillctl writes there|Only the commands of skillctl/, command);
    }
    const file_path = join(stateFolder, "documents", "runtime-debug-sessions", "00", "1.txt");
    assert.equal((await agent.asks("Write", { file_path, content: "" })).decision, "deny");
    assert.equal((await agent.bash(`ls ${stateFolder}`)).decision, "allow");
  });
});
