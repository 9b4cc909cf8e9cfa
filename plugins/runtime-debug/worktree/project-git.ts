import { join, resolve } from "node:path";
import type { Environment, Files } from "skillctl";
import { names, type Git } from "./git.ts";

/** What is taken over from the repository of a project. */
export interface ProjectGit {
  /** The folder of its objects, absolute. */
  readonly objects: string;
  readonly format: "sha1" | "sha256";
  /** What is checked out; missing before the first commit. */
  readonly commit?: string;
  /** Patterns that are not in the work tree: of the repository and of its user. */
  readonly patterns: string;
  readonly ignoresCase: boolean;
}

/** Reads it; `undefined` where git finds no repository in the folder, or does not trust it because it is somebody else's. */
export async function projectGit(
  git: Git,
  folder: string,
  { files, environment }: { readonly files: Files; readonly environment: Environment },
): Promise<ProjectGit | undefined> {
  if (!(await files.facts(`${folder}/.git`))) return undefined;
  const ask = async (...args: readonly string[]): Promise<readonly string[] | undefined> => {
    const { status, out } = await git.run(args, { folder });
    return status === 0 ? out.toString("utf8").replace(/\n$/, "").split("\n") : undefined;
  };
  const found = await ask(
    "rev-parse",
    "--show-object-format",
    "--git-path",
    "objects",
    "--git-path",
    "info/exclude",
  );
  const [format, objects, exclude] = found ?? [];
  // A folder with a line end in its name gives more lines.
  if (found?.length !== 3 || objects === undefined || exclude === undefined) return undefined;
  const [commit] = (await ask("rev-parse", "--quiet", "--verify", "HEAD^{commit}")) ?? [];
  const { out } = await git.run(["config", "-z", "--path", "--get", "core.excludesFile"], { folder });
  // Where git looks when nothing is configured: gitignore(5).
  const usual = environment.variable("XDG_CONFIG_HOME") ?? join(environment.home, ".config");
  const [ofUser = join(usual, "git", "ignore")] = names(out);
  const [ignoreCase] = (await ask("config", "--type=bool", "--get", "core.ignoreCase")) ?? [];
  const texts = [exclude, ofUser].map(async (path) => (await files.readText(resolve(folder, path))) ?? "");
  return {
    objects: resolve(folder, objects),
    format: format === "sha256" ? "sha256" : "sha1",
    ...(commit !== undefined && { commit }),
    patterns: (await Promise.all(texts)).join("\n"),
    ignoresCase: ignoreCase === "true",
  };
}
