import type { HostedSkill } from "../../skill.ts";
import type { Tools } from "./tools.ts";

/** Clients truncate longer instructions. */
const MOST_CHARACTERS = 2_000;
const LEAD =
  "A tool is a command of a skill; its name is SKILL_COMMAND. The most important rules follow; the resource skill://SKILL/SKILL.md lists all rules of a skill.";

/**
 * The instructions for the model of the client: the purpose of each skill with tools and sentences of its rules, the foremost
 * first, one skill after the other while there is room (MCP 2025-11-25, schema, InitializeResult, instructions). The guard
 * enforces the rules in any case.
 */
export function instructionsOf(skills: readonly HostedSkill[], tools: Tools): string {
  const names = tools.names();
  const parts = skills
    .map(({ manifest }) => manifest)
    .filter(({ name }) => names.some((tool) => tool.startsWith(`${name}_`)))
    .map(({ name, summary, rules = {} }) => {
      const [first, later] = [true, false].map((is) =>
        Object.values(rules).filter(({ foremost = false }) => foremost === is),
      );
      const sentences = [...(first ?? []), ...(later ?? [])].map(({ tell }) => oneLine(`- ${tell}`));
      return { told: [oneLine(`${name}: ${summary}`)], sentences };
    });
  let room = MOST_CHARACTERS - textOf(parts).length;
  for (let turn = 0; parts.some(({ sentences }) => turn < sentences.length); turn += 1)
    for (const { told, sentences } of parts) {
      const sentence = sentences[turn];
      if (sentence === undefined || sentence.length >= room) continue;
      told.push(sentence);
      room -= sentence.length + 1;
    }
  return textOf(parts).slice(0, MOST_CHARACTERS);
}

function textOf(parts: readonly { readonly told: readonly string[] }[]): string {
  return [LEAD, ...parts.map(({ told }) => told.join("\n"))].join("\n\n");
}

/** Prevents a skill from beginning a paragraph in the name of another one. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}
