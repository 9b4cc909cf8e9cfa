import { join, resolve } from "node:path";
import { nodeFiles } from "../../../adapters/files.ts";
import type { SkillManifest } from "../../../contract.ts";
import { SkillError } from "../../../errors/skill-error.ts";
import { CONTRACT_BANNER, CONTRACT_FILE, contractFile } from "../contract-file.ts";
import { coreSchemas, schemasIn } from "../schema-files.ts";
import { answer } from "../text.ts";
import type { Verb, Invocation } from "../verb.ts";
import { readWords } from "../words.ts";
import { quotedName } from "../../../quoted-name.ts";
import { parsedJson } from "../../../schema/json.ts";

const HELP = `Writes ${CONTRACT_FILE} into the folder of a skill: its manifest and schemas as
types for a plugin in JavaScript or TypeScript.

Usage: skillctl types [DIR]

  DIR  The folder of a skill.json. Default: here

A plugin imports them by \`@import { Contract } from "./contract.d.ts"\` in a
comment, or by \`import type\`. Run it again when the manifest or a schema
changes.
`;

/** Writes the contract of a skill as types. */
export const verb: Verb = { help: HELP, run };

async function run(words: readonly string[], invocation: Invocation): Promise<number> {
  const [given = "."] = readWords(words, {}, 1).positionals;
  const folder = resolve(invocation.workingFolder, given);
  const manifest = await manifestIn(folder);
  const schemas = schemasIn((skill) =>
    join(skill === manifest.name ? folder : `${folder}/../${skill}`, "schemas"),
  );
  const text = await contractFile(manifest, async (name) => {
    await schemas.check(name);
    return schemas.document(name);
  });
  const file = join(folder, CONTRACT_FILE);
  const written = CONTRACT_BANNER + text;
  const changed = (await nodeFiles.readText(file)) !== written;
  if (changed) await nodeFiles.replace(file, written, 0o644);
  const state = changed ? "written" : "unchanged";
  answer(invocation, { file, changed }, () => `${quotedName(join(given, CONTRACT_FILE))} is ${state}.\n`);
  return 0;
}

async function manifestIn(folder: string): Promise<SkillManifest> {
  const file = join(folder, "skill.json");
  const text = await nodeFiles.readText(file);
  if (text === undefined)
    throw new SkillError("FILE_UNREADABLE", `There is no skill.json in ${quotedName(folder)}.`, {
      file,
      hint: "Name the folder of a skill: skillctl types DIR",
    });
  const hint = `\`skillctl validate ${quotedName(folder)}\` shows every fault.`;
  let manifest: unknown;
  try {
    manifest = parsedJson(text);
  } catch (cause) {
    throw new SkillError("MANIFEST_INVALID", `${quotedName(file)} is not valid JSON.`, { cause, file, hint });
  }
  const fault = (await coreSchemas.check("core/skill-manifest"))(manifest);
  if (!fault) return manifest as SkillManifest;
  const { pointer, sentence } = fault;
  throw new SkillError("MANIFEST_INVALID", `${quotedName(file)}: ${sentence}`, { file, pointer, hint });
}
