import { lstatSync, realpathSync } from "node:fs";
import { symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { SkillError } from "../errors/skill-error.ts";
import { packageFolder } from "./package-folder.ts";
import { foundPackage } from "./package-imports.ts";
import { quotedName } from "../quoted-name.ts";
import { makeFolders } from "./folders.ts";

/**
 * Makes `skillctl` importable from a folder: returns the package that resolves from there, or links this one into the
 * folder's own node_modules. @throws SkillError `FILE_UNWRITABLE`, `STORAGE_UNSAFE` for another package of that name
 */
export async function linkPackage(folder: string): Promise<string> {
  const found = foundPackage(folder);
  if (found !== undefined) {
    // A new skill is trusted at once and would run the other package.
    if (realpathSync(found) === realpathSync(packageFolder())) return found;
    throw new SkillError("STORAGE_UNSAFE", `${quotedName(found)} is another copy of skillctl.`, {
      file: found,
      hint: "A skill here would run its code. Choose another place with --dir; if you trust that package, `npx skillctl` starts it.",
    });
  }
  const link = join(folder, "node_modules", "skillctl");
  if (lstatSync(dirname(link), { throwIfNoEntry: false })?.isSymbolicLink())
    throw new SkillError(
      "STORAGE_UNSAFE",
      `${quotedName(dirname(link))} is a link, and skillctl does not follow it.`,
      {
        file: dirname(link),
        hint: "Choose another place with --dir, or install skillctl with npm beside the skill.",
      },
    );
  try {
    // The link is specific to this machine and must not be committed.
    if (makeFolders(dirname(link), 0o777).length > 0)
      await writeFile(join(dirname(link), ".gitignore"), "*\n");
    // Windows requires a privilege for links, but not for junctions.
    await symlink(packageFolder(), link, process.platform === "win32" ? "junction" : "dir");
    return link;
  } catch (cause) {
    throw new SkillError(
      "FILE_UNWRITABLE",
      `${quotedName(link)} cannot be linked (${(cause as NodeJS.ErrnoException).code}).`,
      {
        cause,
        file: link,
        hint: "Install skillctl with npm beside the skill instead.",
      },
    );
  }
}
