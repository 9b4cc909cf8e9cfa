import type { Files, Surveyed } from "skillctl";
import { LEFT_OUT } from "../worktree/exclusions.ts";
import type { Names } from "./manifest.ts";

/** Everything in a tree that a manifest is about, and the folders that were looked into. */
export interface TreeSurvey {
  readonly found: readonly Surveyed[];
  /** With a slash at the end. */
  readonly folders: readonly string[];
  /** What git keeps of repositories inside: paths of folders and files called `.git`. */
  readonly repositories: readonly string[];
}

/** `undefined` when the folder is not there. @throws SkillError `FILE_UNREADABLE` */
export async function surveyTree(
  files: Files,
  root: string,
  { ignored, extra }: Pick<Names, "extra"> & { readonly ignored: ReadonlySet<string> },
  isTools: (name: string, path: string) => boolean = (name) => LEFT_OUT.has(name),
): Promise<TreeSurvey | undefined> {
  const folders: string[] = [];
  const repositories: string[] = [];
  const found = await files.survey(root, (name, path) => {
    if (name === GIT && path !== GIT) repositories.push(path);
    if (name === GIT || isTools(name, path) || ignored.has(`${path}/`)) return false;
    folders.push(`${path}/`);
    return true;
  });
  if (!found) return undefined;
  const more = extra.length === 0 ? [] : await files.marks(extra.map((path) => `${root}/${path}`));
  const known = found.filter(({ path }) => !isGit(path));
  for (const [index, mark] of more.entries()) if (mark) known.push({ path: extra[index] as string, ...mark });
  for (const { path } of found) if (path !== GIT && isGit(path)) repositories.push(path);
  return { found: known, folders, repositories };
}

/**
 * Tells whether another commit is checked out than before, or the same one otherwise: what git writes then. Nobody else
 * writes these files.
 */
export async function headOf(files: Files, root: string): Promise<string> {
  const marks = await files.marks([`${root}/.git/HEAD`, `${root}/.git/logs/HEAD`]);
  return marks.map((mark) => (mark ? `${mark.bytes}@${mark.modifiedMs}` : "")).join(" ");
}

const GIT = ".git";

/** What a work tree beside the repository, or a repository inside, has in the place of the folder. */
function isGit(path: string): boolean {
  return path.endsWith(GIT) && (path === GIT || path.endsWith(`/${GIT}`));
}
