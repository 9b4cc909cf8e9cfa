import { createHash } from "node:crypto";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import type { Environment, Files, Programs } from "skillctl";
import {
  writeBaseline,
  type Baseline,
  type StoredPart,
  FOLDER_PATTERNS,
  isOwnFile,
  ownPatterns,
} from "./baseline.ts";
import type { Watched } from "./change.ts";
import { gitOnPath } from "./git.ts";
import { PlainImages } from "./plain-images.ts";
import { Shadow } from "./shadow.ts";

interface Ports {
  readonly files: Files;
  readonly programs: Programs;
  readonly environment: Environment;
  /** Is told how many files get no image. */
  readonly note: (sentence: string) => void;
}

/** See `Worktree.begin`. Repositories inside the project are parts of their own, and what is inside them too. */
export async function beginBaseline(
  ports: Ports,
  root: string,
  session: string,
  signal: AbortSignal,
): Promise<Baseline> {
  const { files, environment } = ports;
  const images = join(environment.stateFolder, "runtime-debug", shortHash(root), session);
  await files.remove(images);
  await files.makeFolder(images);
  const git = await gitOnPath(ports.programs);
  const parts: StoredPart[] = [];
  const watched: Watched[] = [];
  let commit: string | undefined;
  const folders = [""];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const place = String(parts.length);
    const path = join(root, folder).replace(/(?<=.)[/\\]$/, "");
    const leftOut = git ? undefined : stateIn(path, environment);
    const begun = git
      ? await new Shadow(git, files, path, join(images, place)).begin(
          environment,
          await patternsFor(path, session, ports),
          signal,
        )
      : await new PlainImages(files, path, join(images, place), leftOut).begin(
          (name) => isOwnFile(name, session),
          signal,
        );
    parts.push({ folder, kind: git ? "git" : "plain", place, ...(leftOut !== undefined && { leftOut }) });
    watched.push(...begun.watched.map((one) => ({ ...one, path: folder + one.path })));
    for (const path of begun.nested) folders.push(folder + path);
    if (folder === "") commit = begun.commit;
  }
  await writeBaseline(images, { version: 1, parts, watched }, files);
  if (watched.length > 0)
    ports.note(
      `${watched.length} file${watched.length === 1 ? " gets" : "s get"} no image, over 4 MiB or not readable: a change is noticed, but cannot be put back.`,
    );
  return { images, ...(commit !== undefined && { commit }) };
}

/** See `Worktree.forget`. */
export async function forgetBaseline(files: Files, { images }: Baseline): Promise<void> {
  await files.remove(images);
  const project = dirname(images);
  if ((await files.list(project))?.length === 0) await files.remove(project);
}

async function patternsFor(
  path: string,
  session: string,
  { files, environment }: Ports,
): Promise<readonly string[]> {
  const isProject = (await files.facts(join(path, ".git"))) !== undefined;
  const state = stateIn(path, environment);
  return [
    ...ownPatterns(session),
    ...(isProject ? [] : FOLDER_PATTERNS),
    ...(state === undefined ? [] : [`/${state}/`]),
  ];
}

/** The state folder as seen from a folder that holds it, with `/`. */
function stateIn(path: string, { stateFolder }: Environment): string | undefined {
  const state = relative(path, stateFolder);
  const isInside = state !== "" && state !== ".." && !state.startsWith(`..${sep}`) && !isAbsolute(state);
  return isInside ? state.split(sep).join("/") : undefined;
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
