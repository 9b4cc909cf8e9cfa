/** Failures that no code handles: they are reported with the skill, and the process continues. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { ownFolder } from "../core/surfaces/cli/fixture-command-line.ts";
import { greetingFiles, writeSkill } from "../core/testing/fixture-greeting.ts";
import { connect } from "../core/surfaces/mcp/tests/mcp-harness.ts";
import { program, sayInProcessOfItsOwn, variablesOf } from "./command-line.ts";
import { ROOT } from "./harness.ts";

/** Leaves one failure unhandled for each name, and greets. */
const LOOSE = `import { readFile } from "node:fs";
import { readFile as read } from "node:fs/promises";
const ends = {
  rejection: () => void Promise.reject(new Error("loose end")),
  later: () => void (async () => { await new Promise((done) => setTimeout(done, 5)); throw new Error("loose end"); })(),
  text: () => void Promise.reject("loose end"),
  file: () => void read("/loose/end"),
  timer: () => void setTimeout(() => { throw new Error("loose end"); }),
  callback: () => readFile("/loose/end", (error) => { throw error; }),
  microtask: () => queueMicrotask(() => { throw new Error("loose end"); }),
};
class Greet {
  async run({ name }) {
    for (const end of name === "all" ? Object.values(ends) : [ends[name]]) end?.();
    await new Promise((done) => setTimeout(done, 500));
    return { text: "Hello " + name + "." };
  }
}
class Echo { async handle() { ends.timer(); return { status: 200, body: { text: "x" } }; } }
export default { commands: { greet: Greet }, routes: { echo: Echo }, rules: {} };
`;
const ENDS = ["rejection", "later", "text", "file", "timer", "callback", "microtask"];
const REPORT = /^greeting did not handle a failure: .*loose.end.*/m;

async function looseSkill(t: TestContext): Promise<{ readonly path: string; readonly skill: string }> {
  const path = await ownFolder(t);
  return { path, skill: await writeSkill(path, "greeting", { ...greetingFiles(), "plugin.js": LOOSE }) };
}

test("a failure of a third-party command names the skill, the command, file and line", async (t) => {
  const path = await ownFolder(t);
  const code = `class Greet { async run() { null.x; } }
class Echo { async handle() { return { status: 200, body: { text: "x" } }; } }
export default { commands: { greet: Greet }, routes: { echo: Echo }, rules: {} };`;
  const skill = await writeSkill(path, "greeting", { ...greetingFiles(), "plugin.js": code });
  const { status, err } = await sayInProcessOfItsOwn(["run", "greeting", "Ada", "--plugin", skill], path);
  assert.equal(status, 70);
  assert.match(err, /^error: greeting greet failed: Cannot read properties of null .*\(plugin\.js:1\)$/m);
});

const NEVER = "await new Promise(() => {});";
const ECHO = `class Echo { async handle() { return { status: 200, body: { text: "x" } }; } }`;
const PLUGIN = "export default { commands: { greet: Greet }, routes: { echo: Echo }, rules: {} };";

test("code that waits for a promise that never settles is named by a command and by a test", async (t) => {
  const greets = `async run() { return { text: "Hello." }; }`;
  const rows: readonly (readonly [code: string, run: RegExp, waiting: string])[] = [
    [
      NEVER,
      /^error: greeting greet waits for something that can no longer happen\.$/m,
      "the top level of the code of greeting",
    ],
    [
      `class Greet { async run() { ${NEVER} } }\n${ECHO}\n${PLUGIN}`,
      /^error: greeting greet waits for something that can no longer happen\.\nhint: A promise that its code waits for is never settled\.$/m,
      "greeting greet",
    ],
    [
      `class Greet { ${greets} async close() { ${NEVER} } }\n${ECHO}\n${PLUGIN}`,
      /^error: The method close of Greet of greeting waits for something that can no longer happen\.$/m,
      "the method close of Greet of greeting",
    ],
  ];
  for (const [code, run, waiting] of rows) {
    const path = await ownFolder(t);
    const skill = await writeSkill(path, "greeting", { ...greetingFiles(), "plugin.js": code });
    const called = await sayInProcessOfItsOwn(["run", "greeting", "Ada", "--plugin", skill], path);
    const tested = await sayInProcessOfItsOwn(["test", skill], path);
    assert.deepEqual([called.status, tested.status], [70, 70]);
    assert.match(called.err, run);
    assert.match(
      tested.err,
      new RegExp(`^hint: A promise that ${waiting} waits for is never settled\\.$`, "m"),
    );
  }
});

