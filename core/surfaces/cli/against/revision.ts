import { dirname, join } from "node:path";
import { SkillError } from "../../../errors/skill-error.ts";
import { requiredGit, makeRepository, zeroSeparated } from "../../../git/git.ts";
import { ProjectRepository } from "../../../git/project-repository.ts";
import type { Environment } from "../../../ports/environment.ts";
import type { Files } from "../../../ports/files.ts";
import type { Programs } from "../../../ports/programs.ts";
import { quotedName } from "../../../quoted-name.ts";

/** JSON files of a revision, by their paths in the work tree, absolute. */
type RevisionFiles = ReadonlyMap<string, string>;

interface Ports {
  readonly files: Files;
  readonly programs: Programs;
  readonly environment: Environment;
}

/**
 * Reads `skill.json` and schemas from a revision of the work tree around a folder. Git opens a repository of ours with
 * the objects of the project: nothing in the project is checked out, filtered or run.
 * @throws SkillError `USAGE` for a folder outside of a work tree and for an unknown revision, `PROGRAM_FAILED`, `FILE_UNREADABLE`
 */
export async function filesOf(revision: string, folder: string, ports: Ports): Promise<RevisionFiles> {
  const { files, programs, environment } = ports;
  const git = await requiredGit(programs);
  const top = await workTreeAround(folder, files);
  const project = top === undefined ? undefined : await ProjectRepository.of(top, files);
  if (top === undefined || !project)
    throw new SkillError("USAGE", `${quotedName(folder)} is not in a git work tree.`, {
      hint: "A folder to compare with is written with ./, as in --against ./earlier",
    });
  const { randomUUID } = await import("node:crypto");
  const repository = join(environment.stateFolder, "against", randomUUID());
  const run = { repository, environment: { GIT_OBJECT_DIRECTORY: await project.objects() } };
  try {
    await makeRepository(files, repository, await project.objectFormat());
    const [, name = "", steps = ""] = /^([^~^]+)((?:[~^]\d*)*)$/.exec(revision) ?? [];
    const id = (await project.named(name)) ?? (/^[0-9a-f]{4,64}$/.test(name) ? name : undefined);
    const words = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${id}${steps}^{commit}`];
    const { status, out } = id === undefined ? { status: 1, out: "" } : await git.run(words, run);
    if (status !== 0)
      throw new SkillError("USAGE", `There is no revision ${quotedName(revision)} in ${quotedName(top)}.`, {
        hint: "A folder to compare with is written with ./, as in --against ./earlier",
      });
    const listed = zeroSeparated(await git.output(["ls-tree", "-r", "-z", String(out).trim()], run));
    const found = listed.flatMap((line) => {
      const [, blob, path] = /^100\d{3} blob ([0-9a-f]+)\t([^]+)$/.exec(line) ?? [];
      return blob !== undefined && path !== undefined && CONTRACT_FILE.test(path) ? [{ blob, path }] : [];
    });
    const texts = await git.blobs(
      found.map(({ blob }) => blob),
      run,
    );
    return new Map(
      found.flatMap(({ path }, index) => {
        const text = texts[index];
        return text ? [[join(top, ...path.split("/")), Buffer.from(text).toString("utf8")] as const] : [];
      }),
    );
  } finally {
    await files.remove(repository);
  }
}

/** A file of a contract: in the folder of a skill, or in `schemas/<skill>/`. */
const CONTRACT_FILE = /(?:^|\/)(?:skill\.json|schemas\/(?:[^/]+\/)?[^/]+\.json)$/;

async function workTreeAround(folder: string, files: Files): Promise<string | undefined> {
  if (await files.facts(join(folder, ".git"))) return folder;
  return dirname(folder) === folder ? undefined : workTreeAround(dirname(folder), files);
}
