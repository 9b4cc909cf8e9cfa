import { dirname, resolve } from "node:path";
import { SkillError, type Files } from "skillctl";
import { SIGN } from "./picture.ts";

/**
 * Writes a picture to a file of that name, from a folder on, and answers its path.
 * @throws SkillError `USAGE` when its folder is missing or something else than a picture of this command is there; `FILE_UNREADABLE`, `FILE_UNWRITABLE`
 */
export async function writePicture(files: Files, folder: string, name: string, svg: string): Promise<string> {
  const path = resolve(folder, name);
  const folderOf = dirname(path);
  const real = await files.realPath(folderOf);
  if (real === undefined || (await files.facts(real))?.kind !== "folder")
    throw new SkillError("USAGE", `There is no folder ${folderOf} for the picture.`, {
      file: path,
      hint: "Make it first, or name a file in another folder with --svg.",
    });
  await refuseOther(files, path);
  await files.replace(path, svg);
  return path;
}

async function refuseOther(files: Files, path: string): Promise<void> {
  const facts = await files.facts(path);
  if (!facts) return;
  const isOurs = facts.kind === "file" && (await files.readText(path))?.slice(0, 200).includes(SIGN);
  if (isOurs) return;
  throw new SkillError("USAGE", `${path} is there already and is no picture of compare.`, {
    file: path,
    hint: "Name another file with --svg, or remove that one.",
  });
}
