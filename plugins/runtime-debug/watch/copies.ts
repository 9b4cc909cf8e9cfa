import { createHash } from "node:crypto";
import { join } from "node:path";
import { SkillError, type Files, type Surveyed } from "skillctl";
import { MAX_IMAGE_BYTES } from "../worktree/change.ts";
import type { Copy } from "./manifest.ts";

/** How much is written to one file of copies, in bytes: few files to sync, and little to read for one copy. */
const PACK_BYTES = 8 * 1024 * 1024;
/** More is not copied: the images of the session have it, as long as the project's git does. */
const MOST_BYTES = 1024 ** 3;
const LIST = "copies.json";

/** The bytes of all files of a manifest, so that nothing the project's git throws away is needed to put one back. */
export class Copies {
  readonly #packs = new Map<number, Uint8Array>();
  #list: readonly Copy[] | undefined;

  constructor(
    private readonly files: Files,
    private readonly folder: string,
  ) {}

  /** @throws SkillError `DEBUG_STATE_DAMAGED`, `FILE_UNREADABLE` */
  async of(place: number): Promise<Copy> {
    this.#list ??= await this.#read();
    const copy = this.#list[place];
    if (!copy) throw damaged(join(this.folder, LIST));
    return copy;
  }

  /** `undefined` when there is none. @throws SkillError `DEBUG_STATE_DAMAGED`, `FILE_UNREADABLE` */
  async bytes({ at, sha256 }: Copy): Promise<Uint8Array | undefined> {
    if (!at) return undefined;
    const [number, offset, length] = at;
    const path = packIn(this.folder, number);
    const pack = this.#packs.get(number) ?? (await this.files.readBytes(path));
    if (!pack) throw damaged(path);
    this.#packs.set(number, pack);
    const bytes = pack.subarray(offset, offset + length);
    if (sha256Of(bytes) !== sha256) throw damaged(path);
    return bytes;
  }

  async #read(): Promise<readonly Copy[]> {
    const path = join(this.folder, LIST);
    const text = await this.files.readText(path);
    if (text === undefined) throw damaged(path);
    return JSON.parse(text) as readonly Copy[];
  }
}

/** Copies files, in the order in which they were found. @throws SkillError `CANCELLED`, `FILE_UNWRITABLE`, `FILE_UNREADABLE` */
export async function writeCopies(
  files: Files,
  root: string,
  folder: string,
  found: readonly Surveyed[],
  signal?: AbortSignal,
): Promise<void> {
  const copies: Copy[] = [];
  let total = 0;
  let pack: Uint8Array[] = [];
  let number = 0;
  let room = PACK_BYTES;
  const flush = async (): Promise<void> => {
    if (pack.length > 0) await files.replace(packIn(folder, number), Buffer.concat(pack));
    [pack, number, room] = [[], number + 1, PACK_BYTES];
  };
  for (const group of grouped(found)) {
    if (signal?.aborted === true)
      throw new SkillError("CANCELLED", "It was cancelled while the code was being copied.");
    const all = await files.readMany(group.map((place) => `${root}/${found[place]?.path ?? ""}`));
    for (const [index, place] of group.entries()) {
      const bytes = all[index];
      const { kind, mode } = found[place] as Surveyed;
      const rest = { kind, ...(mode !== undefined && { mode }) };
      if (!bytes) {
        copies[place] = rest;
        continue;
      }
      total += bytes.byteLength;
      const isKept = total <= MOST_BYTES;
      if (isKept && bytes.byteLength > room) await flush();
      const at = [number, PACK_BYTES - room, bytes.byteLength] as const;
      copies[place] = { ...rest, sha256: sha256Of(bytes), ...(isKept && { at }) };
      if (!isKept) continue;
      pack.push(bytes);
      room -= bytes.byteLength;
    }
  }
  await flush();
  for (const [place, file] of found.entries()) copies[place] ??= await withoutBytes(files, root, file);
  await files.replace(join(folder, LIST), JSON.stringify(copies));
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

async function withoutBytes(files: Files, root: string, { path, kind, mode }: Surveyed): Promise<Copy> {
  const target = kind === "link" ? await files.linkTarget(`${root}/${path}`) : undefined;
  return { kind, ...(mode !== undefined && { mode }), ...(target !== undefined && { target }) };
}

/** Places of files that are copied, so many at once that they fit into memory. */
function grouped(found: readonly Surveyed[]): readonly (readonly number[])[] {
  const groups: number[][] = [];
  let room = 0;
  for (const [place, { kind, bytes }] of found.entries()) {
    if (kind !== "file" || bytes > MAX_IMAGE_BYTES) continue;
    if (room < bytes || groups.length === 0) {
      groups.push([]);
      room = PACK_BYTES;
    }
    groups.at(-1)?.push(place);
    room -= bytes;
  }
  return groups;
}

function packIn(folder: string, number: number): string {
  return join(folder, `pack-${number}`);
}

function damaged(file: string): SkillError {
  return new SkillError(
    "DEBUG_STATE_DAMAGED",
    `${file}, which keeps the code before the evidence, cannot be read.`,
    {
      file,
      hint: "Put the code back from a copy of your own, and begin a new session.",
    },
  );
}
