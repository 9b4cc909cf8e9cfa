/** What goes back to each agent, byte for byte, and with which exit status. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { GuardDecision } from "../../contract.ts";
import type { Decision, GuardEvent } from "../../plugin.ts";
import type { Dialect, HookEvent, Spoken } from "./dialect.ts";
import { DIALECT_NAMES, dialectOf } from "./dialects.ts";
import { LOSSES, UNSTOPPABLE } from "./losses.ts";
import { STRICTNESS } from "../../guard/combined.ts";
import { EVENTS } from "./fixture-events.ts";

const WHY = "(skillctl why g-1)";
const DECISIONS: Readonly<Record<Decision, GuardDecision>> = {
  allow: { decision: "allow" },
  warn: said("warn"),
  transform: { ...said("transform"), input: { command: "ls -l" } },
  ask: said("ask"),
  deny: { ...said("deny"), context: ["A fact."] },
};

function said(decision: Decision): GuardDecision {
  return {
    decision,
    reasonCode: "A_RULE",
    message: `Person: ${decision}.`,
    agentMessage: `Model: ${decision}.`,
    rule: "a/rule",
    version: 1,
    evaluation: "g-1",
  };
}

const open = async (name: string): Promise<Dialect> => {
  const dialect = await dialectOf(name, async () => () => undefined);
  assert.ok(dialect);
  return dialect;
};

/** Standard output, and the exit status; standard error is empty. */
type Row = readonly [out: string, status: number];

const SHELL: Readonly<Record<string, Readonly<Record<Decision, Row>>>> = {
  "claude-code": {
    allow: ["", 0],
    warn: [
      `{"systemMessage":"Person: warn. ${WHY}","hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"Model: warn.\\nRule: a/rule."}}\n`,
      0,
    ],
    transform: [
      `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"Person: transform. ${WHY}","updatedInput":{"command":"ls -l"}}}\n`,
      0,
    ],
    ask: [
      `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"Person: ask. ${WHY}"}}\n`,
      0,
    ],
    deny: [
      `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Model: deny.\\nA fact.\\nRule: a/rule."},"systemMessage":"Person: deny. ${WHY}"}\n`,
      0,
    ],
  },
  codex: {
    allow: ["", 0],
    warn: [
      `{"systemMessage":"Person: warn. ${WHY}","hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"Model: warn.\\nRule: a/rule."}}\n`,
      0,
    ],
    transform: [
      `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"ls -l"}},"systemMessage":"Person: transform. ${WHY}"}\n`,
      0,
    ],
    ask: [
      `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Model: ask.\\nDenied, since codex cannot ask here: tell the person, who can do it or decide.\\nRule: a/rule."},"systemMessage":"Person: ask. Denied, since codex cannot ask here. ${WHY}"}\n`,
      0,
    ],
    deny: [
      `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Model: deny.\\nA fact.\\nRule: a/rule."},"systemMessage":"Person: deny. ${WHY}"}\n`,
      0,
    ],
  },
  cursor: {
    allow: ["{}\n", 0],
    warn: [`{"user_message":"Person: warn. ${WHY}","agent_message":"Model: warn.\\nRule: a/rule."}\n`, 0],
    transform: [
      `{"permission":"deny","user_message":"Person: transform. ${WHY}","agent_message":"Model: transform.\\nRule: a/rule."}\n`,
      0,
    ],
    ask: [
      `{"permission":"ask","user_message":"Person: ask. ${WHY}","agent_message":"Model: ask.\\nRule: a/rule."}\n`,
      0,
    ],
    deny: [
      `{"permission":"deny","user_message":"Person: deny. ${WHY}","agent_message":"Model: deny.\\nA fact.\\nRule: a/rule."}\n`,
      0,
    ],
  },
  gemini: {
    allow: ["{}\n", 0],
    warn: [`{"systemMessage":"Person: warn. ${WHY}"}\n`, 0],
    transform: [
      `{"systemMessage":"Person: transform. ${WHY}","hookSpecificOutput":{"tool_input":{"command":"ls -l"}}}\n`,
      0,
    ],
    ask: [
      `{"decision":"deny","reason":"Model: ask.\\nDenied, since gemini cannot ask here: tell the person, who can do it or decide.\\nRule: a/rule.","systemMessage":"Person: ask. Denied, since gemini cannot ask here. ${WHY}"}\n`,
      0,
    ],
    deny: [
      `{"decision":"deny","reason":"Model: deny.\\nA fact.\\nRule: a/rule.","systemMessage":"Person: deny. ${WHY}"}\n`,
      0,
    ],
  },
  skillctl: {
    allow: ['{"decision":"allow"}\n', 0],
    warn: [`${JSON.stringify(DECISIONS.warn)}\n`, 0],
    transform: [`${JSON.stringify(DECISIONS.transform)}\n`, 0],
    ask: [`${JSON.stringify(DECISIONS.ask)}\n`, 77],
    deny: [`${JSON.stringify(DECISIONS.deny)}\n`, 77],
  },
};

