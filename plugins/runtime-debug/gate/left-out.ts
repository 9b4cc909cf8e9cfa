import { join } from "node:path";
import { SkillError, type Files, type Programs } from "skillctl";
import { readBaseline, type Baseline, type StoredPart } from "../worktree/baseline.ts";
import { LEFT_OUT } from "../worktree/exclusions.ts";
import { gitOnPath, names, type Git } from "../worktree/git.ts";

/**
 * Of paths of a project those that no session looks after: what git ignored when it began and ignores now, and what tools
 * keep. The rules outside the work tree are those of the beginning, and what was a file of the project then stays one.
 */
export async function leftOutIn(
  root: string,
  baseline: Baseline,
  paths: readonly string[],
  { files, programs }: { readonly files: Files; readonly programs: Programs },
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  if (paths.length === 0 || baseline.images === "") return found;
  let parts: readonly StoredPart[];
  try {
    ({ parts } = await readBaseline(baseline.images, files));
  } catch (caught) {
    // Then nothing is known to be left out.
    if (caught instanceof SkillError && caught.code === "DEBUG_STATE_DAMAGED") return found;
    throw caught;
  }
  const git = await gitOnPath(programs);
  for (const part of parts) {
    const own = paths.filter((path) => partOf(path, parts) === part);
    const inPart = own.map((path) => path.slice(part.folder.length));
    const out =
      part.kind === "plain" ? inPart.filter(isOfTool) : await ignored(root, baseline, part, inPart, git);
    for (const path of out) found.add(part.folder + path);
  }
  return found;
}

/** The innermost. */
function partOf(path: string, parts: readonly StoredPart[]): StoredPart | undefined {
  const holding = parts.filter(({ folder }) => path.startsWith(folder));
  return holding.reduce<StoredPart | undefined>(
    (one, other) => (one && one.folder.length >= other.folder.length ? one : other),
    undefined,
  );
}

function isOfTool(path: string): boolean {
  return path.split("/").some((name) => LEFT_OUT.has(name));
}

async function ignored(
  root: string,
  baseline: Baseline,
  part: StoredPart,
  paths: readonly string[],
  git: Git | undefined,
): Promise<readonly string[]> {
  if (!git || paths.length === 0) return [];
  const place = [`--git-dir=${join(baseline.images, part.place)}`, `--work-tree=${join(root, part.folder)}`];
  const folder = join(root, part.folder);
  // A folder that is to be made is one only by its slash.
  const input = paths.flatMap((path) => [`${path}\0`, `${path}/\0`]).join("");
  const { status, out } = await git.run([...place, "check-ignore", "-z", "--stdin"], { folder, input });
  if (status !== 0) return [];
  const said = new Set(names(out).map((path) => path.replace(/\/$/, "")));
  return paths.filter((path) => said.has(path));
}