describe("a failure of a third-party skill that no code handles", () => {
  test("is reported by a command line, which still prints the answer", async (t) => {
    const { path, skill } = await looseSkill(t);
    const { status, out, err } = await sayInProcessOfItsOwn(
      ["run", "greeting", "all", "--plugin", skill],
      path,
    );
    assert.deepEqual([status, out], [0, "Hello all.\n"], err);
    assert.equal(err.match(new RegExp(REPORT, "gm"))?.length, ENDS.length, err);
    assert.match(err, /: loose end \(plugin\.js:4\)$/m);
  });

  test("makes a test fail, and the other tests run, even if its host is already closed", async (t) => {
    for (const [ending, title] of [
      [
        `void Promise.reject(new Error("loose end")); await new Promise(setImmediate);`,
        "command greet: example 1",
      ],
      [`setTimeout(() => { throw new Error("loose end"); }, 20);`, "code: leaves no failure unhandled"],
    ] as const) {
      const path = await ownFolder(t);
      const code = `class Greet { async run() { ${ending} return { text: "Hello." }; } }\n${ECHO}\n${PLUGIN}`;
      const skill = await writeSkill(path, "greeting", { ...greetingFiles(), "plugin.js": code });
      const { status, out } = await sayInProcessOfItsOwn(["test", skill], path);
      assert.equal(status, 1);
      assert.match(
        out,
        new RegExp(
          `FAIL ${title}.*\n *greeting did not handle a failure: loose end \\(plugin\\.js:1\\)$`,
          "m",
        ),
      );
      assert.match(out, /, 1 failed, 0 skipped$/m);
    }
  });

  test("is reported by a server, which continues", async (t) => {
    const { path, skill } = await looseSkill(t);
    const server = program(["serve", "--port", "0", "--no-key", "--plugin", skill], path);
    let err = "";
    server.stderr.setEncoding("utf8").on("data", (more: string) => (err += more));
    try {
      const [first] = (await once(server.stdout, "data")) as [Buffer];
      const [url = ""] = /http:\/\/\S+/.exec(first.toString("utf8")) ?? [];
      for (const name of [...ENDS, "Ada"]) {
        const answer = await fetch(`${url}/v1/skills/greeting/commands/greet`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ name }),
        });
        assert.equal(answer.status, 200, err);
      }
      assert.equal(err.match(new RegExp(REPORT, "gm"))?.length, ENDS.length, err);
    } finally {
      server.kill("SIGTERM");
      if (server.exitCode === null) await once(server, "close");
    }
  });

  test("is reported by an MCP server, which continues", async (t) => {
    const { path, skill } = await looseSkill(t);
    await using opened = await connect({ folder: path, words: ["--plugin", skill] });
    for (const name of [...ENDS, "Ada"]) {
      const { structuredContent } = await opened.client.callTool({
        name: "greeting_greet",
        arguments: { name },
      });
      assert.deepEqual(structuredContent, { text: `Hello ${name}.` });
    }
    await opened.said(new RegExp(`(?:${REPORT.source}[^]*){${ENDS.length}}`, "m"));
  });

  test("is reported in an embedding process, which keeps its own failures and handlers", async (t) => {
    const { path, skill } = await looseSkill(t);
    const run = async (more: string) => {
      const file = join(path, "embedder.mjs");
      await writeFile(
        file,
        `import { createHost } from ${JSON.stringify(join(ROOT, "dist", "host.js"))};
const host = await createHost({ plugins: [${JSON.stringify(skill)}] });
await host.run({ skill: "greeting", command: "greet", input: { name: "timer" } });
${more}
await new Promise((done) => setTimeout(done, 500));
console.log("went on");
await host.close();`,
      );
      return spawnSync(process.execPath, [file], { cwd: path, env: variablesOf(path), encoding: "utf8" });
    };
    const calm = await run("");
    assert.deepEqual([calm.status, calm.stdout], [0, "went on\n"], calm.stderr);
    assert.match(calm.stderr, REPORT);
    for (const own of [
      'Promise.reject(new Error("my own"))',
      'setTimeout(() => { throw new Error("my own"); })',
    ]) {
      const ended = await run(`void ${own};`);
      assert.deepEqual([ended.status, ended.stdout], [1, ""]);
      assert.match(ended.stderr, /Error: my own\n {4}at /);
    }
    const other = await run(
      'process.on("unhandledRejection", () => undefined); setTimeout(() => { throw new Error("my own"); });',
    );
    assert.deepEqual([other.status, other.stdout], [1, ""]);
    const caught = await run(
      'process.on("uncaughtException", ({ message }) => console.log(message)); void Promise.reject(new Error("my own")); await host.run({ skill: "greeting", command: "greet", input: { name: "text" } });',
    );
    assert.deepEqual([caught.status, caught.stdout], [0, "my own\nwent on\n"]);
    assert.equal(caught.stderr.match(new RegExp(REPORT, "gm"))?.length, 2, caught.stderr);
    const handled = await run(
      'process.on("unhandledRejection", ({ message }) => console.log(message)); void Promise.reject(new Error("my own"));',
    );
    assert.deepEqual([handled.status, handled.stdout], [0, "my own\nwent on\n"]);
  });
});
