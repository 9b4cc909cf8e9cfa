/** Bytes and exit status of `skillctl guard`, with and without failures. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, test, type TestContext } from "node:test";
import { runCli } from "../../cli/fixture-command-line.ts";
import { AGENTS, EVENTS, type Agent } from "../fixture-agents.ts";
import { DIALECT_NAMES } from "../hook.ts";
import { program } from "../../../../contract-tests/command-line.ts";
import { endRule, sample } from "../../../../contract-tests/doors-harness.ts";

const DIALECTS = Object.keys(EVENTS);

const asked = (word: string, timeoutMs = 5_000) => endRule(word, { handler: true, timeoutMs });
const RULES = {
  warn: endRule("warn"),
  ask: endRule("ask"),
  deny: endRule("deny"),
  crash: asked("crash"),
  hang: asked("hang", 50),
  leave: asked("leave"),
  late: asked("late"),
};
const CODE = `export default { commands: { greet: class {} }, rules: {
  crash: class { judge() { throw new Error("boom"); } },
  hang: class { judge() { return new Promise(() => undefined); } },
  leave: class { judge() { process.exit(0); } },
  late: class { judge() { setTimeout(() => { throw new Error("late"); }, 1); return new Promise((r) => setTimeout(r, 4000, { decision: "allow" })); } },
} };`;

function eventOf(dialect: string, command: string): string {
  const given = EVENTS[dialect]?.["tool.pre"] ?? assert.fail();
  return JSON.stringify(given).replace("npm test", command);
}

/** The command line that hosts the skill, its folder, and the answer to a hook. */
async function place(t: TestContext) {
  const { path, say } = await sample(t, { manifest: { rules: RULES }, code: CODE });
  const guard = (dialect: string, event: string | Buffer) =>
    say(["guard", "--dialect", dialect], { standardInput: () => Readable.from([Buffer.from(event)]) });
  return { path, skill: join(path, "sample"), guard };
}

/** Without the parts that differ between runs. */
const steady = (text: string): string =>
  text
    .replaceAll(/ \(skillctl why g-[0-9a-z-]+\)/g, "")
    .replaceAll(/,"evaluation":"g-[^"]+"/g, "")
    .replaceAll(", since the code of sample is still being loaded", "");

const FAILED = (name: string, reason: string) => `The rule sample/${name} failed to decide: ${reason}.`;

type Outcome = "warn" | "ask" | "deny";
type Answer = readonly [out: string, err: string, status: number];
type Answers = Readonly<Record<string, Answer>>;

const line = (document?: object): string => (document === undefined ? "" : `${JSON.stringify(document)}\n`);
const own = (decision: string, reasonCode: string, message: string, more = {}): string =>
  line({ decision, reasonCode, message, agentMessage: message, ...more });

/** The responses to a decision of the rule `rule` with the sentence `said`. */
function answersTo(
  decision: Outcome,
  rule: string,
  said: string,
  code = `SAMPLE_${rule.toUpperCase()}`,
): Answers {
  const ours = own(decision, code, said, { rule: `sample/${rule}`, version: 1 });
  const status = decision === "warn" ? 0 : code === "GUARD_FAILED" ? 70 : 77;
  const answers: Record<string, Answer> = { skillctl: [ours, "", status] };
  for (const [name, { responses }] of Object.entries<Agent>(AGENTS)) {
    const respond = responses[decision];
    const why = `Denied, since ${name} cannot ask here`;
    const hint = `\n${why}: tell the person, who can do it or decide.`;
    const model = `${said}${respond ? "" : hint}\nRule: sample/${rule}.`;
    const person = respond ? said : `${said} ${why}.`;
    answers[name] = [line((respond ?? responses.deny)(model, person)), "", 0];
  }
  return answers;
}

const allowed = Object.entries<Agent>(AGENTS).map(([name, { responses }]) => {
  return [name, [line(responses.allow), "", 0]] as const;
});

const TABLE: Readonly<Record<string, Answers>> = {
  allow: { ...Object.fromEntries(allowed), skillctl: [line({ decision: "allow" }), "", 0] },
  warn: answersTo("warn", "warn", "Said: warn."),
  ask: answersTo("ask", "ask", "Said: ask."),
  deny: answersTo("deny", "deny", "Said: deny."),
  crash: answersTo("deny", "crash", FAILED("crash", "its code failed at plugin.js:2"), "GUARD_FAILED"),
  hang: answersTo("deny", "hang", FAILED("hang", "no answer within 50 ms"), "GUARD_FAILED"),
};

/** A denial without a rule. */
function refused(sentence: string, code: "GUARD_FAILED" | "REQUEST_UNREADABLE"): Answers {
  const agents = Object.entries<Agent>(AGENTS).map(([name, { unread }]) => [name, unread(sentence)] as const);
  const status = code === "GUARD_FAILED" ? 70 : 65;
  return { ...Object.fromEntries(agents), skillctl: [own("deny", code, sentence), "", status] };
}

