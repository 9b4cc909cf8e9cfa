/** Answers to agents through `skillctl guard`: each in its own form, and a failure lets no call through. */
import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import {
  documentOf,
  endRule,
  foreignHarness,
  sample,
  shell,
} from "../../../../contract-tests/doors-harness.ts";

const RULES = {
  warn: endRule("warn"),
  ask: endRule("ask"),
  deny: endRule("deny"),
  crash: endRule("crash", { handler: true, timeoutMs: 5_000 }),
  more: endRule("more", { handler: true, timeoutMs: 5_000 }),
  less: endRule("less", { handler: true, timeoutMs: 5_000 }),
};
const CODE = `export default { commands: { greet: class {} }, rules: {
  crash: class { judge({ command }) { throw new Error("no idea of " + command); } },
  more: class { judge({ input }) { return { decision: "transform", input: { ...input, dry: true } }; } },
  less: class { judge() { return { decision: "transform", input: { dry: true } }; } },
} };`;
const SKILL = { manifest: { rules: RULES }, code: CODE };

const claude = (hook_event_name: string, more: object) => ({
  session_id: "s-1",
  cwd: "/shop",
  hook_event_name,
  ...more,
});
const bash = (command: string, more: object = {}) => ({
  tool_name: "Bash",
  tool_input: { command },
  ...more,
});
const cursor = (hook_event_name: string, more: object) => ({
  conversation_id: "s-1",
  workspace_roots: ["/shop"],
  hook_event_name,
  ...more,
});
const gemini = (command: string) =>
  claude("BeforeTool", { tool_name: "run_shell_command", tool_input: { command } });

interface HookDocument {
  readonly decision?: string;
  readonly systemMessage?: string;
  readonly hookSpecificOutput?: {
    readonly permissionDecision?: string;
    readonly permissionDecisionReason?: string;
    readonly additionalContext?: string;
    readonly tool_input?: object;
    readonly updatedInput?: object;
  };
}

describe("Claude Code", () => {
  test("gets the reason and rule of a denial, a question where a rule asks, and no output otherwise", async (t) => {
    const { guard } = await sample(t, SKILL);
    const before = (command: string) => guard("claude-code", claude("PreToolUse", bash(command)));
    const denied = await before("push deny");
    const told = (documentOf(denied) as HookDocument).hookSpecificOutput;
    assert.deepEqual([denied.status, told?.permissionDecision], [0, "deny"]);
    assert.equal(told?.permissionDecisionReason, "Said: deny.\nRule: sample/deny.");
    assert.equal(
      (documentOf(await before("push ask")) as HookDocument).hookSpecificOutput?.permissionDecision,
      "ask",
    );
    const warned = documentOf(await before("push warn")) as HookDocument;
    assert.equal(warned.hookSpecificOutput?.permissionDecision, undefined);
    assert.match(warned.hookSpecificOutput?.additionalContext ?? "", /^Said: warn\./);
    const silent = await before("npm test");
    assert.deepEqual([silent.out, silent.err, silent.status], ["", "", 0]);
  });

  test("asks the user before a changed input is used", async (t) => {
    const { guard } = await sample(t, SKILL);
    const said = documentOf(
      await guard("claude-code", claude("PreToolUse", bash("push more"))),
    ) as HookDocument;
    assert.equal(said.hookSpecificOutput?.permissionDecision, "ask");
    assert.deepEqual(said.hookSpecificOutput?.updatedInput, { command: "push more", dry: true });
  });

  test("stops after a call that a rule denies, and is only informed after a call that failed", async (t) => {
    const rule = endRule("deny", { decision: "deny", on: ["tool.post"] });
    const { guard } = await sample(t, { manifest: { rules: { rule } } });
    const after = async (event: string, more: object) =>
      documentOf(await guard("claude-code", claude(event, bash("push deny", more)))) as HookDocument;
    assert.equal((await after("PostToolUse", { tool_response: "ok" })).decision, "block");
    const failed = await after("PostToolUseFailure", { error: "boom" });
    assert.equal(failed.decision, undefined);
    assert.match(failed.hookSpecificOutput?.additionalContext ?? "", /^Said: deny\./);
  });

  test("continues a turn that a rule refuses to end, and ends it the second time if the rule fails", async (t) => {
    const rule = { tell: "No.", on: ["turn.stop"], handler: true, timeoutMs: 5_000 };
    const code = `export default { commands: { greet: class {} }, rules: {
      end: class { judge() { throw new Error("boom"); } } } };`;
    const { guard } = await sample(t, { manifest: { rules: { end: rule } }, code });
    const stop = async (stop_hook_active: boolean) =>
      documentOf(
        await guard("claude-code", claude("Stop", { stop_hook_active, last_assistant_message: "Done." })),
      ) as HookDocument;
    assert.equal((await stop(false)).decision, "block");
    assert.equal((await stop(true)).decision, undefined);
  });
});

