import type { Rule, SkillManifest } from "../core/contract.ts";
import type { Subject } from "../core/plugin.ts";
import type { HostedSkill } from "../core/skill.ts";

const TOOLS = ["shell", "write", "edit", "read", "fetch", "mcp", "search", "other"] as const;

/** Forty rules that all hear a tool call: of a kind of tool, with a pattern over what it names, three in four decide. */
export function fortyRules(): Readonly<Record<string, Rule>> {
  const rules: Record<string, Rule> = {};
  for (let index = 0; index < 40; index += 1) {
    const tool = TOOLS[index % TOOLS.length];
    rules[`rule-${index}`] = {
      tell: `Rule ${index}.`,
      on: ["tool.pre"],
      decision: (["deny", "ask", "warn", "deny"] as const)[index % 4] ?? "deny",
      message: `Rule ${index} speaks.`,
      when: {
        type: "object",
        required: ["tool", ...part(index).required],
        properties: { tool: { const: tool }, ...part(index).properties },
      },
    };
  }
  return rules;
}

function part(index: number): { readonly required: readonly string[]; readonly properties: object } {
  switch (index % 8) {
    case 0:
      return {
        required: ["command"],
        properties: { command: { type: "string", pattern: `(^|[ ;&|])tool-${index}\\b` } },
      };
    case 1:
    case 2:
    case 3:
      return {
        required: ["paths"],
        properties: {
          paths: { type: "array", contains: { type: "string", pattern: `/secret-${index}(/|$)` } },
        },
      };
    case 4:
      return {
        required: ["urls"],
        properties: {
          urls: { type: "array", contains: { type: "string", pattern: `^https://host-${index}\\.test/` } },
        },
      };
    case 5:
      return {
        required: ["name"],
        properties: { name: { enum: [`mcp__a__save-${index}`, `mcp__b__save-${index}`] } },
      };
    case 6:
      return { required: ["cwd"], properties: { cwd: { not: { type: "string", pattern: "^/shop" } } } };
    default:
      return { required: ["name"], properties: { name: { const: `Other${index}` } } };
  }
}

/** Tool calls of all kinds, one in five of which some rule speaks of. */
export function subjects(count: number): readonly Subject[] {
  return Array.from({ length: count }, (_, index): Subject => {
    const kind = index % TOOLS.length;
    const aimed = index % 5 === 0 ? (kind + 8 * (Math.floor(index / 5) % 5)) % 40 : 99;
    return {
      event: "tool.pre",
      surface: "hook",
      origin: "hook:claude-code",
      session: "s",
      cwd: "/shop/project",
      tool: TOOLS[kind] ?? "other",
      name: kind === 5 ? `mcp__a__save-${aimed}` : `Other${aimed}`,
      ...(kind === 0 && { command: `npm run build && tool-${aimed} --all` }),
      paths: [`/shop/project/src/${index}.ts`, `/home/ada/secret-${aimed}/x`],
      urls: [`https://host-${aimed}.test/a`],
      input: {},
    };
  });
}

/** A skill with those rules and nothing else. */
export function skillOf(rules: Readonly<Record<string, Rule>>): HostedSkill {
  const manifest: SkillManifest = {
    manifestVersion: 1,
    name: "bench",
    version: "1.0.0",
    summary: "Forty rules.",
    engines: { skillctl: "*" },
    rules,
  };
  return {
    manifest,
    folder: "/",
    schemas: "/",
    builtin: true,
    load: () => Promise.reject(new Error("It has no code.")),
  };
}
