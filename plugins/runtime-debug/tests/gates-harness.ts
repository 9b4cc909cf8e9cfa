import type { TestContext } from "node:test";
import { nodeFiles } from "../../../core/adapters/files.ts";
import { CLAUDE_CODE } from "../../../core/surfaces/hook/claude-code.ts";
import { AGENTS } from "../../../core/surfaces/hook/fixture-agents.ts";
import { clientOf, respond } from "../../../core/surfaces/hook/hook.ts";
import { SKILLS } from "../../../contract-tests/harness.ts";
import { debugProject, type DebugProject } from "./session-harness.ts";

/** The answer to Claude Code. */
export interface GateDecision {
  readonly decision: "allow" | "ask" | "deny";
  /** For the person and the model together. */
  readonly text: string;
}

/** A project with an agent in it: the rules of the skill judge its tool calls in the format of Claude Code. */
export interface Agent extends DebugProject {
  readonly asks: (tool: string, input: object, cwd?: string) => Promise<GateDecision>;
  readonly bash: (command: string, cwd?: string) => Promise<GateDecision>;
}

/** A project whose agent is subject to the rules of this skill alone. */
export function gatedProject(
  t: TestContext,
  options: Parameters<typeof debugProject>[1] = {},
): Promise<DebugProject> {
  return debugProject(t, {
    skills: SKILLS.filter(({ manifest }) => manifest.name === "runtime-debug"),
    ...options,
  });
}

/** The agent in a project. */
export function agentOf(project: DebugProject): Agent {
  const { host, root } = project;
  const asks: Agent["asks"] = async (tool_name, tool_input, cwd = root) => {
    const event = { session_id: "s", cwd, hook_event_name: "PreToolUse", tool_name, tool_input };
    const place = { cwd, home: host.environment.home, files: nodeFiles };
    const { out, err, status } = await respond(JSON.stringify(event), {
      dialect: CLAUDE_CODE,
      base: place,
      decide: (subject) => host.host.guard.decide(subject),
    });
    if (status !== 0) throw new Error(`The guard ended with ${status}: ${err}`);
    if (out === "") return { decision: "allow", text: "" };
    const { hookSpecificOutput: said } = JSON.parse(out) as {
      readonly hookSpecificOutput: Record<string, string>;
    };
    const { permissionDecision = "allow" } = said;
    return { decision: permissionDecision as GateDecision["decision"], text: out };
  };
  return { ...project, asks, bash: (command, cwd) => asks("Bash", { command }, cwd) };
}

export type AgentName = keyof typeof AGENTS;

/** The answer to an agent that asks before a call of a tool, and its text. */
export async function asked(
  { host, root }: DebugProject,
  agent: AgentName,
  tool_name: string,
  tool_input: object,
): Promise<readonly [verdict: "stopped" | "asks" | "runs", text: string]> {
  const event = { ...AGENTS[agent].event("", root), tool_name, tool_input };
  const ended = await respond(JSON.stringify(event), {
    dialect: clientOf(agent),
    base: { cwd: root, home: host.environment.home, files: nodeFiles },
    decide: (subject) => host.host.guard.decide(subject),
  });
  return [AGENTS[agent].verdict(ended), ended.out + ended.err];
}
