import { join } from "node:path";
import type { SkillManifest } from "./contract.ts";
import type { Files } from "./ports/files.ts";
import type { HostedSkill } from "./skill.ts";

/** A prompt of a manifest; without a text if its file is missing. */
export interface SkillPromptText {
  readonly name: string;
  /** Relative to the folder of the skill. */
  readonly file: string;
  readonly text: string | undefined;
}

/** The prompts of a skill, or the instructions of its subagents, in the order of its manifest. */
export async function promptsOf(
  { manifest, folder }: Pick<HostedSkill, "manifest" | "folder">,
  files: Pick<Files, "readText">,
  part: "prompts" | "agents" = "prompts",
): Promise<readonly SkillPromptText[]> {
  const entries = Object.entries(manifest[part] ?? {});
  return Promise.all(
    entries.map(async ([name, { file }]) => {
      const raw = await files.readText(join(folder, file));
      return { name, file, text: raw === undefined ? undefined : filled(raw, manifest).trim() };
    }),
  );
}

/** Replaces {ACCOUNT_HINT} by the text account-hint of the manifest, if it exists. */
function filled(prompt: string, { texts = {} }: SkillManifest): string {
  return prompt.replace(/\{([A-Z][A-Z0-9_]*)\}/g, (place, name: string) => {
    const key = name.toLowerCase().replaceAll("_", "-");
    return Object.hasOwn(texts, key) ? (texts[key]?.text ?? place) : place;
  });
}