describe("agents with fewer decisions", () => {
  test("Codex gets a denial with the reason in place of a question", async (t) => {
    const { guard, say } = await sample(t, SKILL);
    const said = documentOf(await guard("codex", claude("PreToolUse", bash("push ask")))) as HookDocument;
    assert.equal(said.hookSpecificOutput?.permissionDecision, "deny");
    assert.match(
      said.hookSpecificOutput?.permissionDecisionReason ?? "",
      /Denied, since codex cannot ask here/,
    );
    assert.match((await say(["why"])).out, /^denied: codex cannot ask here$/m);
  });

  test("Cursor asks at the event of shell commands, and denies at events that cannot ask", async (t) => {
    const ask = { tell: "Ask.", on: ["tool.pre"], decision: "ask", message: "Sure?" };
    const { guard } = await sample(t, { manifest: { rules: { ask } } });
    const said = async (event: string, more: object) =>
      (documentOf(await guard("cursor", cursor(event, more))) as { readonly permission?: string }).permission;
    assert.equal(await said("beforeShellExecution", { command: "npm test" }), "ask");
    assert.equal(
      await said("preToolUse", { tool_name: "Shell", tool_input: { command: "npm test" } }),
      undefined,
    );
    assert.equal(await said("preToolUse", { tool_name: "Write", tool_input: { file_path: "a" } }), "deny");
    assert.equal(await said("beforeReadFile", { file_path: "/shop/a" }), "deny");
    assert.equal(await said("beforeMCPExecution", { tool_name: "save", tool_input: "{}" }), "ask");
  });

  test("Gemini CLI uses a changed input, and gets a denial if the change removes a property", async (t) => {
    const { guard } = await sample(t, SKILL);
    const changed = documentOf(await guard("gemini", gemini("push more"))) as HookDocument;
    assert.deepEqual(changed.hookSpecificOutput?.tool_input, { command: "push more", dry: true });
    assert.equal((documentOf(await guard("gemini", gemini("push less"))) as HookDocument).decision, "deny");
    assert.equal((documentOf(await guard("gemini", gemini("push ask"))) as HookDocument).decision, "deny");
    assert.equal((await guard("gemini", gemini("npm test"))).out, "{}\n");
  });
});

