import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { SkillError, type Files } from "skillctl";

/** See `Worktree.write`. */
export async function writeInside(
  files: Files,
  root: string,
  path: string,
  bytes: Uint8Array | string,
  mode: number,
): Promise<void> {
  const asked = join(root, path);
  const folder = await files.realPath(dirname(asked));
  const unlinked = folder === undefined ? asked : join(folder, basename(asked));
  const target = (await files.realPath(asked)) ?? unlinked;
  const inside = relative((await files.realPath(root)) ?? root, target);
  if (inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside))
    throw unsafe(target, "lies outside the project");
  const facts = await files.facts(target);
  if (facts && facts.kind !== "file") throw unsafe(target, "is no regular file");
  if ((facts?.names ?? 1) > 1)
    throw new SkillError(
      "STORAGE_UNSAFE",
      `${target} has ${facts?.names} names, which writing it would part.`,
      {
        file: target,
        hint: `Make it a file of its own first: cp -p FILE FILE.new && mv FILE.new FILE. Its other names keep their bytes.`,
      },
    );
  await files.replace(target, bytes, facts?.mode ?? mode);
}

function unsafe(path: string, why: string): SkillError {
  return new SkillError("STORAGE_UNSAFE", `${path} ${why}, so it is not written.`, { file: path });
}
