import type { Host } from "../../../composition.ts";
import { described } from "../../../errors/skill-error.ts";
import { rulesText, toldRule } from "../../../skill-document.ts";
import { skillPrompt, type PromptRule, type SkillPrompt } from "../skill-prompt.ts";
import { jsonResult, printable } from "../text.ts";
import type { Verb, VerbContext } from "../verb.ts";
import { readWords } from "../words.ts";

const SEE = "skillctl prompt --help";
const HELP = `What a model is to be told of skills: their instructions (SKILL.md), rules,
commands and prompts, and what is to be done now. Loads none of their code.

Usage: skillctl prompt [SKILL...] [--json]

Without names: of all hosted skills. Each skill stands in <skill> tags; the rules
of skillctl and of skillctl.json stand in <rules> tags. A rule that the host does
not enforce is marked. Where a project is in a phase of a skill, the next step is
told. A place {NAME} in a prompt is filled with the text of that name where the
skill has one, and is left to be filled in otherwise.
`;

/** Renders what a model is to be told. */
export const verb: Verb = { help: HELP, run };

/** A rule that no skill brings, and where it comes from. */
type HostRule = PromptRule & { readonly tier: string };

async function run(words: readonly string[], context: VerbContext): Promise<number> {
  const { positionals } = readWords(words, new Map(), SEE);
  const host = await context.host();
  const { catalog } = host;
  const skills =
    positionals.length > 0 ? [...new Set(positionals)].map((name) => catalog.skill(name)) : catalog.skills;
  const { terminal, options } = context;
  const phases = await phasesOf(host, context);
  const prompts: SkillPrompt[] = [];
  for (const skill of skills) {
    const { prompt, warnings } = await skillPrompt(skill, host, phases);
    for (const warning of warnings) terminal.err(printable(`${prompt.name}: ${warning}\n`));
    prompts.push(prompt);
  }
  const rules = hostRules(host);
  if (options.json) terminal.out(jsonResult({ skills: prompts, rules }));
  else terminal.out(printable([...prompts.map(asMarkdown), ...asBlock(rules)].join("\n")));
  return 0;
}

/** What cannot be read of phases is told to the person: the rules are for the model all the same. */
async function phasesOf(host: Host, { terminal }: VerbContext): Promise<readonly string[]> {
  try {
    return await host.phases();
  } catch (caught) {
    terminal.err(printable(`The next step is not told: ${described(caught)}\n`));
    return [];
  }
}

/** The rules of skillctl itself and of the places; one that only answers the question of another is none for a model. */
function hostRules({ guard }: Host): readonly HostRule[] {
  return guard
    .rules()
    .filter(({ skill, rule }) => skill === undefined && rule.decision !== "allow")
    .map(({ name, tier, rule }) => ({ name, tier, ...toldRule(rule) }));
}

function asBlock(rules: readonly HostRule[]): readonly string[] {
  return rules.length === 0 ? [] : [tagged("rules", "", rulesText(rules))];
}

function asMarkdown({ name, instructions, rules, commands, prompts, now }: SkillPrompt): string {
  const part = (title: string, text: string): string => (text === "" ? "" : `\n## ${title}\n\n${text}`);
  const body = [
    `${instructions}\n`,
    part("Rules", rulesText(rules)),
    // Instructions may have a table of their own under that title.
    part(
      /^## Commands\s*$/m.test(instructions) ? "All commands" : "Commands",
      commands.map(({ usage, summary }) => `- \`${usage}\`: ${summary}\n`).join(""),
    ),
    ...prompts.map((prompt) => `\n## Prompt: ${prompt.name}\n\n${prompt.text}\n`),
    part(
      "Now",
      [...now.map(({ phase, next }) => `- In the phase ${phase}: ${next}\n`), ...whichOf(now, commands)].join(
        "",
      ),
    ),
  ].join("");
  return tagged("skill", ` name="${name}"`, body);
}

/** Where the phase of what is told: a phase has no name of its session, and several may be in one. */
function whichOf(now: SkillPrompt["now"], commands: SkillPrompt["commands"]): readonly string[] {
  const status = now.length > 0 ? commands.find(({ name }) => name === "status") : undefined;
  const words = status?.usage.replace(/ (\[|--).*$/, "");
  return words === undefined
    ? []
    : [`- \`${words}\` names each session in a phase, and the command that comes next.\n`];
}

/** A skill must not be able to end its own tags and speak for another. */
function tagged(tag: string, attributes: string, body: string): string {
  return `<${tag}${attributes}>\n${body.replace(/<(\/?(?:skill|rules)\b)/gi, "&lt;$1")}</${tag}>\n`;
}
