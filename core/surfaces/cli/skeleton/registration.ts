import { isAbsolute, join, relative } from "node:path";
import { skillFolders } from "../../../adapters/foreign-skills.ts";
import { SkillError } from "../../../errors/skill-error.ts";
import type { Files } from "../../../ports/files.ts";

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
