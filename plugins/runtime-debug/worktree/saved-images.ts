import { createHash } from "node:crypto";
import { join } from "node:path";
import { SkillError, type Files } from "skillctl";
import type { Change } from "./change.ts";

/**
 * Images of single files that are kept nowhere else. Those that are kept at
 * once are one file: a line of JSON with names and lengths, then the bytes.
 */
export class SavedImages {
  constructor(
    private readonly files: Files,
    /** Absolute; made with the first image. */
    private readonly folder: string,
  ) {}

  async before(path: string): Promise<Uint8Array | undefined> {
    for (const pack of await this.#packs()) {
      const found = pack.get(path);
      if (found) return found;
    }
    return undefined;
  }

  /** Those that are not kept yet; on the disk when this is over. */
  async keep(images: ReadonlyMap<string, Uint8Array>): Promise<void> {
    const known = await this.#packs();
    const added = [...images].filter(([path]) => !known.some((pack) => pack.has(path)));
    if (added.length === 0) return;
    const head = JSON.stringify(added.map(([path, bytes]) => [path, bytes.byteLength]));
    const name = createHash("sha256").update(head).digest("hex").slice(0, 32);
    await this.files.makeFolder(this.folder);
    const bytes = Buffer.concat([Buffer.from(`${head}\n`), ...added.map(([, image]) => image)]);
    await this.files.replace(join(this.folder, name), bytes);
  }

  /** Of all that are kept, those that differ now. */
  async changes(root: string): Promise<readonly Change[]> {
    const images = (await this.#packs()).flatMap((pack) => [...pack]);
    const found = await this.files.readMany(images.map(([path]) => join(root, path)));
    return images.flatMap(([path, bytes], index): readonly Change[] => {
      const now = found[index];
      if (!now) return [{ path, kind: "removed", before: bytes }];
      return Buffer.compare(now, bytes) === 0 ? [] : [{ path, kind: "changed", now, before: bytes }];
    });
  }

  async #packs(): Promise<readonly ReadonlyMap<string, Uint8Array>[]> {
    const names = ((await this.files.list(this.folder)) ?? []).filter((name) => !name.startsWith("."));
    const places = names.map((name) => join(this.folder, name));
    const packs = await this.files.readMany(places);
    return packs.map((pack, index) => opened(places[index] ?? this.folder, pack ?? new Uint8Array()));
  }
}

function opened(file: string, pack: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const end = pack.indexOf(10);
  let offset = end + 1;
  const images = new Map<string, Uint8Array>();
  try {
    const head = JSON.parse(Buffer.from(pack.subarray(0, end)).toString()) as readonly [string, number][];
    for (const [path, length] of head) images.set(path, pack.subarray(offset, (offset += length)));
  } catch (cause) {
    throw damaged(file, cause);
  }
  if (offset !== pack.byteLength) throw damaged(file);
  return images;
}

function damaged(file: string, cause?: unknown): SkillError {
  return new SkillError("DEBUG_STATE_DAMAGED", `The images ${file} of files cannot be read.`, {
    file,
    cause,
    hint: "Put the files back from a copy of your own before you go on.",
  });
}
