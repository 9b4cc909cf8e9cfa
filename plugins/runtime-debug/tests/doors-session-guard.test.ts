/** What the guard lets an agent do before the evidence, and before the user has answered: hooks of a real session. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { inspect } from "node:util";
import { agentOf, gatedProject, type Agent } from "./gates-harness.ts";
import { BUG, FIX, ID, RECORD, walked, type Walk } from "./doors-walk.ts";

async function at(t: TestContext, state: Parameters<typeof walked>[1]): Promise<Agent & Walk> {
  const walk = await walked(await gatedProject(t, { git: "none" }), state);
  return { ...agentOf(walk), ...walk };
}

describe("before a cause is confirmed [debug.gate.evidence] [debug.phases.order]", () => {
  test("an editor changes no code, adds no file, and puts in probes only after the hypotheses", async (t) => {
    const { asks, root, run, read } = await at(t, "judging");
    const file_path = join(root, "total.js");
    const fix = await asks("Edit", { file_path, old_string: BUG, new_string: FIX });
    assert.equal(fix.decision, "deny");
    assert.match(fix.text, /more than probes would be changed[^]*No log line has confirmed a cause yet/);
    assert.match(fix.text, /step 7 of 11: `skillctl run runtime-debug status` says what comes next/);
    const helper = await asks("Write", { file_path: join(root, "helper.js"), content: "x();\n" });
    assert.equal(helper.decision, "deny");
    assert.match(helper.text, /it would be a new file/);
    const text = await read("total.js");
    assert.equal((await asks("Write", { file_path, content: text })).decision, "allow");
    assert.equal((await asks("Write", { file_path, content: `${text}\nextra();\n` })).decision, "deny");
    assert.equal((await asks("Read", { file_path })).decision, "allow");
    assert.equal((await run("status")).text.includes("Step 7 of 11"), true);
  });

  test("a shell command that names a file of the project writes no code either", async (t) => {
    const { bash } = await at(t, "instrumenting");
    const denied = [
      "sed -i 's/index = 1/index = 0/' total.js",
      "echo x > total.js",
      "touch helper.js",
      "rm -rf .",
    ];
    for (const command of denied) assert.equal((await bash(command)).decision, "deny", command);
    for (const command of [
      'bash -c "$(cat /tmp/unknown)"',
      "node total.js",
      "grep -n sum total.js",
      "ls > /tmp/x",
    ])
      assert.equal((await bash(command)).decision, "allow", command);
  });

  test("documentation, scratch files elsewhere and what nobody can see is free, and the check agrees", async (t) => {
    const project = await gatedProject(t, { git: "none" });
    await project.write("README.md", "# Shop\n");
    const walk = await walked(project, "instrumenting");
    const { asks, bash } = agentOf(walk);
    const file_path = join(walk.root, "README.md");
    const edit = { file_path, old_string: "# Shop", new_string: "# The shop" };
    assert.equal((await asks("Edit", edit)).decision, "allow");
    for (const command of [
      "echo more >> README.md",
      "mkdir -p docs && echo '# Guide' > docs/guide.md",
      "cat > /tmp/scratch-of-a-session.py <<'E'\nprint(1)\nE\npython3 /tmp/scratch-of-a-session.py",
      "open http://localhost:3000",
      "npm run build",
      "npm test -- --test-name-pattern=total",
      'curl "http://localhost:${PORT}/health"',
      'eval "$(direnv export bash)"',
    ])
      assert.deepEqual(await bash(command), { decision: "allow", text: "" }, command);
    await project.write("README.md", "# The shop\n");
    await assert.rejects(walk.run("check"), (caught) => !inspect(caught, { depth: 5 }).includes("README"));
    assert.equal((await bash("rm README.md")).decision, "deny");
  });

  test("nobody but the program sends events, writes the log, or skips a step", async (t) => {
    const { bash, asks, root, url } = await at(t, "reproducing");
    const log = join(root, ".dbg", `svc-debug-log-${ID}.ndjson`);
    const forged = [
      `curl -X POST -d '{}' ${url}/event`,
      `curl -d @x.json ${url.replace("127.0.0.1", "localhost")}/ingest`,
      `wget --post-data='{}' ${url}/event`,
      `curl -d '{}' "$DEBUG_SERVER_URL"`,
      `. .dbg/${ID}.env; curl -d '{}' "$DEBUG_SERVER_URL"`,
      `curl -d '{}' "$(sed -n s/DEBUG_SERVER_URL=//p .dbg/${ID}.env)"`,
      `echo '{}' >> ${log}`,
      `cp /tmp/forged ${log}`,
    ];
    for (const command of forged) {
      const { decision, text } = await bash(command);
      assert.equal(decision, "deny", command);
      assert.match(text, /Evidence comes from the running program alone/, command);
    }
    assert.equal((await asks("Write", { file_path: log, content: "{}\n" })).decision, "deny");
    for (const step of ["judge --verdicts '{}'", 'fix "done"', "verify"]) {
      const { decision, text } = await bash(`npx skillctl run runtime-debug ${step} --session ${ID}`);
      assert.equal(decision, "deny", step);
      assert.match(text, /The session is at step 6 of 11/);
    }
    const free = [
      ...["answer A", "answer D", "status", "check --staged", "fix --help", "logs", "start other"].map(
        (words) => `skillctl run runtime-debug ${words}`,
      ),
      `curl -s ${url}/logs?last=5`,
      `curl -s ${url}/event/health`,
      `curl -s -X DELETE ${url}/logs`,
      `cat ${log}`,
      `. .dbg/${ID}.env; curl -s "$DEBUG_SERVER_URL/logs"`,
      `echo "$DEBUG_SERVER_URL"; curl -d '{}' http://localhost:1/orders`,
    ];
    for (const command of free) assert.equal((await bash(command)).decision, "allow", command);
  });

  test("the state folder is not written, and not moved away", async (t) => {
    const { bash, asks, host } = await at(t, "instrumenting");
    const { stateFolder } = host.environment;
    const denied = [
      `rm -rf ${stateFolder}`,
      `echo x > ${stateFolder}/documents/x`,
      `rm -rf ${host.folder}`,
      "SKILLCTL_STATE=/tmp/other skillctl run runtime-debug status",
      "HOME=/tmp skillctl run runtime-debug status",
    ];
    for (const command of denied) {
      const { decision, text } = await bash(command);
      assert.equal(decision, "deny", command);
      assert.match(text, /Only skillctl writes there|Only the commands of skillctl/, command);
    }
    const file_path = join(stateFolder, "documents", "runtime-debug-sessions", "00", "1.txt");
    assert.equal((await asks("Write", { file_path, content: "" })).decision, "deny");
    assert.equal((await bash(`ls ${stateFolder}`)).decision, "allow");
  });
});

describe("before the user has answered [debug.gate.confirmation] [debug.limits.stays]", () => {
  test("nothing of the session is removed, its server stays, and its status is not set by hand", async (t) => {
    const { bash, asks, root, read, url, run, replace } = await at(t, "fixing");
    const { port } = new URL(url);
    const removals = [
      `skillctl run runtime-debug cleanup`,
      `npx skillctl run runtime-debug cleanup ${ID}`,
      `rm ${RECORD}`,
      `mv ${RECORD} /tmp/`,
      `: > ${RECORD}`,
      `rm .dbg/${ID}.env`,
      "rm -rf .dbg",
    ];
    const endings = [
      `kill ${process.pid}`,
      `kill -9 ${process.pid}`,
      `fuser -k ${port}/tcp`,
      `npx kill-port ${port}`,
      "pkill -f runtime-debug",
      "pkill node",
      "killall -9 node",
      `curl -X POST ${url}/shutdown`,
    ];
    for (const command of [...removals, ...endings])
      assert.equal((await bash(command)).decision, "deny", command);
    for (const command of ["kill 999999", "pkill -f 'npm start'", "kill %1", `curl -s ${url}/health`])
      assert.equal((await bash(command)).decision, "allow", command);
    assert.equal((await bash(`curl -X DELETE ${url}/logs`)).decision, "ask");
    const file_path = join(root, RECORD);
    const text = await read(RECORD);
    const wrote = async (content: string) => (await asks("Write", { file_path, content })).decision;
    assert.equal(await wrote(text.replace("[OPEN]", "[FIXED]")), "deny");
    assert.equal(await wrote(""), "deny");
    assert.equal(await wrote(`${text}\nA note.\n`), "allow");
    const status = { file_path, old_string: "[OPEN]", new_string: "[CLOSED]" };
    assert.equal((await asks("Edit", status)).decision, "deny");
    assert.equal((await asks("mcp__files__delete_file", { path: file_path })).decision, "deny");
    const guide = join(root, "..", "debug-guide.md");
    assert.equal((await asks("Write", { file_path: guide, content: "" })).decision, "allow");
    const edit = { file_path: join(root, "total.js"), old_string: BUG, new_string: FIX };
    assert.equal((await asks("Edit", edit)).decision, "allow");
    await replace(BUG, FIX);
    await run("answer", { answer: "D" });
    for (const command of removals) assert.equal((await bash(command)).decision, "allow", command);
  });
});