const UNREAD = "skillctl guard denies this, because it cannot be read:";

describe("answers in each agent's format", () => {
  test("the tables have every dialect", () => {
    assert.deepEqual(DIALECTS.toSorted(), DIALECT_NAMES.toSorted());
  });

  for (const [what, answers] of Object.entries(TABLE)) {
    test(what, async (t) => {
      const { guard } = await place(t);
      for (const dialect of DIALECTS) {
        const { out, err, status } = await guard(dialect, eventOf(dialect, what));
        assert.deepEqual([steady(out), err, status], answers[dialect], dialect);
      }
    });
  }

  test("a rule whose code is missing denies", async (t) => {
    const { guard, skill } = await place(t);
    await rm(join(skill, "plugin.js"));
    const fault = "The code of sample, or something that it imports, cannot be found: …";
    const answers = answersTo("deny", "crash", FAILED("crash", fault), "GUARD_FAILED");
    for (const dialect of DIALECTS) {
      const { out, err, status } = await guard(dialect, eventOf(dialect, "crash"));
      const bare = steady(out).replaceAll(
        /Cannot find module '[^']*' imported from [^"\\]*?\.ts(?=\.)/g,
        "…",
      );
      assert.deepEqual([bare, err, status], answers[dialect], dialect);
    }
  });

  const unreadable: readonly (readonly [string, string | Buffer, string])[] = [
    ["bad JSON", "{", "it is not JSON"],
    ["no input", "", "standard input is empty"],
    ["a list", "[]", "it is not a JSON object"],
    ["not UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), "it is not UTF-8"],
    ["too much", Buffer.alloc(8 * 1024 * 1024 + 1, 32), "it is over 8388608 bytes"],
  ];
  for (const [what, event, reason] of unreadable) {
    test(`${what} is denied`, async (t) => {
      const { guard } = await place(t);
      const answers = refused(`${UNREAD} ${reason}.`, "REQUEST_UNREADABLE");
      for (const dialect of DIALECTS) {
        const { out, err, status } = await guard(dialect, event);
        assert.deepEqual([out, err, status], answers[dialect], dialect);
      }
    });
  }

  test("an event that the agent does not have is denied", async (t) => {
    const { guard } = await place(t);
    for (const dialect of DIALECTS) {
      const why =
        dialect === "skillctl"
          ? "it is not a request: /event is missing. See core/guard-request."
          : `it is not an event of ${dialect}.`;
      const answers = refused(`${UNREAD} ${why}`, "REQUEST_UNREADABLE");
      const { out, err, status } = await guard(dialect, '{"hook_event_name":"Elsewhere"}');
      assert.deepEqual([out, err, status], answers[dialect], dialect);
    }
  });

  test("invalid arguments exit with the status that agents treat as a denial", async (t) => {
    const { path } = await place(t);
    for (const words of [[], ["--dialect", "latin"], ["--dialect"], ["x"], ["--nothing"]]) {
      const { out, err, status } = await runCli(path, ["guard", ...words]);
      assert.deepEqual([out, status], ["", 2], words.join(" "));
      assert.notEqual(err, "");
    }
  });
});

describe("in a separate process", () => {
  async function said(t: TestContext, command: string) {
    const { path, skill } = await place(t);
    await mkdir(join(path, "state"), { recursive: true });
    const child = program(["guard", "--dialect", "claude-code", "--plugin", skill], path);
    let [out, err] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString("utf8")));
    child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString("utf8")));
    child.stdin?.end(eventOf("claude-code", command));
    const status = await new Promise((resolve) => child.once("close", resolve));
    return { out, err, status, path };
  }

  test("a denial is written completely, and recorded", async (t) => {
    const { out, err, status } = await said(t, "deny");
    assert.deepEqual([steady(out), err, status], TABLE["deny"]?.["claude-code"]);
  });

  test("code that ends the process, or throws outside of a handler, lets no call through", async (t) => {
    for (const [command, reason] of [
      ["leave", "the process was ended by the code that it ran"],
      ["late", "no code handled a failure"],
    ] as const) {
      const { out, err, status } = await said(t, command);
      assert.deepEqual([out, status], ["", 2], command);
      assert.match(err, new RegExp(`skillctl guard denies this, because it cannot be judged: ${reason}\\.`));
    }
  });
});

test("the rules of the built-in skills are evaluated without a host, and rules that are data load no code of a skill", async (t) => {
  const { path, guard, skill } = await place(t);
  const mark = join(path, "loaded");
  await writeFile(
    join(skill, "plugin.js"),
    `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(mark)}, "");`,
  );
  assert.equal((await guard("codex", eventOf("codex", "deny"))).status, 0);
  assert.ok(!existsSync(mark));
});
