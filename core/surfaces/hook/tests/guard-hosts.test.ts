/** Bytes and exit status of `skillctl guard`, with and without failures. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, test, type TestContext } from "node:test";
import { runCli } from "../../cli/fixture-command-line.ts";
import { EVENTS } from "../fixture-agents.ts";
import { DIALECT_NAMES } from "../hook.ts";
import { program } from "../../../../contract-tests/command-line.ts";
import { endRule, sample } from "../../../../contract-tests/doors-harness.ts";

const DIALECTS = ["claude-code", "codex", "cursor", "gemini", "skillctl"] as const;
type Dialect = (typeof DIALECTS)[number];

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

function eventOf(dialect: Dialect, command: string): string {
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
const hooked = (event: string, decision: string, reason: string, message?: string): string =>
  `{"hookSpecificOutput":{"hookEventName":"${event}","permissionDecision":"${decision}","permissionDecisionReason":"${reason}"}${message === undefined ? "" : `,"systemMessage":"${message}"`}}\n`;
const ours = (decision: string, rule: string, code: string, said: string): string =>
  `{"decision":"${decision}","reasonCode":"${code}","message":"${said}","agentMessage":"${said}","rule":"sample/${rule}","version":1}\n`;

const unasked = (dialect: string): [model: string, person: string] => {
  const why = `Denied, since ${dialect} cannot ask here`;
  const model = `Said: ask.\\n${why}: tell the person, who can do it or decide.\\nRule: sample/ask.`;
  return [model, `Said: ask. ${why}.`];
};

type Answer = readonly [out: string, status: number];

function denied(
  rule: string,
  said: string,
  code = `SAMPLE_${rule.toUpperCase()}`,
  failed = false,
): Record<Dialect, Answer> {
  const model = `${said}\\nRule: sample/${rule}.`;
  return {
    "claude-code": [hooked("PreToolUse", "deny", model, said), 0],
    codex: [hooked("PreToolUse", "deny", model, said), 0],
    cursor: [`{"permission":"deny","user_message":"${said}","agent_message":"${model}"}\n`, 0],
    gemini: [`{"decision":"deny","reason":"${model}","systemMessage":"${said}"}\n`, 0],
    skillctl: [ours("deny", rule, code, said), failed ? 70 : 77],
  };
}

const TABLE: Readonly<Record<string, Record<Dialect, Answer>>> = {
  allow: {
    "claude-code": ["", 0],
    codex: ["", 0],
    cursor: ["{}\n", 0],
    gemini: ["{}\n", 0],
    skillctl: ['{"decision":"allow"}\n', 0],
  },
  warn: {
    "claude-code": [
      '{"systemMessage":"Said: warn.","hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"Said: warn.\\nRule: sample/warn."}}\n',
      0,
    ],
    codex: [
      '{"systemMessage":"Said: warn.","hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"Said: warn.\\nRule: sample/warn."}}\n',
      0,
    ],
    cursor: ['{"user_message":"Said: warn.","agent_message":"Said: warn.\\nRule: sample/warn."}\n', 0],
    gemini: ['{"systemMessage":"Said: warn."}\n', 0],
    skillctl: [ours("warn", "warn", "SAMPLE_WARN", "Said: warn."), 0],
  },
  ask: {
    "claude-code": [hooked("PreToolUse", "ask", "Said: ask."), 0],
    codex: [hooked("PreToolUse", "deny", ...unasked("codex")), 0],
    gemini: [`{"decision":"deny","reason":"${unasked("gemini").join('","systemMessage":"')}"}\n`, 0],
    cursor: [
      '{"permission":"ask","user_message":"Said: ask.","agent_message":"Said: ask.\\nRule: sample/ask."}\n',
      0,
    ],
    skillctl: [ours("ask", "ask", "SAMPLE_ASK", "Said: ask."), 77],
  },
  deny: denied("deny", "Said: deny."),
  crash: denied("crash", FAILED("crash", "its code failed at plugin.js:2"), "GUARD_FAILED", true),
  hang: denied("hang", FAILED("hang", "no answer within 50 ms"), "GUARD_FAILED", true),
};

/** A denial without a rule. */
function refused(
  sentence: string,
  code: "GUARD_FAILED" | "REQUEST_UNREADABLE",
): Record<Dialect, readonly [string, string, number]> {
  const blocked = ["", `${sentence}\n`, 2] as const;
  const cursor = `{"permission":"deny","continue":false,"user_message":"${sentence}","agent_message":"${sentence}"}\n`;
  const own = `{"decision":"deny","reasonCode":"${code}","message":"${sentence}","agentMessage":"${sentence}"}\n`;
  return {
    "claude-code": blocked,
    codex: blocked,
    gemini: blocked,
    cursor: [cursor, `${sentence}\n`, 2],
    skillctl: [own, "", code === "GUARD_FAILED" ? 70 : 65],
  };
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
        assert.deepEqual([steady(out), err, status], [answers[dialect][0], "", answers[dialect][1]], dialect);
      }
    });
  }

  test("a rule whose code is missing denies", async (t) => {
    const { guard, skill } = await place(t);
    await rm(join(skill, "plugin.js"));
    const fault = "The code of sample, or something that it imports, cannot be found: …";
    const answers = denied("crash", FAILED("crash", fault), "GUARD_FAILED", true);
    for (const dialect of DIALECTS) {
      const { out, status } = await guard(dialect, eventOf(dialect, "crash"));
      const bare = steady(out).replaceAll(
        /Cannot find module '[^']*' imported from [^"\\]*?\.ts(?=\.)/g,
        "…",
      );
      assert.deepEqual([bare, status], answers[dialect], dialect);
    }
  });

  const unreadable: readonly (readonly [string, string | Buffer, string])[] = [
    ["bad JSON", "{", "it is not JSON"],
    ["no input", "", "nothing came on standard input"],
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
    assert.deepEqual([steady(out), err, status], [denied("deny", "Said: deny.")["claude-code"][0], "", 0]);
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
