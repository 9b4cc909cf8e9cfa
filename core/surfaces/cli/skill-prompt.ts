import { basename, join } from "node:path";
import { offers } from "../../catalog.ts";
import type { Host } from "../../composition.ts";
import type { SkillManifest } from "../../contract.ts";
import type { HostedSkill } from "../../skill.ts";
import { readSkillDocument, toldRule, withoutRules, type ToldRule } from "../../skill-document.ts";
import { inputForm } from "./form.ts";
import { usageLine } from "./help.ts";

/** A rule of a skill as a model is told of it. */
export interface PromptRule extends ToldRule {
  readonly name: string;
}

/** What a model is to be told of one skill. */
export interface SkillPrompt {
  readonly name: string;
  readonly description: string;
  /** The body of SKILL.md, without its block of rules. */
  readonly instructions: string;
  readonly rules: readonly PromptRule[];
  /** The commands that the command line offers. */
  readonly commands: readonly { readonly name: string; readonly summary: string; readonly usage: string }[];
  readonly prompts: readonly { readonly name: string; readonly text: string }[];
  /** The phases that the skill is in at the working folder, with what is to be done now. */
  readonly now: readonly { readonly phase: string; readonly next: string }[];
}

/** A prompt, and what it lacks: for the person and not for the model. */
export interface GatheredPrompt {
  readonly prompt: SkillPrompt;
  readonly warnings: readonly string[];
}

/** Gathers what a model is to be told of a skill, while skills are in these phases. Loads none of its code. */
export async function skillPrompt(
  skill: HostedSkill,
  { schemas, guard, ports: { files } }: Pick<Host, "schemas" | "guard" | "ports">,
  phases: readonly string[],
): Promise<GatheredPrompt> {
  const { manifest, folder } = skill;
  const { name, summary } = manifest;
  const warnings: string[] = [];
  const text = await files.readText(join(folder, "SKILL.md"));
  const document = text === undefined ? undefined : await readSkillDocument(text, basename(folder));
  const errors = document?.faults.filter(({ severity }) => severity === "error") ?? [];
  if (!document) warnings.push(`There is no SKILL.md in ${folder}; its summary stands for it.`);
  if (errors.length > 0) warnings.push(`SKILL.md has faults; \`skillctl validate ${folder}\` shows them.`);
  const commands: SkillPrompt["commands"][number][] = [];
  for (const [key, command] of Object.entries(manifest.commands ?? {})) {
    if (!offers(command, "cli")) continue;
    const form = inputForm(await schemas.document(command.input), command.positional);
    commands.push({
      name: key,
      summary: command.summary,
      usage: usageLine({ skill: name, name: key, command }, form),
    });
  }
  const prompts: SkillPrompt["prompts"][number][] = [];
  for (const [key, { file }] of Object.entries(manifest.prompts ?? {})) {
    const raw = await files.readText(join(folder, file));
    if (raw === undefined) warnings.push(`The prompt ${key} has no file ${file}.`);
    else prompts.push({ name: key, text: filled(raw, manifest).trim() });
  }
  const prompt: SkillPrompt = {
    name,
    description: document?.description ?? summary,
    instructions: (document && withoutRules(document.body).trim()) || summary,
    rules: rulesOf(manifest, new Set(guard.rules().map(({ id }) => id))),
    commands,
    prompts,
    now: nowOf(manifest, phases),
  };
  return { prompt, warnings };
}

/** The rules that the guard asks, and those that are only told. One that would be neither is not told. */
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

/** A place {ACCOUNT_HINT} gets the text account-hint of the manifest; without one it is left as it is. */
function filled(prompt: string, { texts = {} }: SkillManifest): string {
  return prompt.replace(/\{([A-Z][A-Z0-9_]*)\}/g, (place, name: string) => {
    const key = name.toLowerCase().replaceAll("_", "-");
    return Object.hasOwn(texts, key) ? (texts[key]?.text ?? place) : place;
  });
}