describe("before a shell command", () => {
  for (const name of DIALECT_NAMES) {
    test(`${name} is told every decision in its own words`, async () => {
      const { answer } = await open(name);
      for (const [decision, [out, status]] of Object.entries(SHELL[name] ?? assert.fail())) {
        const event = EVENTS[name]?.["tool.pre"] ?? assert.fail();
        assert.deepEqual(answer(DECISIONS[decision as Decision], event), { out, err: "", status }, decision);
      }
    });
  }
});

describe("after a tool call that failed", () => {
  const failed: HookEvent = {
    ...EVENTS["claude-code"]?.["tool.pre"],
    hook_event_name: "PostToolUseFailure",
    error: "Exit code 1",
    is_interrupt: false,
  };

  test("Claude Code hears of it as of any other, with the error for its output", async () => {
    const { event, command, output } = (await open("claude-code")).hear(failed) ?? {};
    assert.deepEqual([event, command, output], ["tool.post", "npm test", "Exit code 1"]);
  });

  test("Claude Code is told what a rule says: nothing stops there", async () => {
    const { answer } = await open("claude-code");
    assert.deepEqual(answer(DECISIONS.allow, failed), { out: "", err: "", status: 0 });
    for (const [decision, fact] of [
      ["warn", ""],
      ["ask", ""],
      ["deny", "A fact.\\n"],
    ] as const) {
      const out = `{"systemMessage":"Person: ${decision}. ${WHY}","hookSpecificOutput":{"hookEventName":"PostToolUseFailure","additionalContext":"Model: ${decision}.\\n${fact}Rule: a/rule."}}\n`;
      assert.deepEqual(answer(DECISIONS[decision], failed), { out, err: "", status: 0 });
    }
  });

  test("Cursor hears of it and is told", async () => {
    const { answer, hear } = await open("cursor");
    const event = {
      hook_event_name: "postToolUseFailure",
      tool_name: "Shell",
      tool_input: { command: "npm test" },
      workspace_roots: ["/shop"],
      error_message: "Command timed out",
      failure_type: "timeout",
    };
    const heard = hear(event);
    assert.deepEqual([heard?.event, heard?.tool, heard?.output], ["tool.post", "shell", "Command timed out"]);
    assert.deepEqual(answer(DECISIONS.deny, event), {
      out: '{"additional_context":"Model: deny.\\nA fact.\\nRule: a/rule."}\n',
      err: "",
      status: 0,
    });
  });
});

/** The keys that let go on what a hook is asked about. */
const PERMITS =
  /"permission":"allow"|"permissionDecision":"allow"(?!,"updatedInput")|"decision":"(allow|approve)"/;
/** How each agent reads a stop. */
const STOPS: Readonly<Record<string, RegExp>> = {
  "claude-code": /"permissionDecision":"(deny|ask)"|"decision":"block"|"continue":false/,
  codex: /"permissionDecision":"deny"|"decision":"block"|"continue":false/,
  cursor: /"permission":"(deny|ask)"|"continue":false|"followup_message":"./,
  gemini: /"decision":"deny"/,
};

