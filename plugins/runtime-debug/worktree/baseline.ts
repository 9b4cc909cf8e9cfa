import { SkillError, type Files } from "skillctl";
import { join } from "node:path";
import type { Watched } from "./change.ts";

/** How the code was when a session began; JSON, kept in its entry. */
export interface Baseline {
  /** Where the images lie: absolute, in the state folder. */
  readonly images: string;
  /** The commit that was checked out, in hex; missing without git. */
  readonly commit?: string;
}

/** What lies where in the folder of the images. Written last: with it the baseline is whole. */
export interface BaselineFile {
  readonly version: 1;
  readonly parts: readonly StoredPart[];
  readonly watched: readonly Watched[];
}

export interface StoredPart {
  /** From the project folder, with `/` at the end; "" is the project itself. */
  readonly folder: string;
  readonly kind: "git" | "plain";
  /** Name of its folder among the images. */
  readonly place: string;
  /** skillctl's own folder of states inside it, from `folder`; missing where git leaves it out, or it is elsewhere. */
  readonly leftOut?: string;
}

export async function writeBaseline(images: string, file: BaselineFile, files: Files): Promise<void> {
  await files.replace(join(images, NAME), JSON.stringify(file));
}

/** @throws SkillError `DEBUG_STATE_DAMAGED` when there is none, or one of another version */
export async function readBaseline(images: string, files: Files): Promise<BaselineFile> {
  const text = await files.readText(join(images, NAME));
  const found = text === undefined ? undefined : parsed(text);
  if (found?.version === 1 && Array.isArray(found.parts) && Array.isArray(found.watched)) return found;
  throw new SkillError("DEBUG_STATE_DAMAGED", "What is kept of the code before the session cannot be read.", {
    file: join(images, NAME),
    hint: "Put the code back from a copy of your own, and begin a new session.",
  });
}

const NAME = "baseline.json";

function parsed(text: string): BaselineFile | undefined {
  try {
    return JSON.parse(text) as BaselineFile;
  } catch {
    // It is told as damaged.
    return undefined;
  }
}
