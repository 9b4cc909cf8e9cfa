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

describe("before a cause is confirmed", () => {
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
    const denied = [
      `curl -X POST -d '{}' ${url}/event`,
      `curl -d @x.json ${url.replace("127.0.0.1", "localhost")}/ingest`,
      `echo '{}' >> ${log}`,
      `skillctl run runtime-debug judge --session ${ID} --verdicts '{}'`,
      `npx skillctl run runtime-debug fix "done" --session ${ID}`,
    ];
    for (const command of denied) assert.equal((await bash(command)).decision, "deny", command);
    assert.equal((await asks("Write", { file_path: log, content: "{}\n" })).decision, "deny");
    for (const command of [`curl -s ${url}/logs`, `skillctl run runtime-debug answer A --session ${ID}`])
      assert.equal((await bash(command)).decision, "allow", command);
  });
});

describe("before the user has answered", () => {
  test("nothing of the session is removed, its server stays, and its status is not set by hand", async (t) => {
    const { bash, asks, root, read, url, run, replace } = await at(t, "fixing");
    const { port } = new URL(url);
    const denied = [
      `skillctl run runtime-debug cleanup ${ID}`,
      `rm ${RECORD}`,
      "rm -rf .dbg",
      `kill ${process.pid}`,
      `fuser -k ${port}/tcp`,
      "pkill -f runtime-debug",
    ];
    for (const command of denied) assert.equal((await bash(command)).decision, "deny", command);
    assert.equal((await bash(`curl -X DELETE ${url}/logs`)).decision, "ask");
    const file_path = join(root, RECORD);
    const text = await read(RECORD);
    const closed = text.replace("[OPEN]", "[FIXED]");
    assert.equal((await asks("Write", { file_path, content: closed })).decision, "deny");
    assert.equal((await asks("Write", { file_path, content: `${text}\nA note.\n` })).decision, "allow");
    const edit = { file_path: join(root, "total.js"), old_string: BUG, new_string: FIX };
    assert.equal((await asks("Edit", edit)).decision, "allow");
    await replace(BUG, FIX);
    await run("answer", { answer: "D" });
    assert.equal((await bash(`skillctl run runtime-debug cleanup ${ID}`)).decision, "allow");
  });
});
