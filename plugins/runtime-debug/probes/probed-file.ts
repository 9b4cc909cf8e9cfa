import { basename, join, resolve } from "node:path";
import {
  ENVIRONMENT,
  FILES,
  inject,
  injectable,
  quotedName,
  SkillError,
  token,
  type Environment,
  type Files,
} from "skillctl";
import { MAX_IMAGE_BYTES } from "../worktree/change.ts";
import { utf8Text } from "../worktree/exact-text.ts";
import { within, WORKTREE, type Baseline, type Worktree } from "../worktree/worktree.ts";

/** A file for a probe. */
export interface ProbedFile {
  /** From the project folder, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** A file with its text before and after the insertion of probes. */
export interface RewrittenFile {
  /** From the project folder, with `/`. */
  readonly path: string;
  readonly before: string;
  readonly text: string;
}

const NOT_OURS = new Set([".git", ".dbg", "node_modules", ".hg", ".svn"]);

/** The files of a project with new probes. */
@injectable()
export class ProbedFiles {
  constructor(
    @inject(FILES) private readonly files: Files,
    @inject(WORKTREE) private readonly worktree: Worktree,
    @inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /**
   * Reads a file named by a call, looked up in a folder; default: the working folder.
   * @throws SkillError as `probedFile` does
   */
  read(root: string, name: string, folder = this.environment.workingFolder): Promise<ProbedFile> {
    return probedFile(this.files, root, folder, name);
  }

  /** Saves images of files before the insertion of probes. @throws SkillError `DEBUG_CHANGED` if a file has another text */
  async keep(root: string, baseline: Baseline, all: readonly RewrittenFile[]): Promise<void> {
    const tree = await this.worktree.tree(root, baseline);
    for (const { path, before } of all) {
      await tree.keep(path);
      await this.#refuseChanged(join(root, path), before);
    }
  }

  /** @throws SkillError `DEBUG_CHANGED` for a file that has another text, `FILE_UNWRITABLE` */
  async write(root: string, { path, before, text }: RewrittenFile): Promise<void> {
    await this.#refuseChanged(join(root, path), before);
    await this.worktree.write(root, path, text);
  }

  async #refuseChanged(file: string, before: string): Promise<void> {
    if ((await this.files.readText(file)) === before) return;
    throw new SkillError(
      "DEBUG_CHANGED",
      `${quotedName(file)} was changed while the probe was being put into it.`,
      {
        file,
        hint: "Look at the line again, and try again.",
      },
    );
  }
}

export const PROBED_FILES = token<ProbedFiles>("probed-files");

/**
 * Reads a text file of the project, links followed.
 * @throws SkillError `DEBUG_PROBE_PLACE` for files outside the project, files that are not text, and files of tools;
 * `FILE_UNREADABLE`
 */
export async function probedFile(
  files: Files,
  root: string,
  folder: string,
  name: string,
): Promise<ProbedFile> {
  const real = await files.realPath(resolve(folder, name));
  const facts = real === undefined ? undefined : await files.facts(real);
  if (real === undefined || facts?.kind !== "file") throw unfit(`There is no file ${quotedName(name)}.`);
  const path = within(root, real);
  if (!path) throw unfit(`${quotedName(name)} is outside of the project ${quotedName(root)}.`);
  if (path.split("/").some((part) => NOT_OURS.has(part)) || /^debug-.*\.md$/.test(basename(path)))
    throw unfit(`${quotedName(name)} is not code of the project.`);
  if (facts.bytes > MAX_IMAGE_BYTES)
    throw unfit(`${quotedName(name)} is larger than ${MAX_IMAGE_BYTES / 1024 / 1024} MiB.`);
  const text = utf8Text((await files.readBytes(real)) ?? new Uint8Array());
  if (text === undefined) throw unfit(`${quotedName(name)} is not a text file in UTF-8.`);
  return { path, text };
}

function unfit(sentence: string): SkillError {
  return new SkillError("DEBUG_PROBE_PLACE", sentence, {
    hint: "Name a source file of the project as FILE:LINE, as seen from the working folder.",
  });
}
