import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { test, type TestContext } from "node:test";
import { rulesFiles } from "../../../adapters/configuration-files.ts";
import { runCli, writeSkill, ownFolder } from "../fixture-command-line.ts";

const shouting = {
  tell: "Never greet a person in capital letters.",
  on: ["command.pre"],
  when: {
    type: "object",
    required: ["input"],
    properties: { input: { type: "object", properties: { name: { type: "string", pattern: "^[A-Z]+$" } } } },
  },
  decision: "ask",
  message: "That would be shouting.",
};

async function place(t: TestContext, rules: Readonly<Record<string, object>> = { shouting }) {
  const path = await ownFolder(t);
  const skill = await writeSkill(path, "greeting", { manifest: { rules } });
  return { path, say: (...words: readonly string[]) => runCli(path, [...words, "--plugin", skill]) };
}

test("a decision is explained by its rules; without an ID the last one is", async (t) => {
  const { say } = await place(t);
  const refused = await say("run", "greeting", "greet", "ADA");
  assert.equal(refused.status, 77);
  const { status, out } = await say("why");
  assert.equal(status, 0);
  const [, id = ""] = /^(g-[0-9a-z-]+): ask, /.exec(out) ?? [];
  assert.match(
    out,
    /\ncommand\.pre \(greeting greet\) through cli\nrequest: sha256 [0-9a-f]{64}\n {2}ask {2}greeting\/shouting, version 1\n {8}Never greet a person in capital letters\.\n {8}Message: That would be shouting\.\n$/,
  );
  assert.doesNotMatch(out, /ADA/);
  assert.equal(
    refused.err,
    `error: That would be shouting.\nhint: Run the command at a terminal to answer the question. Rule: greeting/shouting. \`skillctl why ${id}\` explains it.\n`,
  );
  assert.equal((await say("why", id)).out, out);
  const { output } = JSON.parse((await say("why", id, "--json")).out) as { output: { rules: object[] } };
  assert.deepEqual(output.rules, [
    {
      rule: "greeting/shouting",
      version: 1,
      tier: "plugin",
      decision: "ask",
      message: "That would be shouting.",
      tell: "Never greet a person in capital letters.",
    },
  ]);
});

test("a decision that an agent could not express is explained with its actual outcome", async (t) => {
  const { path } = await place(t);
  const rule = { ...shouting, on: ["tool.pre"], when: { type: "object" } };
  const skill = await writeSkill(path, "asking", { manifest: { rules: { rule } } });
  const pre = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } };
  for (const [dialect, event, line] of [
    ["codex", pre, /: ask, .*\ntool\.pre .*\ndenied: codex cannot ask here\nrequest: /],
    ["gemini", { ...pre, hook_event_name: "BeforeTool" }, /\ndenied: gemini cannot ask here\n/],
    ["claude-code", pre, /^(?![^]*cannot)/],
    ["cursor", { ...pre, hook_event_name: "preToolUse", tool_name: "Shell" }, /^(?![^]*cannot)/],
  ] as const) {
    await runCli(path, ["guard", "--dialect", dialect, "--plugin", skill], {
      standardInput: () => Readable.from([Buffer.from(JSON.stringify(event))]),
    });
    assert.match((await runCli(path, ["why", "--plugin", skill])).out, line, dialect);
  }
});

