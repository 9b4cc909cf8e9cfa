import { createHash } from "node:crypto";
import { join } from "node:path";
import { SkillError, type Files } from "skillctl";
import type { Change } from "./change.ts";
import { sameBytes } from "./exact-text.ts";

/** Images of single files that are kept nowhere else: of each a file, a line of JSON with its name, then its bytes. */
export class SavedImages {
  constructor(
    private readonly files: Files,
    /** Absolute; made with the first image. */
    private readonly folder: string,
  ) {}

  async before(path: string): Promise<Uint8Array | undefined> {
    const place = this.#place(path);
    const image = await this.files.readBytes(place);
    return image && opened(place, image).bytes;
  }

  /** Those that are not kept yet; on the disk when this is over. */
  async keep(images: ReadonlyMap<string, Uint8Array>): Promise<void> {
    for (const [path, bytes] of images) {
      const place = this.#place(path);
      if (await this.files.facts(place)) continue;
      await this.files.makeFolder(this.folder);
      await this.files.replace(place, Buffer.concat([Buffer.from(`${JSON.stringify(path)}\n`), bytes]));
    }
  }

  /** Of all that are kept, those that differ now. */
  async changes(root: string): Promise<readonly Change[]> {
    const names = ((await this.files.list(this.folder)) ?? []).filter((name) => !name.startsWith("."));
    const places = names.map((name) => join(this.folder, name));
    const kept = (await this.files.readMany(places)).map((image, index) =>
      opened(places[index] ?? "", image ?? new Uint8Array()),
    );
    const found = await this.files.readMany(kept.map(({ path }) => join(root, path)));
    return kept.flatMap(({ path, bytes: before }, index): readonly Change[] => {
      const now = found[index];
      if (!now) return [{ path, kind: "removed", before }];
      return sameBytes(now, before) ? [] : [{ path, kind: "changed", now, before }];
    });
  }

  #place(path: string): string {
    return join(this.folder, createHash("sha256").update(path).digest("hex").slice(0, 32));
  }
}

function opened(file: string, image: Uint8Array): { readonly path: string; readonly bytes: Uint8Array } {
  const end = image.indexOf(10);
  try {
    const path = JSON.parse(Buffer.from(image.subarray(0, end)).toString()) as string;
    return { path, bytes: image.subarray(end + 1) };
  } catch (cause) {
    throw new SkillError("DEBUG_STATE_DAMAGED", `The image ${file} of a file cannot be read.`, {
      file,
      cause,
      hint: "Put the files back from a copy of your own before you go on.",
    });
  }
}
