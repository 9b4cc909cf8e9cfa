/** Calls that the guard allows an agent before the evidence, and before the user has answered, by hooks of a real session. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { inspect } from "node:util";
import { agentOf, gatedProject, type Agent } from "./gates-harness.ts";
import { BUG, FIX, ID, RECORD, walked, type Walk } from "./doors-walk.ts";
import { HYPOTHESES } from "./session-harness.ts";

async function at(t: TestContext, state: Parameters<typeof walked>[1]): Promise<Agent & Walk> {
  const walk = await walked(await gatedProject(t, { git: "none" }), state);
  return { ...agentOf(walk), ...walk };
}

const REGION = `// #region debug-point A:sum
fetch("http://127.0.0.1:7777/event", { method: "POST", body: JSON.stringify({ sum }) }).catch(() => {});
// #endregion debug-point A:sum
`;

describe("before a cause is confirmed [debug.gate.evidence] [debug.phases.order]", () => {
  test("an editor changes no code, adds no file, and inserts probes only after the hypotheses [debug.instrumentation.files]", async (t) => {
    const { asks, root, run } = await at(t, "observing");
    const file_path = join(root, "total.js");
    const probe = { file_path, old_string: "  return", new_string: `${REGION}  return` };
    assert.match((await asks("Edit", probe)).text, /Probes come after the hypotheses/);
    await run("hypothesize", { hypotheses: HYPOTHESES });
    const passes = [
      ["Edit", probe],
      ["MultiEdit", { file_path, edits: [probe] }],
      ["Read", { file_path }],
      ["str_replace_based_edit_tool", { command: "view", path: file_path }],
      ["mcp__box__frobnicate", { path: file_path }],
    ] as const;
    for (const [tool, input] of passes)
      assert.deepEqual(await asks(tool, input), { decision: "allow", text: "" }, tool);
    const stops = [
      ["Edit", { file_path, old_string: BUG, new_string: FIX }],
      ["Write", { file_path, content: "" }],
      ["Write", { file_path: join(root, "SRC", "..", "TOTAL.JS"), content: "" }],
      ["mcp__files__write_file", { path: "total.js", content: "" }],
      ["str_replace_based_edit_tool", { command: "create", path: file_path, file_text: "" }],
      ["apply_patch", { input: "*** Begin Patch\n*** Delete File: total.js\n*** End Patch" }],
      ["mcp__files__move_file", { source: "total.js", destination: "/elsewhere.js" }],
    ] as const;
    for (const [tool, input] of stops) {
      const { decision, text } = await asks(tool, input);
      assert.equal(decision, "deny", `${tool} ${JSON.stringify(input)}`);
      assert.match(text, /would be (?:changed|removed|a new file)[^]*No log line has confirmed a cause yet/);
      assert.match(text, /step 4 of 11: `skillctl run runtime-debug status` shows the next step/);
    }
    const helper = await asks("Write", { file_path: join(root, "helper.js"), content: "x();\n" });
    assert.match(helper.text, /helper\.js would be a new file/);
  });

  test("a shell command that names a file of the project writes no code either", async (t) => {
    const { bash } = await at(t, "instrumenting");
    const denied = [
      "sed -i 's/index = 1/index = 0/' total.js",
      "echo x > total.js",
      "touch helper.js",
      "rm -f total.js && printf x > total.js",
      "rm -rf .",
    ];
    for (const command of denied) assert.equal((await bash(command)).decision, "deny", command);
  });

  test("documentation, scratch files outside the project and invisible changes are allowed, and the check agrees", async (t) => {
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
      "node total.js | tail -n 20 > /tmp/x",
      "npm run build",
      'curl "http://localhost:${PORT}/health"',
      'eval "$(direnv export bash)"',
      'bash -c "$(cat /tmp/unknown)"',
    ])
      assert.deepEqual(await bash(command), { decision: "allow", text: "" }, command);
    await project.write("README.md", "# The shop\n");
    await assert.rejects(walk.run("check"), (caught) => !inspect(caught, { depth: 5 }).includes("README"));
    assert.equal((await bash("rm README.md")).decision, "deny");
  });

  test("only the program sends events and writes the log, however the server's address is spelled", async (t) => {
    const { bash, asks, root, url } = await at(t, "reproducing");
    const { port } = new URL(url);
    const log = join(root, ".dbg", `svc-debug-log-${ID}.ndjson`);
    const forged = [
      `curl -X POST -d '{}' ${url}/event`,
      `curl -d @x.json ${url.replace("127.0.0.1", "localhost")}/ingest`,
      `wget --post-data='{}' ${url}/event`,
      `curl -d '{}' "$DEBUG_SERVER_URL"`,
      `. .dbg/${ID}.env; curl -d '{}' "$DEBUG_SERVER_URL"`,
      `curl -d '{}' "$(sed -n s/DEBUG_SERVER_URL=//p .dbg/${ID}.env)"`,
      ...["[::1]", "[::ffff:127.0.0.1]", "127.1", "0", "2130706433", "0x7f.1", "localhost.", "LOCALHOST"].map(
        (host) => `curl -d '{}' http://${host}:${port}/event`,
      ),
      `curl -d '{}' localhost:${port}/event`,
      `curl -d '{}' [::1]:${port}/event`,
      `curl --connect-to ::127.0.0.1:${port} -d '{}' http://localhost/event`,
      `http POST :${port}/event msg=3`,
      `ab -p x.json -T application/json http://127.1:${port}/event`,
      `hey -m POST -d '{}' http://localhost:${port}/event`,
      `wrk -s post.lua http://localhost:${port}/event`,
      `nc localhost ${port} < x.http`,
      `printf 'POST /event HTTP/1.0\\r\\n\\r\\n{}' | nc -N 127.0.0.1 ${port}`,
      `ncat ::1 ${port} < x.http`,
      `cat x.http | socat - TCP4:127.0.0.1:${port}`,
      `socat -u FILE:x.http TCP6:[::1]:${port},ipv6only=1`,
      `telnet 0 ${port} < x.http`,
      `cat x.http > /dev/tcp/127.0.0.1/${port}`,
      `exec 3<>/dev/tcp/localhost/${port}; cat x.http >&3`,
      `bash -c 'cat x.http >"/dev/tcp/::1/${port}"'`,
      `echo '{}' >> ${log}`,
      `cp /tmp/forged ${log}`,
      `U=${url}/event; curl -d x $U`,
      `U=${url}; curl -X POST "$U/event"`,
      `f() { curl -d x "$1"; }; f ${url}/event`,
      `xargs curl -d x <<< ${url}/event`,
      `curl -d x $(echo ${url}/event)`,
      `U=[::1]:${port}; curl -d x http://$U/event`,
      `curl -sXPOST ${url}/event`,
      `curl -sT/tmp/x ${url}/event`,
      `curl --dat x ${url}/event`,
      `curl -Fa=b ${url}/event`,
      `curl --resolve x:${port}:127.0.0.1 -d x http://x:${port}/event`,
      `http_proxy=${url} curl -d x http://x/event`,
      `curl -K - <<< 'url = "${url}/event"\ndata = "x"'`,
      `curl telnet://127.0.0.1:${port} < x.http`,
      `C=curl; $C -d x ${url}/event`,
      `echo 'curl -d x ${url}/event' | sh`,
      `a=(curl -d x ${url}/event); "\${a[@]}"`,
      ...["fetch(U)", "const u = U; fetch(u, { method: 'post' })"].map(
        (code) => `node -e "${code.replace("U", `'${url}/event'`)}"`,
      ),
      `node -e "require('./exporter').to('${url}/v1/logs')"`,
      ...["start 'It is wrong'", "reproduce"].map(
        (command) =>
          `skillctl run runtime-debug ${command} --page http://localhost:1/ --act "fetch('${url}/event', { method: 'POST', body: '{}' })"`,
      ),
      `skillctl run runtime-debug reproduce --page "data:text/html,<script>fetch('${url}/event',{method:'POST'})</script>"`,
      `skillctl run runtime-debug reproduce --input '{"page":"http://localhost:1/","act":"fetch(\`${url}/event\`,{method:\`POST\`})"}'`,
      `U=${url}; node -e 'fetch(process.env.U + "/" + "event", { method: "POST" })'`,
      `python3 - <<'E'\nimport requests\nrequests.post("${url}/" + "event", json={})\nE`,
      `python3 -c 's.create_connection(("127.0.0.1", ${port})).sendall(x)'`,
      `pwsh -Command "iwr -Method POST ${url}/event"`,
      `gawk 'BEGIN { print "POST /event" |& "/inet/tcp/0/127.0.0.1/${port}" }'`,
    ];
    const passed: string[] = [];
    for (const command of forged)
      if (!/Evidence comes only from the running program/.test((await bash(command)).text))
        passed.push(command);
    assert.deepEqual(passed, []);
    assert.equal((await asks("Write", { file_path: log, content: "{}\n" })).decision, "deny");
    const free = [
      ...["answer A", "answer D", "status", "check --staged", "verify", "start other"].map(
        (words) => `skillctl run runtime-debug ${words}`,
      ),
      `curl -s ${url}/logs?last=5`,
      `curl -s -X DELETE ${url}/logs`,
      `cat ${log}`,
      `. .dbg/${ID}.env; curl -s "$DEBUG_SERVER_URL/logs"`,
      `echo "$DEBUG_SERVER_URL"; curl -d '{}' http://localhost:1/orders`,
      `curl -d '{}' http://[::1]:1/orders`,
      `ab -n 10 http://localhost:${port}/health`,
      `printf 'GET /health HTTP/1.0\\r\\n\\r\\n' | nc localhost ${port}`,
      `nc localhost 1 < x.http`,
      `nc other.example ${port} < x.http`,
      `echo x > /dev/tcp/localhost/1`,
      `U=${url}; curl -s "$U/logs?last=5"; curl -d '{}' http://localhost:1/orders`,
      `curl -d '{}' http://localhost:1/orders; curl -s ${url}/logs`,
      `node -e 'fetch("${url}/logs").then((r) => r.json()).then((data) => console.log(data))'`,
      `python3 - <<'E'\nimport requests\nprint(requests.get("${url}/logs?runId=post-fix").json())\nE`,
      `DEBUG_URL=${url}/event node total.js; export DEBUG_URL=${url}/event; npm test`,
      `curl -s ${url}/logs | node -e 'process.stdin.on("data", (data) => console.log(data.length))'`,
      `skillctl run runtime-debug reproduce --page http://localhost:1/ --act "document.querySelector('button').click()"`,
      `skillctl run runtime-debug reproduce --page http://localhost:1/ --act "fetch('/orders', { method: 'POST' })"`,
      `git commit -m 'Send to ${url}/event'; grep -rn "${url}/event" .`,
    ];
    const stopped: string[] = [];
    for (const command of free) if ((await bash(command)).decision !== "allow") stopped.push(command);
    assert.deepEqual(stopped, []);
  });
});

describe("before the user has answered [debug.gate.confirmation] [debug.limits.stays]", () => {
  test("nothing of the session is removed, and its server stays", async (t) => {
    const { bash, asks, root, read, url, run, replace } = await at(t, "fixing");
    const { port } = new URL(url);
    const removals = [
      `rm ${RECORD}`,
      `mv ${RECORD} /tmp/`,
      `: > ${RECORD}`,
      `rm .dbg/${ID}.env`,
      "rm -rf .dbg",
      "git clean -fdx",
      `curl -X DELETE "${url}/logs?purge=1"`,
    ];
    const endings = [
      `kill ${process.pid}`,
      `kill -9 -${process.pid}`,
      `kill 0${process.pid}`,
      `kill $(ss -lptn 'sport = :${port}' | grep -oP 'pid=\\K\\d+')`,
      `netstat -tlnp | grep ${port} | awk '{print $7}' | cut -d/ -f1 | xargs kill`,
      `fuser -k ${port}/tcp`,
      `npx kill-port ${port}`,
      "pkill -f runtime-debug",
      "pkill node",
      "killall -9 node",
    ];
    for (const command of [...removals, ...endings])
      assert.equal((await bash(command)).decision, "deny", command);
    for (const command of [
      "kill 999999",
      "pkill -f 'npm start'",
      "kill %1",
      "lsof -ti:3000 | xargs kill",
      "kill $(ss -lptn 'sport = :3000' | grep -oP 'pid=\\K\\d+'); grep -rn node src",
      `curl -s ${url}/health`,
      `curl -X DELETE ${url}/logs`,
    ])
      assert.equal((await bash(command)).decision, "allow", command);
    const file_path = join(root, RECORD);
    const content = `${await read(RECORD)}\nA note.\n`;
    assert.equal((await asks("Write", { file_path, content })).decision, "allow");
    assert.equal((await asks("mcp__files__delete_file", { path: file_path })).decision, "deny");
    const edit = { file_path: join(root, "total.js"), old_string: BUG, new_string: FIX };
    assert.equal((await asks("Edit", edit)).decision, "allow");
    await replace(BUG, FIX);
    await run("answer", { answer: "D" });
    for (const command of removals) assert.equal((await bash(command)).decision, "allow", command);
  });
});