describe("at every event", () => {
  for (const [name, events] of Object.entries(EVENTS)) {
    if (name === "skillctl") continue;
    test(`${name}: a denial and a question stop whatever can be stopped, and nothing is ever permitted`, async () => {
      const { answer, hear, says } = await open(name);
      for (const [ours, event] of Object.entries(events) as [GuardEvent, HookEvent][]) {
        assert.equal(hear(event)?.event, ours);
        for (const [decision, given] of Object.entries(DECISIONS)) {
          const { out, err, status } = answer(given, event);
          const became = says(given, event);
          const isStop = became === "deny" || became === "ask";
          assert.equal(isStop, (STOPS[name] as RegExp).test(out), `${ours} ${decision}: ${became} in ${out}`);
          const about = `${name} ${ours} ${decision}: ${out}`;
          assert.deepEqual([err, status], ["", 0], about);
          assert.doesNotMatch(out, PERMITS, about);
          if (out !== "") assert.equal(typeof JSON.parse(out), "object", about);
          const stops = decision === "deny" || decision === "ask";
          if (stops && !UNSTOPPABLE[name]?.includes(ours)) assert.match(out, STOPS[name] as RegExp, about);
          if (decision === "allow" || decision === "warn")
            assert.doesNotMatch(out, STOPS[name] as RegExp, about);
        }
      }
    });
  }

  test("what an agent has no word for becomes something stricter", () => {
    for (const losses of Object.values(LOSSES)) {
      for (const [from, to] of Object.values(losses).flatMap((row) => Object.entries(row))) {
        assert.ok(STRICTNESS[to] > STRICTNESS[from as Decision], `${from} becomes ${to}`);
      }
    }
  });
});

test("what cannot be read or judged is denied whatever the event was", async () => {
  const refused = async (name: string): Promise<Spoken> =>
    (await open(name)).refuse("It is late.", "GUARD_FAILED");
  const blocked = { out: "", err: "It is late.\n", status: 2 };
  for (const name of ["claude-code", "codex", "gemini"]) assert.deepEqual(await refused(name), blocked);
  assert.deepEqual(await refused("cursor"), {
    out: '{"permission":"deny","continue":false,"user_message":"It is late.","agent_message":"It is late."}\n',
    err: "It is late.\n",
    status: 2,
  });
  assert.deepEqual(await refused("skillctl"), {
    out: '{"decision":"deny","reasonCode":"GUARD_FAILED","message":"It is late.","agentMessage":"It is late."}\n',
    err: "",
    status: 70,
  });
  assert.equal((await open("skillctl")).refuse("x", "REQUEST_UNREADABLE").status, 65);
});

test("Gemini CLI cannot take a property away, so that such a change is a denial", async () => {
  const { answer } = await open("gemini");
  const event = { ...EVENTS["gemini"]?.["tool.pre"], tool_input: { command: "ls", directory: "/" } };
  assert.match(answer(DECISIONS.transform, event).out, /"decision":"deny"/);
});

test("Cursor asks only before shell commands and tools of MCP servers", async () => {
  const { answer } = await open("cursor");
  const said = (name: string) => answer(DECISIONS.ask, { hook_event_name: name }).out;
  for (const name of ["beforeShellExecution", "beforeMCPExecution"])
    assert.match(said(name), /"permission":"ask"/);
  for (const name of ["preToolUse", "beforeReadFile", "beforeTabFileRead"])
    assert.match(said(name), /"permission":"deny"/);
});

test("Cursor's preToolUse leaves a question to the event of shell commands or MCP tools that follows, and no denial", async () => {
  const { answer } = await open("cursor");
  const said = (decision: Decision, tool_name: string) =>
    answer(DECISIONS[decision], { hook_event_name: "preToolUse", tool_name, tool_input: {} });
  for (const name of ["Shell", "MCP:disk_save"]) {
    assert.deepEqual(said("ask", name), { out: "{}\n", err: "", status: 0 }, name);
    for (const decision of ["deny", "transform"] as const)
      assert.match(said(decision, name).out, /"permission":"deny"/, name);
  }
  for (const name of ["Write", "Shell2", "MCP", "shell", "Task"])
    assert.match(said("ask", name).out, /"permission":"deny"/, name);
});
