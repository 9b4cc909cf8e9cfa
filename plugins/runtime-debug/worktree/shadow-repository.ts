import { join, resolve } from "node:path";
import type { Files, Environment } from "skillctl";
import { names, type Git } from "./git.ts";

/** What is taken over from the repository of a project. */
export interface ProjectGit {
  /** What is checked out; missing before the first commit. */
  readonly commit?: string;
  /** Patterns that are not in the work tree: of the repository and of its user. */
  readonly patterns: string;
  readonly ignoresCase: boolean;
  /** Files that it keeps although its patterns leave them out. */
  readonly forced: readonly string[];
}

/** Reads it; `undefined` where git finds no repository in the folder, or does not trust it because it is somebody else's. */
export async function projectGit(
  git: Git,
  folder: string,
  { files, environment }: { readonly files: Files; readonly environment: Environment },
): Promise<ProjectGit | undefined> {
  if (!(await files.facts(`${folder}/.git`))) return undefined;
  const ask = async (...args: readonly string[]): Promise<Buffer | undefined> => {
    const { status, out } = await git.run(args, { folder });
    return status === 0 ? out : undefined;
  };
  const line = async (...args: readonly string[]): Promise<string | undefined> =>
    (await ask(...args))?.toString("utf8").replace(/\n$/, "");
  const exclude = await line("rev-parse", "--git-path", "info/exclude");
  if (exclude === undefined) return undefined;
  const commit = await line("rev-parse", "--quiet", "--verify", "HEAD^{commit}");
  const [named] = names((await ask("config", "-z", "--path", "--get", "core.excludesFile")) ?? Buffer.of());
  // Where git looks when nothing is configured: gitignore(5).
  const usual = environment.variable("XDG_CONFIG_HOME") ?? join(environment.home, ".config");
  const places = [exclude, named ?? join(usual, "git", "ignore")];
  const texts = places.map(async (path) => (await files.readText(resolve(folder, path))) ?? "");
  const forced = await ask("ls-files", "-z", "--cached", "--ignored", "--exclude-standard");
  return {
    ...(commit !== undefined && { commit }),
    patterns: (await Promise.all(texts)).join("\n"),
    ignoresCase: (await line("config", "--type=bool", "--get", "core.ignoreCase")) === "true",
    forced: names(forced ?? Buffer.of()),
  };
}

/** Bytes are bytes here: no conversion of line ends, no keywords, no filters, whatever a project says (gitattributes(5)). */
const ATTRIBUTES = "* -text !eol -ident -filter -working-tree-encoding -diff -merge\n";

/**
 * Writes an empty repository (gitrepository-layout(5)). It has its own
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
  await write("config", configuration(project?.ignoresCase ?? false));
}

function configuration(ignoresCase: boolean): string {
  return `[core]
	repositoryFormatVersion = 0
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
[index]
	sparse = false
[advice]
	addEmbeddedRepo = false
[gc]
	auto = 0
`;
}
