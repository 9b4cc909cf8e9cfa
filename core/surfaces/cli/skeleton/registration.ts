import { isAbsolute, join, relative } from "node:path";
import { skillFolders } from "../../../adapters/foreign-skills.ts";
import { SkillError } from "../../../errors/skill-error.ts";
import type { Files } from "../../../ports/files.ts";
import type { HostedSkill, SkillFault } from "../../../skill.ts";

/**
 * Adds a skill's folder to `plugins` of the skillctl.json in a folder, and keeps everything else of the file.
 * Answers false when the folder is hosted already, because a listed folder contains it.
 * The file, where there is one, has been checked before.
 */
export async function register(
  folder: string,
  workingFolder: string,
  hosted: readonly string[],
  files: Files,
): Promise<boolean> {
  if (skillFolders(hosted).includes(folder)) return false;
  const file = join(workingFolder, "skillctl.json");
  const text = (await files.readText(file))?.replace(/^\uFEFF/, "");
  const content = text === undefined ? {} : parsed(text, file);
  const path = relative(workingFolder, folder).replaceAll("\\", "/");
  const plugins = [
    ...(content.plugins ?? []),
    path.startsWith("../") || isAbsolute(path) ? path : `./${path}`,
  ];
  const indent = /^[ \t]+(?=")/m.exec(text ?? "")?.[0] ?? "  ";
  const lineEnd = text?.includes("\r\n") ? "\r\n" : "\n";
  const written = `${JSON.stringify({ ...content, plugins }, undefined, indent)}\n`.replaceAll("\n", lineEnd);
  await files.replace(file, written, 0o644);
  return true;
}

function parsed(text: string, file: string): { readonly plugins?: readonly string[] } {
  try {
    return JSON.parse(text) as { readonly plugins?: readonly string[] };
  } catch (cause) {
    throw new SkillError("CONFIG_INVALID", `${file} is no JSON.`, { cause, file });
  }
}

const SKILL_NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const MOST = 64;
/** Its schemas would be taken for skillctl's own. */
const RESERVED = "core";

/** @throws SkillError `USAGE` for a name no skill can have, with the nearest one as hint; `SKILL_CONFLICT`. */
export function checkNewName(
  name: string,
  hosted: readonly HostedSkill[],
  broken: readonly SkillFault[],
): void {
  if (!SKILL_NAME.test(name) || name.length > MOST) {
    const guess = asName(name);
    throw new SkillError("USAGE", `"${name}" cannot be the name of a skill.`, {
      hint: `A name is 1 to ${MOST} lowercase letters, digits and single hyphens.${guess ? ` Did you mean ${guess}?` : ""}`,
    });
  }
  if (name === RESERVED) {
    throw new SkillError("USAGE", `"${name}" cannot be the name of a skill.`, {
      hint: "It is the name of skillctl's own schemas.",
    });
  }
  const twin =
    hosted.find(({ manifest }) => manifest.name === name)?.folder ??
    broken.find(({ skill }) => skill === name)?.file;
  if (twin === undefined) return;
  throw new SkillError("SKILL_CONFLICT", `There is a skill ${name} already, in ${twin}.`, {
    hint: "Choose another name.",
  });
}

/** The name that was probably meant: "My Skill" -> my-skill, "GreetingCard" -> greeting-card. */
function asName(word: string): string {
  const plain = word
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase();
  return plain
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, MOST)
    .replace(/^-+|-+$/g, "");
}
