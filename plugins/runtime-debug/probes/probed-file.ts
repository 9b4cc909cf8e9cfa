import { basename, resolve } from "node:path";
import { quotedName, SkillError, type Files } from "skillctl";
import { MAX_IMAGE_BYTES } from "../worktree/change.ts";
import { utf8Text } from "../worktree/exact-text.ts";
import { within } from "../worktree/worktree.ts";

/** A file that a probe is to be put in. */
export interface ProbedFile {
  /** From the project folder, with `/`. */
  readonly path: string;
  readonly text: string;
}

const NOT_OURS = new Set([".git", ".dbg", "node_modules", ".hg", ".svn"]);

/**
 * Reads a text file of the project, links followed.
 * @throws SkillError `DEBUG_PROBE_PLACE` for files outside, files that are no text, and files of tools; `FILE_UNREADABLE`
 */
export async function probedFile(
  files: Files,
  root: string,
  folder: string,
  name: string,
): Promise<ProbedFile> {
  const asked = resolve(folder, name);
  const real = await files.realPath(asked);
  const facts = real === undefined ? undefined : await files.facts(real);
  if (real === undefined || facts?.kind !== "file") throw unfit(`There is no file ${quotedName(name)}.`);
  const path = within(root, real);
  if (!path) throw unfit(`${quotedName(name)} is outside of the project ${quotedName(root)}.`);
  if (path.split("/").some((part) => NOT_OURS.has(part)) || /^debug-.*\.md$/.test(basename(path)))
    throw unfit(`${quotedName(name)} is no code of the project.`);
  if (facts.bytes > MAX_IMAGE_BYTES)
    throw unfit(`${quotedName(name)} is larger than ${MAX_IMAGE_BYTES / 1024 / 1024} MiB.`);
  const text = utf8Text((await files.readBytes(real)) ?? new Uint8Array());
  if (text === undefined) throw unfit(`${quotedName(name)} is no text in UTF-8.`);
  return { path, text };
}

function unfit(sentence: string): SkillError {
  return new SkillError("DEBUG_PROBE_PLACE", sentence, {
    hint: "Name a source file of the project as FILE:LINE, as seen from the working folder.",
  });
}
