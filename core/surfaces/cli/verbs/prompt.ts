import { nodeFiles } from "../../../adapters/files.ts";
import { skillPrompt, type SkillPrompt } from "../skill-prompt.ts";
import { jsonResult, printable } from "../text.ts";
import type { Verb, VerbContext } from "../verb.ts";
import { readWords } from "../words.ts";

const SEE = "skillctl prompt --help";
const HELP = `What a model is to be told of skills: their instructions (SKILL.md), rules,
commands and prompts. Loads none of their code.

Usage: skillctl prompt [SKILL...] [--json]

Without names: of all hosted skills. Each skill stands in <skill> tags. A place
{NAME} in a prompt is filled with the text of that name where the skill has one,
and is left to be filled in otherwise.
`;

/** Renders what a model is to be told. */
export const verb: Verb = { help: HELP, run };

async function run(words: readonly string[], context: VerbContext): Promise<number> {
  const { positionals } = readWords(words, new Map(), SEE);
  const { catalog, schemas } = await context.host();
  const skills =
    positionals.length > 0 ? [...new Set(positionals)].map((name) => catalog.skill(name)) : catalog.skills;
  const { terminal, options } = context;
  const prompts: SkillPrompt[] = [];
  for (const skill of skills) {
    const { prompt, warnings } = await skillPrompt(skill, schemas, nodeFiles);
    for (const warning of warnings) terminal.err(printable(`${prompt.name}: ${warning}\n`));
    prompts.push(prompt);
  }
  if (options.json) terminal.out(jsonResult({ skills: prompts }));
  else terminal.out(printable(prompts.map(asMarkdown).join("\n")));
  return 0;
}

function asMarkdown({ name, instructions, rules, commands, prompts }: SkillPrompt): string {
  const part = (title: string, lines: readonly string[]): string =>
    lines.length === 0 ? "" : `\n## ${title}\n\n${lines.map((line) => `- ${line}\n`).join("")}`;
  const texts = prompts.map((prompt) => `\n## Prompt: ${prompt.name}\n\n${prompt.text}\n`);
  const body = [
    `${instructions}\n`,
    part(
      "Rules",
      rules.map(({ tell }) => tell),
    ),
    part(
      "Commands",
      commands.map(({ usage, summary }) => `\`${usage}\`: ${summary}`),
    ),
    ...texts,
  ].join("");
  // A skill must not be able to end its own tags and speak for another.
  return `<skill name="${name}">\n${body.replace(/<(\/?skill\b)/gi, "&lt;$1")}</skill>\n`;
}
