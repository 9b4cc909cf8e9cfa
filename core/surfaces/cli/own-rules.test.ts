/** Rules of skillctl.json that do not do what they seem to. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { runCli, writeSkill, ownFolder } from "./fixture-command-line.ts";

const onTool = { on: ["tool.pre"], message: "No." };
const when = (properties: object, required = Object.keys(properties)) => ({
  type: "object",
  required,
  properties,
});
const compose = when({ command: { type: "string", pattern: "^docker compose up( [A-Za-z0-9_.=-]+)*$" } });
const told = { tell: "It is told.", ...onTool };
const handled = { tell: "It is told.", on: ["tool.pre"], handler: true };

async function place(t: TestContext, rules: Readonly<Record<string, object>>) {
  const path = await ownFolder(t);
  const manifest = {
    rules: {
      question: { ...told, when: compose, decision: "ask" },
      denial: { ...told, when: compose, decision: "deny" },
      "handled-question": handled,
      "handled-denial": handled,
      "without-cases": handled,
    },
  };
  const skill = await writeSkill(path, "greeting", { manifest });
  await mkdir(join(skill, "rules"));
  const subject = { event: "tool.pre", surface: "hook", tool: "shell" };
  for (const decision of ["deny", "ask"])
    await writeFile(
      join(skill, "rules", `handled-${decision === "deny" ? "denial" : "question"}.json`),
      JSON.stringify({ passes: [subject], stops: [{ subject, decision }] }),
    );
  await writeFile(join(path, "skillctl.json"), JSON.stringify({ plugins: ["./greeting"], rules }));
  await runCli(path, ["trust"]);
  return { path, say: (...words: readonly string[]) => runCli(path, words) };
}

/** The part of an answer that is about rules. */
const warnings = (out: string): readonly string[] =>
  [...out.matchAll(/workspace\/[^\n]*?[.?](?= {2}->| \()/g)].map(([sentence]) => sentence);

test("a misspelt rule, and one that lifts a rule that never asks, cause a warning", async (t) => {
  const { say } = await place(t, {
    misspelt: { ...onTool, when: { type: "object", required: ["comand"] }, decision: "deny" },
    lifting: {
      ...onTool,
      when: compose,
      decision: "allow",
      lifts: [
        "greeting/question",
        "greeting/handled-question",
        "greeting/without-cases",
        "greeting/denial",
        "greeting/none",
        "nobody/rule",
        "core/guard-files",
        "core/none",
      ],
    },
  });
  const expected = [
    "workspace/misspelt never applies: a request has no comand; did you mean command?",
    "workspace/lifting lifts greeting/denial, which decides deny: only a question can be answered.",
    "workspace/lifting lifts greeting/none, which does not exist.",
    "workspace/lifting lifts nobody/rule, which no hosted skill has.",
    "workspace/lifting lifts core/guard-files, which is a rule of the core and cannot be lifted.",
    "workspace/lifting lifts core/none, which does not exist.",
  ];
  const doctor = await say("doctor");
  assert.deepEqual(warnings(doctor.out), expected, doctor.out + doctor.err);
  assert.match(doctor.out, /^warn {2}workspace\/misspelt .* {2}-> Fix the rule misspelt in skillctl\.json$/m);
  const validate = await say("validate");
  assert.deepEqual(warnings(validate.out), expected, validate.out + validate.err);
  assert.match(validate.out, /^skillctl\.json#\/rules\/misspelt: warning: .*\(RULE_UNREACHABLE\)$/m);
});

test("validate checks the person's rules too, also in a folder without skillctl.json", async (t) => {
  const path = await ownFolder(t);
  const file = join(path, "rules.json");
  const misspelt = { ...onTool, when: { type: "object", required: ["comand"] }, decision: "deny" };
  await writeFile(file, JSON.stringify({ rules: { misspelt } }));
  for (const tier of ["user", "operator"]) {
    const { status, out } = await runCli(path, ["validate"], { ruleFiles: { [tier]: file } });
    assert.deepEqual(
      [status, out.includes(`rules.json#/rules/misspelt: warning: ${tier}/misspelt never applies: `)],
      [0, true],
      out,
    );
  }
});

test("the database of the person's settings is asked, unless SKILLCTL_STATE names a folder; its password is never shown", async (t) => {
  const path = await ownFolder(t);
  const user = join(path, "own.json");
  await writeFile(user, JSON.stringify({ state: "postgres://ada:s3cret-words@127.0.0.1:1/shared" }));
  const doctor = async (variables: Readonly<Record<string, string>>): Promise<string> => {
    const options = { ruleFiles: { user }, variables: { HOME: path, ...variables } };
    const { out, err } = await runCli(path, ["--verbose", "doctor"], options);
    assert.doesNotMatch(out + err, /s3cret/);
    return out;
  };
  assert.match(
    await doctor({}),
    /^fail {2}The state database 127\.0\.0\.1:1\/shared cannot be reached \(ECONNREFUSED\)\. {2}-> /m,
  );
  assert.doesNotMatch(await doctor({ SKILLCTL_STATE: join(path, "state") }), /state database/);
});

test("rules that have an effect cause no warning", async (t) => {
  const paths = { type: "array", contains: { type: "string", pattern: "/migrations/.*\\.sql$" } };
  const { say } = await place(t, {
    lifting: { ...onTool, when: compose, decision: "allow", lifts: ["greeting/question"] },
    migrations: { ...onTool, when: when({ shell: when({ writes: paths }) }), decision: "ask" },
    fixing: { ...onTool, when: when({ phases: { contains: { const: "a:fixing" } } }), decision: "warn" },
    logout: { ...onTool, on: ["command.pre"], when: when({ name: { const: "logout" } }), decision: "ask" },
    always: { ...onTool, on: ["session.start"], decision: "warn" },
  });
  for (const verb of ["doctor", "validate"]) {
    const { out } = await say(verb);
    assert.deepEqual(warnings(out), [], out);
  }
});

test("lifts in a rule that asks is refused with an explanation", async (t) => {
  const { say } = await place(t, { yes: { ...onTool, decision: "ask", lifts: ["a/b"] } });
  const { status, err } = await say("run", "greeting", "greet", "Ada");
  assert.equal(status, 78);
  assert.match(err, /skillctl\.json: \/rules\/yes\/lifts belongs to a rule that decides allow only\.\n/);
});
