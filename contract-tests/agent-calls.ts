/** Tool calls in the format of Claude Code, judged by the rules of some skills in a separate project and home. */
import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { createTestHost, type TestHostOptions } from "skillctl/testing";
import type { GuardDecision } from "../core/contract.ts";
import { CLAUDE_CODE } from "../core/surfaces/hook/claude-code.ts";
import { respond } from "../core/surfaces/hook/hook.ts";
import { SKILLS } from "./harness.ts";

/** The decision that the guard must make; a string is a Bash command, where HOME, ADDRESS and TOKEN_JWT stand for real values. */
export type AgentCall = readonly [
  expected: GuardDecision["decision"],
  call: string | { readonly tool: string; readonly input: object },
  /** The name of the rule that decides, without its skill; undefined if no rule objects. */
  rule?: string,
];

export const TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJlLWJ5dGVz";

/** A session of Claude Code at a host with the skills of the music service. */
export async function agentSession(t: TestContext, options: TestHostOptions = {}) {
  const { skills = SKILLS.filter(({ manifest }) => /^(music-|login-)/.test(manifest.name)) } = options;
  const test = await createTestHost({ ...options, skills });
  t.after(test.close);
  const { home, workingFolder } = test.environment;
  // The time limit of a rule is not under test here, and opening its plugin may take long.
  for (const skill of skills)
    for (const [name, { handler }] of Object.entries(skill.manifest.rules ?? {}))
      if (handler) await test.host.activator.rule(skill.manifest.name, name);
  await layOut(home, workingFolder);
  const place = { cwd: workingFolder, home, files: test.host.ports.files };
  const event = async (hook_event_name: string, more: object): Promise<GuardDecision> => {
    let decision: GuardDecision | undefined;
    const written = {
      session_id: "s-1",
      transcript_path: "/t",
      cwd: workingFolder,
      hook_event_name,
      ...more,
    };
    const spoken = await respond(JSON.stringify(written), {
      dialect: CLAUDE_CODE,
      base: place,
      decide: async (subject) => (decision = await test.host.guard.decide(subject)),
    });
    return decision ?? assert.fail(spoken.err);
  };
  const filled = (text: string): string =>
    text
      .replaceAll("HOME/", `${home}/`)
      .replaceAll("ADDRESS", "https://music.example/openapi/v1/musician/data/agent/chat-sync")
      .replaceAll("TOKEN_JWT", TOKEN);
  const call = (what: AgentCall[1]): Promise<GuardDecision> => {
    const { tool, input } = typeof what === "string" ? { tool: "Bash", input: { command: what } } : what;
    const tool_input = JSON.parse(filled(JSON.stringify(input))) as object;
    return event("PreToolUse", { tool_name: tool, tool_input, tool_use_id: "c-1" });
  };
  return { test, event, call };
}

/** Tries all calls of a table, and names every call whose outcome differs. */
export async function tryAll(t: TestContext, calls: readonly AgentCall[]): Promise<void> {
  const { call } = await agentSession(t);
  const wrong: string[] = [];
  for (const [expected, what, rule] of calls) {
    const { decision, rule: decided, message = "" } = await call(what);
    const own = rule === undefined || decided?.split("/")[1] === rule;
    if (decision !== expected || !own)
      wrong.push(
        `${decision} of ${decided}, not ${expected} of ${rule}: ${JSON.stringify(what)}\n    ${message}`,
      );
  }
  assert.equal(wrong.length, 0, `${wrong.length} of ${calls.length} wrong\n${wrong.join("\n")}`);
}

async function layOut(home: string, work: string): Promise<void> {
  await mkdir(join(home, ".svc-login"), { recursive: true });
  await mkdir(join(work, "docs"), { recursive: true });
  await mkdir(join(work, "src"), { recursive: true });
  await writeFile(join(home, ".svc-login", "token.json"), '{ "token": "canary" }\n');
  await writeFile(join(home, "notes.txt"), "x\n");
  await writeFile(join(work, "docs", "login.md"), "The cache file is ~/.svc-login/token.json.\n");
  await writeFile(join(work, "src", "a.ts"), "export const a = 1;\n");
  await writeFile(join(work, "package.json"), '{ "scripts": { "test": "node --test", "build": "tsc" } }\n');
  await writeFile(join(work, "chat_sync.py"), "print(1)\n");
  await symlink(join(home, ".svc-login", "token.json"), join(work, "link.json"));
  await symlink(join(home, ".svc-login"), join(work, "linked"));
}
