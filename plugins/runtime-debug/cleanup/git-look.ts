import { join } from "node:path";
import type { Files, Programs } from "skillctl";
import type { Finding } from "../check/finding.ts";
import { gitOnPath, names } from "../worktree/git.ts";
import { exactText } from "../worktree/exact-text.ts";

const MARKER = "region[[:space:]:]*(debug-point|agent log)";
const MARKED = /region[\s:]*(?:debug-point|agent log)/i;
/** So many files are looked at. */
const MOST = 500;

/**
 * Tells which files hold probes in the index or the last commit of git, although the files themselves hold none any more.
 * Nothing where there is no git.
 * @throws SkillError `CANCELLED`, `FILE_UNREADABLE`, `PROGRAM_FAILED` when git cannot be started
 */
export async function probesInGit(
  root: string,
  paths: readonly string[],
  files: Files,
  programs: Programs,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const clean: string[] = [];
  for (const path of [...new Set(paths)].slice(0, MOST)) {
    const file = join(root, path);
    const bytes = (await files.facts(file))?.kind === "file" ? await files.readBytes(file) : undefined;
    if (!bytes || !MARKED.test(exactText(bytes).text)) clean.push(path);
  }
  const git = clean.length === 0 ? undefined : await gitOnPath(programs);
  if (!git) return [];
  const holding = async (where: string): Promise<readonly string[]> => {
    const specs = clean.map((path) => `:(literal)${path}`);
    const args = ["grep", "-l", "-z", "-i", "-E", "-e", MARKER, where, "--", ...specs];
    const { status, out } = await git.run(args, { folder: root, signal });
    // 1: none; more: no repository, or no commit yet.
    return status === 0 ? names(out).map((name) => name.replace(/^HEAD:/, "")) : [];
  };
  const staged = await holding("--cached");
  const committed = await holding("HEAD");
  return [
    ...staged.map((file) => ({
      file,
      code: "probes-staged",
      sentence: "The index of git still holds probes in this file: the next commit would take them in.",
      hint: `Run git add -- ${file} before you commit.`,
    })),
    ...committed.map((file) => ({
      file,
      code: "probes-committed",
      sentence: "The last commit holds probes in this file.",
      hint: `Commit the file as it is now: ${file}`,
    })),
  ];
}
