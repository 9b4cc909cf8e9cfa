import { join } from "node:path";
import type { Files } from "skillctl";
import type { ProjectGit } from "./project-git.ts";

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
