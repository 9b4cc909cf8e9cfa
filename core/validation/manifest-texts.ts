import { join } from "node:path";
import type { SkillManifest } from "../contract.ts";
import type { Files } from "../ports/files.ts";
import type { Compiler } from "./compiler.ts";
import { pointerOf, type Complain } from "./fault.ts";
import { readText } from "./json-file.ts";
import { predicateFault } from "../schema/predicate.ts";

type Sound = Partial<SkillManifest>;

const PLACEHOLDER = /\{([A-Z][A-Z0-9_]*)\}/g;

/** Holds prompts and texts against their placeholders, in both directions, and prompts against their files. */
export async function checkTexts(
  manifest: Sound,
  folder: string,
  files: Files,
  complain: Complain,
): Promise<void> {
  for (const [name, prompt] of Object.entries(manifest.prompts ?? {})) {
    const at = pointerOf("prompts", name);
    const text = await readText(
      files,
      join(folder, prompt.file),
      `There is no file ${prompt.file}.`,
      (_, sentence, code) => complain(`${at}/file`, sentence, code),
    );
    if (text !== undefined) checkPlaceholders(text, prompt.placeholders ?? [], at, prompt.file, complain);
  }
  for (const [name, text] of Object.entries(manifest.texts ?? {})) {
    checkPlaceholders(text.text, text.placeholders ?? [], pointerOf("texts", name), "The text", complain);
  }
}

function checkPlaceholders(
  text: string,
  declared: readonly string[],
  at: string,
  where: string,
  complain: Complain,
): void {
  const used = new Set([...text.matchAll(PLACEHOLDER)].map(([, name]) => name as string));
  declared.forEach((name, index) => {
    if (!used.has(name)) complain(`${at}/placeholders/${index}`, `${where} has no place {${name}}.`);
  });
  for (const name of used) {
    if (!declared.includes(name))
      complain(`${at}/placeholders`, `${where} has a place {${name}} that is not in placeholders.`);
  }
}

/** Compiles the predicate of every rule, as the schema that it is and as the guard does. */
export function checkPredicates({ rules = {} }: Sound, compile: Compiler, complain: Complain): void {
  for (const [name, rule] of Object.entries(rules)) {
    if (rule.when === undefined) continue;
    const at = `${pointerOf("rules", name)}/when`;
    const compiled = compile(rule.when);
    const faults = "faults" in compiled ? compiled.faults : [];
    for (const { pointer, sentence } of faults) complain(at + pointer, sentence, "SCHEMA_INVALID");
    const fault = faults.length > 0 ? undefined : predicateFault(rule.when);
    if (fault) complain(at + fault.pointer, `${fault.message}.`, "SCHEMA_INVALID");
  }
}
