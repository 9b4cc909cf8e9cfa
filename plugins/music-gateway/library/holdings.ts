import { SkillError, type Files } from "skillctl";
import { join } from "node:path";
import { SongRegister, isSong } from "../store/songs.ts";

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

const KEPT = /^[0-9a-f]{16}-[^/\\]+$/u;

/** The list in a library's folder. @throws SkillError `GATEWAY_STATE_BROKEN`. */
export async function loadHoldings(files: Files, folder: string): Promise<Holdings> {
  const found = await loadList(files, join(folder, "library.json"), "files", isKept, {
    kind: "a list of imported files",
    hint: "Remove it: the files in exports/ beside it are then listed anew.",
  });
  return found === undefined ? adopted(files, folder) : { next: found.next, files: found.list };
}

export async function saveHoldings(files: Files, folder: string, holdings: Holdings): Promise<void> {
  await files.replace(join(folder, "library.json"), `${JSON.stringify(holdings, undefined, 2)}\n`);
}

/** The songs' ids. @throws SkillError `GATEWAY_STATE_BROKEN` when the file is there and no register: ids must not be given anew. */
export async function loadRegister(files: Files, folder: string): Promise<SongRegister> {
  const found = await loadList(files, join(folder, "songs.json"), "songs", isSong, {
    kind: "a register of songs",
    hint: "Restore it from a copy, or run `skillctl run music-gateway reset` and import again.",
  });
  return found === undefined ? new SongRegister() : new SongRegister(found.list, found.next);
}

export async function saveRegister(
  files: Files,
  folder: string,
  { next, songs }: SongRegister,
): Promise<void> {
  await files.replace(join(folder, "songs.json"), `${JSON.stringify({ next, songs }, undefined, 2)}\n`);
}

/** A list with the next number to give, out of a JSON file; undefined when there is none. */
async function loadList<Entry>(
  files: Files,
  path: string,
  name: string,
  isEntry: (value: unknown) => value is Entry,
  { kind, hint }: { readonly kind: string; readonly hint: string },
): Promise<{ readonly next: number; readonly list: readonly Entry[] } | undefined> {
  const text = await files.readText(path);
  if (text === undefined) return undefined;
  try {
    const { next, [name]: list } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (Number.isSafeInteger(next) && Array.isArray(list) && list.every(isEntry))
      return { next: next as number, list };
  } catch {
    // Told below, as one that is JSON and no list.
  }
  throw new SkillError("GATEWAY_STATE_BROKEN", `${path} cannot be read as ${kind}.`, { file: path, hint });
}

/** The originals that an earlier version kept, which had no list. */
async function adopted(files: Files, folder: string): Promise<Holdings> {
  const names = ((await files.list(join(folder, "exports"))) ?? []).filter((name) => KEPT.test(name));
  const kept = names.map((name, index) => ({ id: index + 1, name: name.slice(17), kept: name }));
  return { next: kept.length + 1, files: kept };
}

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
