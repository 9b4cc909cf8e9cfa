import { SkillError, type Files } from "skillctl";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Survey } from "../import/survey.ts";

/** An original that is kept. */
export interface KeptFile {
  /** Never reused for another file. */
  readonly id: number;
  /** The original name of the imported file. */
  readonly name: string;
  /** The zip folder that contained it, even if it has been unpacked. */
  readonly from?: string;
  /** Its name in `exports/`: `<first 16 characters of the SHA-256>-<name>`. */
  readonly kept: string;
  /** The decisions of its import. Files from earlier versions have none. */
  readonly survey?: Survey;
}

/** The imported files, as listed in `library.json`. It is replaced as a whole and alone decides which files are used. */
export interface Holdings {
  readonly next: number;
  readonly files: readonly KeptFile[];
}

/** The names of originals in `exports/`. */
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
 * The fictional files that are used until files are imported; they are next to the manifest, in the source and in a
 * bundle. A different `identity` means a different sample. @throws SkillError `GATEWAY_STATE_BROKEN`.
 */
export async function sampleFiles(files: Files) {
  let root = dirname(fileURLToPath(import.meta.url));
  while ((await files.facts(join(root, SAMPLE))) === undefined) {
    if (dirname(root) === root) {
      throw new SkillError(
        "GATEWAY_STATE_BROKEN",
        "The sample data of music-gateway is missing from its installation.",
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