describe("an event that cannot be read or judged", () => {
  test("a shell call without a command is denied", async (t) => {
    const { guard } = await sample(t, SKILL);
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`);
    for (const tool_input of [{}, deep]) {
      const said = await guard("claude-code", claude("PreToolUse", { tool_name: "Bash", tool_input }));
      assert.equal(said.status, 2);
    }
  });

  test("a rule whose code throws denies, and its record holds nothing of the request", async (t) => {
    const { guard, say } = await sample(t, SKILL);
    const said = await guard("skillctl", { surface: "hook", ...shell("hunter2 crash") });
    assert.equal(said.status, 70);
    assert.equal((documentOf(said) as { reasonCode: string }).reasonCode, "GUARD_FAILED");
    const why = await say(["why"]);
    assert.match(why.out, /failed to decide: its code failed at \S+: no idea of/);
    assert.doesNotMatch(why.out, /hunter2/);
  });

  test("a broken skillctl.json is reported and ignored, except for its rules that tighten", async (t) => {
    const { path, guard } = await sample(t, SKILL);
    const when = { type: "object", required: ["command"], properties: { command: { pattern: "^ship" } } };
    const ship = { on: ["tool.pre"], when, decision: "deny", message: "x" };
    const lift = { on: ["tool.pre"], decision: "allow", lifts: ["sample/ask"], message: "It may be asked." };
    for (const [text, effect] of [
      ["{", "It is ignored."],
      ["[]", "It is ignored."],
      [JSON.stringify({ rules: { ship, lift } }), "It is ignored, except for 1 rule that asks or denies."],
    ] as const) {
      await writeFile(join(path, "skillctl.json"), text);
      const free = await guard("claude-code", claude("PreToolUse", bash("npm test")));
      assert.deepEqual([free.status, free.out], [0, ""], text);
      assert.ok(/skillctl\.json/.test(free.err) && free.err.endsWith(` ${effect}\n`), free.err);
      const asked = await guard("claude-code", claude("PreToolUse", bash("push ask")));
      assert.match(asked.out, /"permissionDecision":"ask"/, text);
      const start = await guard("claude-code", claude("SessionStart", { source: "startup" }));
      assert.equal((documentOf(start) as HookDocument).systemMessage?.endsWith(`${effect}\n`), true, text);
    }
    const held = await guard("claude-code", claude("PreToolUse", bash("ship it")));
    assert.match(held.out, /"permissionDecision":"deny".*its message is omitted, since the file is invalid/);
  });

  test("a broken skillctl.json that is a link reveals nothing of its target", async (t) => {
    const { path, guard, say } = await sample(t, SKILL);
    await writeFile(join(path, "secret"), "hunter2 is the word\n");
    await symlink(join(path, "secret"), join(path, "skillctl.json"));
    const told = await guard("claude-code", claude("SessionStart", { source: "startup" }));
    const run = await say(["list", "--verbose"]);
    for (const { out, err } of [told, run]) {
      assert.match(
        out + err,
        /skillctl\.json is not JSON: a character is not allowed there \(line 1, column 1\)\./,
      );
      assert.doesNotMatch(out + err, /hunter/);
    }
  });

  test("a skill that is left out permits nothing", async (t) => {
    const broken = await foreignHarness(t, { manifest: { version: "one" } });
    const said = await broken.guard("claude-code", claude("PreToolUse", bash("npm test")));
    assert.equal(said.status, 2);
    assert.match(
      said.err,
      /the skill sample was left out: .*\. Fix (\S+skill\.json); `skillctl validate \1` shows every fault\./,
    );
  });
});

describe("a path or address in a call", () => {
  const secret = {
    tell: "Never touch secrets.",
    on: ["tool.pre"],
    when: {
      type: "object",
      required: ["paths"],
      properties: { paths: { type: "array", contains: { type: "string", pattern: "/vault(/|$)" } } },
    },
    decision: "deny",
    message: "That is a secret.",
  };
  const parts = { manifest: { rules: { secret } } };

  test("is resolved through links, dot segments and the tilde", async (t) => {
    const { path, decided } = await sample(t, parts);
    await mkdir(join(path, "vault"));
    await symlink(join(path, "vault"), join(path, "open"));
    const read = (file: string) => decided({ event: "tool.pre", tool: "read", cwd: path, paths: [file] });
    assert.equal((await read("open/key")).decision, "deny");
    assert.equal((await read("a/../vault/key")).decision, "deny");
    assert.equal((await read("~/vault/key")).decision, "deny");
    assert.equal((await read("notes.txt")).decision, "allow");
  });

  test("is found at every depth of the input, in a patch, and for an unknown tool", async (t) => {
    const { guard } = await sample(t, parts);
    const denied = async (tool_name: string, tool_input: object) =>
      (documentOf(await guard("codex", claude("PreToolUse", { tool_name, tool_input }))) as HookDocument)
        .hookSpecificOutput?.permissionDecision;
    const deep = { request: { files: [{ file_path: "/shop/vault/key" }] } };
    assert.equal(await denied("mcp__fs__read", deep), "deny");
    assert.equal(await denied("frobnicate", deep), "deny");
    const patch = "*** Begin Patch\n*** Update File: vault/key\n+a\n*** End Patch";
    assert.equal(await denied("apply_patch", { command: patch }), "deny");
    assert.equal(await denied("mcp__fs__read", { folder: "/shop/vault", name: "key" }), "deny");
  });

  test("is found as an address in every word of the input, in its normal form", async (t) => {
    const rule = {
      ...secret,
      when: {
        type: "object",
        required: ["urls"],
        properties: { urls: { type: "array", contains: { const: "https://pay.example/a" } } },
      },
    };
    const { decided } = await sample(t, { manifest: { rules: { rule } } });
    const fetched = (url: string) =>
      decided({ event: "tool.pre", name: "WebFetch", input: { prompt: `Read ${url} now` } });
    assert.equal((await fetched("HTTPS://PAY.example:443/x/../a")).decision, "deny");
    assert.equal((await fetched("https://pay.example/b")).decision, "allow");
  });
});
