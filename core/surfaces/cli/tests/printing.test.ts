/** Texts that a third-party skill prints by itself never mix with a result or an answer. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { sayInProcessOfItsOwn } from "../../../../contract-tests/command-line.ts";
import { ownFolder } from "../../../../contract-tests/doors-harness.ts";
import { writeSkill } from "../fixture-command-line.ts";
import { atTerminal, noTerminal } from "./terminal-harness.ts";

const PRINTS = `console.log("loaded"); process.stdout.write("early\\u0007\\n");
export default { commands: { greet: class { run = async (input) => { console.log("at work"); return { text: "Hello " + input.name }; } } } };
`;

test("--json is one document even if a skill prints; its output goes to standard error", async (t) => {
  const folder = await ownFolder(t);
  const plugin = await writeSkill(join(folder, "skills"), "noisy", { code: PRINTS });
  const words = ["run", "noisy", "Ada", "--plugin", plugin];
  const { status, out, err } = await sayInProcessOfItsOwn([...words, "--json"], folder);
  assert.deepEqual([status, JSON.parse(out)], [0, { ok: true, output: { text: "Hello Ada" } }]);
  assert.equal(err, "loaded\nearly\u0007\nat work\n");
  assert.equal((await sayInProcessOfItsOwn(words, folder)).out, "Hello Ada\n");
});

const DIRECT = `import { appendFileSync, createWriteStream, write, writeFileSync, writeSync } from "node:fs";
writeSync(1, "sync\\n");
writeFileSync(1, "file\\n");
appendFileSync(1, "append\\n");
await new Promise((done) => write(1, "async\\n", done));
await new Promise((done) => createWriteStream("", { fd: 1, autoClose: false }).write("stream\\n", done));
export default { commands: { greet: class { run = async () => ({ text: "Hello" }); } } };
`;

test("--json is one document, also when a skill writes to descriptor 1", async (t) => {
  const folder = await ownFolder(t);
  const plugin = await writeSkill(join(folder, "skills"), "direct", { code: DIRECT });
  const words = ["run", "direct", "Ada", "--plugin", plugin, "--json"];
  const { status, out, err } = await sayInProcessOfItsOwn(words, folder);
  assert.deepEqual([status, JSON.parse(out)], [0, { ok: true, output: { text: "Hello" } }]);
  assert.equal(err, "sync\nfile\nappend\nasync\nstream\n");
});

const CHILDREN = `import * as children from "node:child_process";
import { execFileSync, execSync, spawnSync, fork, spawn } from "node:child_process";
const print = (word) => ["-e", "console.log(process.argv[1]); process.stdin.on('data', (more) => console.log('took ' + more))", word];
const { execPath } = process;
spawnSync(execPath, print("sync"), { stdio: "inherit" });
execFileSync(execPath, print("file"), { stdio: [0, 1, 2] });
execSync("echo shell", { stdio: ["inherit", process.stdout, "inherit"] });
children.spawnSync(execPath, print("member"), { stdio: ["inherit", "inherit", "inherit"] });
const done = (child) => new Promise((resolve) => child.on("close", resolve));
await done(spawn(execPath, print("async"), { stdio: "inherit" }));
await done(children.spawn(execPath, print("stream"), { stdio: [process.stdin, process.stdout, "ignore"] }));
export default { commands: { greet: class { run = async () => ({ text: "Hello" + spawnSync(execPath, print(", piped")).stdout }); } } };
`;

test("--json is one document, and standard input is complete, even if a skill passes both to programs", async (t) => {
  const folder = await ownFolder(t);
  const plugin = await writeSkill(join(folder, "skills"), "children", { code: CHILDREN });
  const words = ["run", "children", "--plugin", plugin, "--json", "--input", "-"];
  const said = await sayInProcessOfItsOwn(words, folder, { input: '{"name":"Ada"}' });
  assert.deepEqual(
    [said.status, JSON.parse(said.out)],
    [0, { ok: true, output: { text: "Hello, piped\n" } }],
    said.err,
  );
  assert.equal(said.err, "sync\nfile\nshell\nmember\nasync\nstream\n");
});

const INPUT = {
  type: "object",
  required: ["name"],
  properties: { name: { type: "string" } },
  examples: [{ name: "Ada" }],
};

test("a skill that ends the process, or leaves an exception unhandled, is reported as the cause", async (t) => {
  const folder = await ownFolder(t);
  const command = (run: string) =>
    `export default { commands: { greet: class { run = async () => { ${run} }; } } };\n`;
  const cases: readonly (readonly [name: string, code: string, sentence: RegExp, report?: RegExp])[] = [
    ["quits", command("process.exit(0);"), /quits greet ended the process before the command finished/],
    [
      "quits-loading",
      "process.exit(0);\n",
      /quits-loading greet ended the process before the command finished/,
    ],
    [
      "throws-later",
      command("setTimeout(() => { throw new Error('late'); }); await new Promise(() => {});"),
      /waits for something that can no longer happen/,
      /^throws-later did not handle a failure: late/m,
    ],
    [
      "rejects",
      command("void Promise.reject(new Error('lost')); await new Promise(() => {});"),
      /waits for something that can no longer happen/,
      /^rejects did not handle a failure: lost/m,
    ],
  ];
  for (const [name, code, sentence, report = sentence] of cases) {
    const plugin = await writeSkill(join(folder, "skills"), name, {
      code,
      schemas: { "greet-input": INPUT },
    });
    const words = ["run", name, "Ada", "--plugin", plugin];
    const said = await sayInProcessOfItsOwn([...words, "--json"], folder);
    const { ok, error } = JSON.parse(said.out) as { ok: boolean; error: { code: string; message: string } };
    assert.deepEqual([said.status, ok, error.code], [70, false, "INTERNAL"], name);
    assert.match(error.message, sentence);
    const { status, out, err } = await sayInProcessOfItsOwn(words, folder);
    assert.deepEqual([status, out], [70, ""], name);
    assert.match(err, sentence);
    assert.match(err, report);
    const tested = await sayInProcessOfItsOwn(["test", plugin], folder);
    const [, end = ""] = /^error: The test ".+" of \S+ (.+)$/m.exec(tested.err) ?? [];
    assert.deepEqual(
      [tested.status, sentence.test(`${name} greet ${end}`)],
      [70, true],
      name + tested.out + tested.err,
    );
  }
});

test(
  "output of a skill, and texts of its manifest, are escaped at a terminal",
  { skip: noTerminal },
  async (t) => {
    const folder = await ownFolder(t);
    const manifest = { summary: "Noise.\u001B]0;title\u0007" };
    await writeSkill(join(folder, "skills"), "noisy", { code: PRINTS, manifest });
    const { shown, status } = await atTerminal("run noisy Ada", { folder, columns: 80 });
    assert.equal(status, 0, shown);
    assert.match(shown, /loaded\r\nearly\\u0007\r\nat work\r\nHello Ada\r\n/);
    for (const words of ["run noisy --help", "list", "info noisy"])
      assert.match(
        (await atTerminal(words, { folder, columns: 80 })).shown,
        /Noise\.\\u001b\]0;title\\u0007/,
      );
  },
);

test("Ctrl-C at a terminal ends the wait for --input -", { skip: noTerminal }, async (t) => {
  const folder = await ownFolder(t);
  await writeSkill(join(folder, "skills"), "noisy", { code: PRINTS });
  // So that the screen shows something before the program waits.
  await writeFile(join(folder, "skillctl.json"), JSON.stringify({ plugins: ["./elsewhere"] }));
  let isTyped = false;
  const { shown, status, restored } = await atTerminal("run noisy --input -", {
    folder,
    columns: 200,
    person: (_, type) => {
      if (!isTyped) type("\u0003", 2_000);
      isTyped = true;
    },
  });
  assert.match(shown, /is not trusted/);
  assert.match(shown, /error:.* The command was cancelled\.\r\n/);
  assert.deepEqual([status, restored], [130, true]);
  assert.doesNotMatch(shown, /Still stopping|did not stop|Hello/);
});