test("the failure of a rule is explained without the content of the request", async (t) => {
  const path = await ownFolder(t);
  const sick = (on: string) => ({ tell: "It is told.", on: [on], handler: true, timeoutMs: 9000 });
  const rules = {
    throws: sick("command.pre"),
    shapeless: sick("command.pre"),
    late: { ...sick("command.pre"), timeoutMs: 10 },
  };
  const code = `export default { commands: { greet: class {} }, rules: {
    throws: class { judge({ input }) { throw new RangeError(input.name + " is 'not' ok\\nsecond"); } },
    shapeless: class { judge() { return true; } },
    late: class { judge() { return new Promise(() => undefined); } },
  } };`;
  const skill = await writeSkill(path, "greeting", { manifest: { rules }, code });
  await runCli(path, ["run", "greeting", "greet", "hunter2", "--plugin", skill]);
  const { out } = await runCli(path, ["why", "--plugin", skill]);
  assert.match(
    out,
    /throws, version 1 \(failed to decide: its code failed at plugin\.js:2: RangeError: … is 'not' ok\)/,
  );
  assert.match(
    out,
    /shapeless, version 1 \(failed to decide: judge must return \{ decision \} with one of allow, .*\)/,
  );
  assert.match(out, /late, version 1 \(failed to decide: no answer within 10 ms(?:, since .+)?\)/);
  assert.doesNotMatch(out, /hunter2|second/);
});

test("an unknown decision cannot be explained", async (t) => {
  const { say } = await place(t);
  const none = await say("why");
  assert.deepEqual([none.status, none.out], [64, ""]);
  assert.match(none.err, /No decision of a rule is recorded yet/);
  await say("run", "greeting", "greet", "ADA");
  assert.match((await say("why", "g-0")).err, /No decision g-0 is recorded/);
  assert.equal((await say("why", "g-0", "g-1")).status, 64);
});

test("the files of the person and the machine contain rules and no skills", async (t) => {
  const { path, say } = await place(t, {});
  const no = { on: ["command.pre"], decision: "deny", message: "Greetings are not allowed here." };
  const file = join(path, "rules.json");
  const words = ["run", "greeting", "greet", "Ada", "--plugin", join(path, "greeting")];
  const run = (tier: "user" | "operator", rules = file) =>
    runCli(path, words, { ruleFiles: { [tier]: rules } });
  for (const tier of ["user", "operator"] as const) {
    assert.equal((await run(tier, join(path, "none.json"))).status, 0);
    await writeFile(file, JSON.stringify({ rules: { no } }));
    const { status, err } = await run(tier);
    assert.equal(status, 77);
    assert.match(err, new RegExp(`Greetings are not allowed here[^]*${tier}/no`));
    await writeFile(file, JSON.stringify({ plugins: ["./greeting"] }));
    assert.match((await run(tier)).err, /may have `rules`(, `config` and `state`)? and nothing else/);
    await writeFile(file, JSON.stringify({ config: { greeting: {} } }));
    assert.match(
      (await run(tier)).err,
      tier === "user" ? /settings for greeting in your own skillctl\.json, but it takes none/ : /nothing/,
    );
    await writeFile(file, JSON.stringify({ rules: { no: { ...no, when: { if: true } } } }));
    assert.match((await run(tier)).err, /\/rules\/no\/when\/if is not a known property/);
    await writeFile(file, "{");
    assert.equal((await run(tier)).status, 78);
  }
  assert.equal((await say("list")).status, 0);
});

test("the rule files of the person and the machine are in the settings folders of the platform", () => {
  const user = (variables: Readonly<Record<string, string>>, platform: NodeJS.Platform) =>
    rulesFiles(variables, platform).user.replaceAll("\\", "/");
  assert.equal(user({ HOME: "/h" }, "linux"), "/h/.config/skillctl/skillctl.json");
  assert.equal(user({ HOME: "/h", XDG_CONFIG_HOME: "/c" }, "linux"), "/c/skillctl/skillctl.json");
  assert.equal(user({ HOME: "/h", XDG_CONFIG_HOME: "c" }, "linux"), "/h/.config/skillctl/skillctl.json");
  assert.equal(user({ HOME: "/h" }, "darwin"), "/h/Library/Application Support/skillctl/skillctl.json");
  assert.equal(user({ USERPROFILE: "/h", APPDATA: "/a" }, "win32"), "/a/skillctl/skillctl.json");
  assert.equal(rulesFiles({}, "linux").operator, "/etc/skillctl/skillctl.json");
});
