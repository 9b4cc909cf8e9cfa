import { join, resolve } from "node:path";
import type { Files, Environment } from "skillctl";
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

/** Bytes are bytes here: no conversion of line ends, no keywords, no filters, whatever a project says (gitattributes(5)). */
const ATTRIBUTES = "* -text !eol -ident -filter -working-tree-encoding -diff -merge\n";

/** Has a repository borrow the objects of the project's, or not. */
export async function borrowObjects(
  files: Files,
  repository: string,
  project: ProjectGit | undefined,
): Promise<void> {
  // The list is one path a line; one with a line end in it cannot be said, and costs only that files are kept twice.
  const isSayable = project && !/[\r\n]/.test(project.objects);
  await files.replace(join(repository, ALTERNATES), isSayable ? `${project.objects}\n` : "");
}

const ALTERNATES = "objects/info/alternates";

/**
 * Writes an empty repository (gitrepository-layout(5)) that borrows the objects of the project's. It has its own
 * configuration, so that none of the project's is read. Files come into one pack in place of a file each, because the
 * threshold of large ones is 1 byte.
 */
export async function makeRepository(
  files: Files,
  repository: string,
  project: ProjectGit | undefined,
  patterns: readonly string[],
): Promise<void> {
  const objects = join(repository, "objects");
  for (const folder of [
    join(objects, "info"),
    join(objects, "pack"),
    join(repository, "refs"),
    join(repository, "info"),
  ])
    await files.makeFolder(folder);
  const write = (name: string, text: string): Promise<void> => files.replace(join(repository, name), text);
  await write("HEAD", "ref: refs/heads/none\n");
  await write("info/attributes", ATTRIBUTES);
  await write("info/exclude", [project?.patterns ?? "", ...patterns, ""].join("\n"));
  await borrowObjects(files, repository, project);
  await write("config", configuration(project));
}

function configuration(project: ProjectGit | undefined): string {
  const { format = "sha1", ignoresCase = false } = project ?? {};
  return `[core]
	repositoryFormatVersion = ${format === "sha1" ? 0 : 1}
	bare = false
	fileMode = false
	ignoreCase = ${ignoresCase}
	autoCrlf = false
	safeCrlf = false
	trustCtime = true
	checkStat = default
	excludesFile =
	attributesFile =
	hooksPath = /dev/null
	fsMonitor = false
	untrackedCache = false
	splitIndex = false
	longPaths = true
	bigFileThreshold = 1
	compression = 0
[extensions]
${format === "sha1" ? "" : `\tobjectFormat = ${format}\n`}[index]
	sparse = false
[advice]
	addEmbeddedRepo = false
[gc]
	auto = 0
`;
}
