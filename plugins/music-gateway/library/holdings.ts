import { SkillError, type Files } from "skillctl";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Survey } from "../import/survey.ts";

/** An original that is kept. */
export interface KeptFile {
  /** Never given to another file. */
  readonly id: number;
  /** The name of the file that was imported. */
  readonly name: string;
  /** The zip folder it came in, also where it is unfolded. */
  readonly from?: string;
  /** Its name in `exports/`: `<sha256, first 16>-<name>`. */
  readonly kept: string;
  /** The decisions of its import. Files of an earlier version have none. */
  readonly survey?: Survey;
}

/** The imported files, as `library.json` lists them. It is replaced as a whole, and alone decides which files answer. */
export interface Holdings {
  readonly next: number;
  readonly files: readonly KeptFile[];
}

/** Names of originals in `exports/`. */
export const KEPT = /^[0-9a-f]{16}-[^/\\]+$/u;

export function isKept(value: unknown): value is KeptFile {
  if (typeof value !== "object" || value === null) return false;
  const { id, name, from, kept, survey } = value as Record<string, unknown>;
  return (
    Number.isSafeInteger(id) &&
    typeof name === "string" &&
    typeof kept === "string" &&
    KEPT.test(kept) &&
    (from === undefined || typeof from === "string") &&
    (survey === undefined || (typeof survey === "object" && survey !== null))
  );
}

const SAMPLE = join("skills", "music-gateway", "sample");

/**
 * The made-up files that answer until others are imported, beside the manifest, whether this runs from source or from a
 * bundle. With another `identity` it is another sample. @throws SkillError `GATEWAY_STATE_BROKEN`.
 */
export async function sampleFiles(files: Files) {
  let root = dirname(fileURLToPath(import.meta.url));
  while ((await files.facts(join(root, SAMPLE))) === undefined) {
    if (dirname(root) === root) {
      throw new SkillError(
        "GATEWAY_STATE_BROKEN",
        "The sample data of music-gateway are missing from its installation.",
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
