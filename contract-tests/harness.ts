import { symlink } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import type { TestHost } from "skillctl/testing";
import { builtinSkills } from "../plugins/index.ts";

/** The folder of the repository, absolute, without a slash at the end. */
export const ROOT = fileURLToPath(new URL("../", import.meta.url)).replace(/[/\\]$/, "");

/** The skills in the box. */
export const SKILLS = builtinSkills(ROOT);

/** Examples name sample files as seen from the repository: the working folder of a test shows them too. */
export async function showSkills({ environment }: TestHost): Promise<void> {
  await symlink(join(ROOT, "skills"), join(environment.workingFolder, "skills"), "junction");
}
