import { basename, join } from "node:path";
import { surfacesOf } from "../../../catalog.ts";
import type { Host } from "../../../composition.ts";
import type { SkillManifest } from "../../../contract.ts";
import { described } from "../../../errors/skill-error.ts";
import {
  rulesText,
  toldRule,
  readSkillDocument,
  withoutRules,
  type ToldRule,
} from "../../../skill-document.ts";
import { promptsOf } from "../../../skill-prompts.ts";
import type { HostedSkill } from "../../../skill.ts";
import { inputForm } from "../form.ts";
import { usageLine } from "../help.ts";
import { servedSkills } from "../served.ts";
import { jsonResult, printable } from "../text.ts";
import type { Verb, Invocation } from "../verb.ts";
import { readWords, SERVED_FLAGS, SERVED_HELP } from "../words.ts";
import { quotedName } from "../../../quoted-name.ts";

const HELP = `Prints instructions for a model about skills: SKILL.md, rules, commands, prompts
and the next step of a phase. Loads none of their code.

Usage: skillctl prompt [SKILL...] [--only NAMES] [--without NAMES] [--json]

Flags:
${SERVED_HELP}
Without names it covers all served skills. Each is in <skill> tags; the rules of
skillctl and of skillctl.json are in <rules> tags. A rule that the host does not
enforce is marked. If the project is in a phase of a skill, its next step is
included. A placeholder {NAME} in a prompt is replaced by the text of that name
if the skill has one.
`;

/** Prints instructions for a model. */
export const verb: Verb = { help: HELP, flags: SERVED_FLAGS, run };

/** A rule outside of skills, and its origin. */
type HostRule = PromptRule & { readonly tier: string };

async function run(words: readonly string[], invocation: Invocation): Promise<number> {
  const read = readWords(words, SERVED_FLAGS);
  const { positionals } = read;
  const host = await invocation.host();
  const catalog = host.catalog.served(servedSkills(read, invocation, host.catalog));
  const skills =
    positionals.length > 0 ? [...new Set(positionals)].map((name) => catalog.skill(name)) : catalog.skills;
  const { terminal } = invocation;
  const phases = await phasesOf(host, invocation);
  const prompts: SkillPrompt[] = [];
  for (const skill of skills) {
    const { prompt, warnings } = await skillPrompt(skill, host, phases);
    for (const warning of warnings) terminal.err(printable(`${prompt.name}: ${warning}\n`));
    prompts.push(prompt);
  }
  const rules = hostRules(host);
  // Not wrapped at a terminal either: the text is for a model and may be copied.
  if (invocation.options.json) terminal.out(jsonResult({ skills: prompts, rules }));
  else terminal.out(printable([...prompts.map(asMarkdown), ...asBlock(rules)].join("\n")));
  return 0;
}

/** An error while reading phases is reported to the person. The rest is printed. */
async function phasesOf(host: Host, { terminal }: Invocation): Promise<readonly string[]> {
  try {
    return await host.phases();
  } catch (caught) {
    terminal.err(printable(`The next step is unknown: ${described(caught)}\n`));
    return [];
  }
}

/** The rules of skillctl and of configuration files, without those that only answer the question of another rule. */
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
    part("Commands", commands.map(({ usage, summary }) => `- \`${usage}\`: ${summary}\n`).join("")),
    ...prompts.map((prompt) => `\n## Prompt: ${prompt.name}\n\n${prompt.text}\n`),
    part("Now", now.map(({ phase, next }) => `- In the phase ${phase}: ${next}\n`).join("")),
  ].join("");
  return tagged("skill", ` name="${name}"`, body);
}

/** A skill must not be able to end its own tags and speak for another. */
function tagged(tag: string, attributes: string, body: string): string {
  return `<${tag}${attributes}>\n${body.replace(/<(\/?(?:skill|rules)\b)/gi, "&lt;$1")}</${tag}>\n`;
}

/** A rule of a skill in the form for a model. */
interface PromptRule extends ToldRule {
  readonly name: string;
}

/** The instructions for a model about one skill. */
interface SkillPrompt {
  readonly name: string;
  readonly description: string;
  /** The body of SKILL.md, without its block of rules. */
  readonly instructions: string;
  readonly rules: readonly PromptRule[];
  /** The commands that the command line offers. */
  readonly commands: readonly { readonly name: string; readonly summary: string; readonly usage: string }[];
  readonly prompts: readonly { readonly name: string; readonly text: string }[];
  /** The phases of the skill in the working folder, with their next steps. */
  readonly now: readonly { readonly phase: string; readonly next: string }[];
}

/** A prompt, and warnings for the person. */
interface PromptWithWarnings {
  readonly prompt: SkillPrompt;
  readonly warnings: readonly string[];
}

/** Collects the instructions about a skill, for the current phases. Loads none of its code. */
async function skillPrompt(
  skill: HostedSkill,
  { schemas, guard, ports: { files } }: Pick<Host, "schemas" | "guard" | "ports">,
  phases: readonly string[],
): Promise<PromptWithWarnings> {
  const { manifest, folder } = skill;
  const { name, summary } = manifest;
  const warnings: string[] = [];
  const text = skill.document ? undefined : await files.readText(join(folder, "SKILL.md"));
  const read = text === undefined ? undefined : await readSkillDocument(text, basename(folder));
  const document = skill.document ?? read;
  const errors = read?.faults.filter(({ severity }) => severity === "error") ?? [];
  if (!document) warnings.push(`${quotedName(folder)} has no SKILL.md; the summary is used instead.`);
  if (errors.length > 0)
    warnings.push(`SKILL.md has faults; \`skillctl validate ${quotedName(folder)}\` shows them.`);
  const commands: SkillPrompt["commands"][number][] = [];
  for (const [key, command] of Object.entries(manifest.commands ?? {})) {
    if (!surfacesOf(command).includes("cli")) continue;
    const form = inputForm(await schemas.document(command.input), command.positional);
    commands.push({
      name: key,
      summary: command.summary,
      usage: usageLine({ skill: name, name: key, command }, form),
    });
  }
  const prompts: SkillPrompt["prompts"][number][] = [];
  for (const { name: key, file, text: told } of await promptsOf(skill, files)) {
    if (told === undefined) warnings.push(`The prompt ${key} has no file ${quotedName(file)}.`);
    else prompts.push({ name: key, text: told });
  }
  const prompt: SkillPrompt = {
    name,
    description: read?.description ?? summary,
    instructions: (document && withoutRules(document.body).trim()) || summary,
    rules: rulesOf(manifest, new Set(guard.rules().map(({ id }) => id))),
    commands,
    prompts,
    now: nowOf(manifest, phases),
  };
  return { prompt, warnings };
}

/** The rules that the guard evaluates, and those that are not enforced. Others are left out. */
function rulesOf({ name, rules = {} }: SkillManifest, asked: ReadonlySet<string>): readonly PromptRule[] {
  return Object.entries(rules).flatMap(([key, rule]) => {
    const told = toldRule(rule);
    return told.kind === "told" || asked.has(`${name}/${key}`) ? [{ name: key, ...told }] : [];
  });
}

function nowOf({ name, phases: own }: SkillManifest, phases: readonly string[]): SkillPrompt["now"] {
  return Object.entries(own?.next ?? {}).flatMap(([phase, sentence]) =>
    phases.includes(`${name}:${phase}`) ? [{ phase, next: sentence }] : [],
  );
}
