import type { HostedSkill } from "../../skill.ts";
import type { Tools } from "./tools.ts";

/**
 * What the client may tell its model of the skills that have tools: what each is for, and the sentences of its rules
 * (MCP 2025-11-25, schema, InitializeResult, instructions). The rules hold whether it is told or not.
 */
export function instructionsOf(skills: readonly HostedSkill[], tools: Tools): string {
  const names = tools.names();
  const parts = skills
    .map(({ manifest }) => manifest)
    .filter(({ name }) => names.some((tool) => tool.startsWith(`${name}_`)))
    .map(({ name, summary, rules = {} }) =>
      [`${name}: ${summary}`, ...Object.values(rules).map(({ tell }) => `- ${tell}`)].map(oneLine).join("\n"),
    );
  return ["A tool is a command of a skill; its name is SKILL_COMMAND.", ...parts].join("\n\n");
}

/** A skill must not be able to begin a paragraph that speaks for another. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}
