import { SkillError, type Files } from "skillctl";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { KeptFile } from "./holdings.ts";

const SAMPLE = join("skills", "music-gateway", "sample");

/** The made-up files that answer until others are imported. */
export interface Sample {
  readonly folder: string;
  readonly files: readonly KeptFile[];
  /** Another text, another sample. */
  readonly identity: string;
}

/** The sample beside the manifest, whether this runs from source or from a bundle. @throws SkillError `GATEWAY_STATE_BROKEN`. */
export async function sampleFiles(files: Files): Promise<Sample> {
  let root = dirname(fileURLToPath(import.meta.url));
  while ((await files.facts(join(root, SAMPLE))) === undefined) {
    if (dirname(root) === root) {
      throw new SkillError(
        "GATEWAY_STATE_BROKEN",
        "The sample data of music-gateway are not where it is installed.",
        { hint: "Install skillctl again, or import your own files." },
      );
    }
    root = dirname(root);
  }
  const folder = join(root, SAMPLE);
  const names = (await files.list(folder)) ?? [];
  const marks = await files.marks(names.map((name) => join(folder, name)));
  return {
    folder,
    files: names.map((name, index) => ({ id: index + 1, name, kept: name })),
    identity: names.map((name, index) => `${name} ${marks[index]?.bytes}`).join("\n"),
  };
}
