import { createHash } from "node:crypto";
import { join } from "node:path";
import { SkillError, type Files } from "skillctl";
import type { Change } from "./change.ts";

/** Images of single files that were not kept at the beginning, made before the first change: one file each. */
export class KeptFiles {
  constructor(
    private readonly files: Files,
    /** Absolute; made with the first image. */
    private readonly folder: string,
  ) {}

  async has(path: string): Promise<boolean> {
    return (await this.files.facts(this.#place(path))) !== undefined;
  }

  /** On the disk when this is over. */
  async keep(path: string, bytes: Uint8Array): Promise<void> {
    await this.files.makeFolder(this.folder);
    await this.files.replace(this.#place(path), Buffer.concat([Buffer.from(`${path}\0`), bytes]));
  }

  async before(path: string): Promise<Uint8Array | undefined> {
    const image = await this.files.readBytes(this.#place(path));
    return image && cut(this.#place(path), image).bytes;
  }

  /** Of all that are kept, those that differ now. */
  async changes(root: string): Promise<readonly Change[]> {
    const found: Change[] = [];
    for (const name of (await this.files.list(this.folder)) ?? []) {
      if (name.startsWith(".")) continue;
      const place = join(this.folder, name);
      const image = await this.files.readBytes(place);
      if (!image) continue;
      const { path, bytes } = cut(place, image);
      const [now] = await this.files.readMany([join(root, path)]);
      if (!now) found.push({ path, kind: "removed" });
      else if (Buffer.compare(now, bytes) !== 0) found.push({ path, kind: "changed", now });
    }
    return found;
  }

  #place(path: string): string {
    return join(this.folder, createHash("sha256").update(path).digest("hex").slice(0, 32));
  }
}

function cut(place: string, image: Uint8Array): { readonly path: string; readonly bytes: Uint8Array } {
  const end = image.indexOf(0);
  if (end > 0)
    return { path: Buffer.from(image.subarray(0, end)).toString(), bytes: image.subarray(end + 1) };
  throw new SkillError("DEBUG_STATE_DAMAGED", `The image ${place} of a file cannot be read.`, {
    file: place,
    hint: "Put the file back from a copy of your own before you go on.",
  });
}
