import { SkillError, type Files } from "skillctl";
import { join } from "node:path";

/** An original that is kept. */
export interface KeptFile {
  /** Given once. */
  readonly id: number;
  /** The name it came with. */
  readonly name: string;
  /** The zip folder it came in. */
  readonly from?: string;
  /** Its name in `exports/`: `<sha256, first 16>-<name>`. */
  readonly kept: string;
}

/** What has been imported: `library.json`, which is replaced as a whole and alone decides what answers. */
export interface Holdings {
  readonly next: number;
  readonly files: readonly KeptFile[];
}

/** The list in a library's folder. @throws SkillError `GATEWAY_STATE_BROKEN`. */
export async function loadHoldings(files: Files, folder: string): Promise<Holdings> {
  const path = join(folder, "library.json");
  const text = await files.readText(path);
  if (text === undefined) return adopted(files, folder);
  try {
    const { next, files: kept } = JSON.parse(text) as { next?: unknown; files?: unknown };
    if (Number.isSafeInteger(next) && Array.isArray(kept) && kept.every(isKept))
      return { next: next as number, files: kept };
  } catch {
    // Told below, as one that is JSON and no list.
  }
  throw new SkillError("GATEWAY_STATE_BROKEN", `${path} cannot be read as a list of imported files.`, {
    file: path,
    hint: "Remove it: the files in exports/ beside it are then listed anew.",
  });
}

export async function saveHoldings(files: Files, folder: string, holdings: Holdings): Promise<void> {
  await files.replace(join(folder, "library.json"), `${JSON.stringify(holdings, undefined, 2)}\n`);
}

/** The originals that an earlier version kept, which had no list. */
async function adopted(files: Files, folder: string): Promise<Holdings> {
  const names = ((await files.list(join(folder, "exports"))) ?? []).filter((name) => KEPT.test(name));
  const kept = names.map((name, index) => ({ id: index + 1, name: name.slice(17), kept: name }));
  return { next: kept.length + 1, files: kept };
}

const KEPT = /^[0-9a-f]{16}-[^/\\]+$/u;

function isKept(value: unknown): value is KeptFile {
  if (typeof value !== "object" || value === null) return false;
  const { id, name, from, kept } = value as Record<string, unknown>;
  return (
    Number.isSafeInteger(id) &&
    typeof name === "string" &&
    typeof kept === "string" &&
    KEPT.test(kept) &&
    (from === undefined || typeof from === "string")
  );
}
