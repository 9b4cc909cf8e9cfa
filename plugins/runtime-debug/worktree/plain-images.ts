import { join } from "node:path";
import { SkillError, type FileMark, type Files, type Surveyed } from "skillctl";
import {
  MAX_IMAGE_BYTES,
  sameMark,
  type Begun,
  type FileForm,
  type Seeming,
  type TreePart,
} from "./change.ts";
import { LEFT_OUT } from "./baseline.ts";

/** How much is written to one file of images, in bytes: few files to sync, and little to read for one image. */
const PACK_BYTES = 4 * 1024 * 1024;
/** Copied in about 10 s; more is a home folder rather than a project. */
const MOST_BYTES = 1024 ** 3;

interface Image extends FileMark {
  readonly path: string;
  /** Which pack, from 0, and where in it; missing for what is no regular file. */
  readonly at?: readonly [pack: number, offset: number, length: number];
  /** What a link says. */
  readonly target?: string;
}

/** Images of all files of a folder, for machines without git. */
export class PlainImages implements TreePart {
  #images: ReadonlyMap<string, Image> | undefined;

  constructor(
    private readonly files: Files,
    private readonly folder: string,
    /** Where the images lie, absolute. */
    private readonly place: string,
    /** A folder inside that is skillctl's own, from the folder. */
    private readonly ownFolder?: string,
  ) {}

  /** @throws SkillError `STORAGE_UNSAFE` for a folder with more than 1 GiB to keep, `CANCELLED` */
  async begin(isOwn: (path: string) => boolean, signal: AbortSignal): Promise<Begun> {
    const found = (await this.#survey()).filter(({ path }) => !isOwn(path));
    refuseMuch(this.folder, found);
    await this.files.makeFolder(this.place);
    const images: Image[] = [];
    let pack = 0;
    for (const group of grouped(found)) {
      if (signal.aborted)
        throw new SkillError("CANCELLED", "It was cancelled while the code was being copied.");
      const bytes = await this.files.readMany(group.map(({ path }) => join(this.folder, path)));
      let offset = 0;
      for (const [index, file] of group.entries()) {
        const length = bytes[index]?.byteLength;
        images.push(length === undefined ? file : { ...file, at: [pack, offset, length] });
        offset += length ?? 0;
      }
      await this.files.replace(this.#pack(pack), Buffer.concat(bytes.filter((one) => one !== undefined)));
      pack += 1;
    }
    for (const file of found) {
      const target =
        file.kind === "link" ? await this.files.linkTarget(join(this.folder, file.path)) : undefined;
      if (file.kind !== "file") images.push({ ...file, ...(target !== undefined && { target }) });
    }
    await this.files.replace(this.#list(), JSON.stringify(images));
    const large = found.filter(({ bytes, kind }) => kind === "file" && bytes > MAX_IMAGE_BYTES);
    return { watched: large.map(({ path, ...mark }) => ({ path, mark })), nested: [] };
  }

  async changes(): Promise<readonly Seeming[]> {
    const images = await this.#known();
    const now = new Map((await this.#survey()).map((file) => [file.path, file]));
    const found: Seeming[] = [];
    for (const [path, file] of now) {
      const image = images.get(path);
      if (!image) found.push({ path, kind: "added" });
      else if (!sameMark(image, file)) found.push({ path, kind: "changed" });
    }
    for (const path of images.keys()) if (!now.has(path)) found.push({ path, kind: "removed" });
    return found;
  }

  async before(path: string): Promise<Uint8Array | undefined> {
    const image = (await this.#known()).get(path);
    // A link is what it says, whoever has made it anew.
    if (image?.target !== undefined) return Buffer.from(image.target);
    if (!image?.at) return undefined;
    const [pack, offset, length] = image.at;
    const bytes = await this.files.readBytes(this.#pack(pack));
    if (!bytes || bytes.byteLength < offset + length) throw damaged(this.#pack(pack));
    return bytes.subarray(offset, offset + length);
  }

  images(files: readonly Seeming[]): Promise<readonly (Uint8Array | undefined)[]> {
    return Promise.all(files.map(({ path }) => this.before(path)));
  }

  async form(path: string): Promise<FileForm | undefined> {
    const { kind, mode = 0o644, target } = (await this.#known()).get(path) ?? {};
    if (kind === "file") return { kind, mode };
    return kind === "link" ? { kind, mode, ...(target !== undefined && { target }) } : undefined;
  }

  async leftOut(paths: readonly string[]): Promise<readonly string[]> {
    const images = await this.#known();
    return paths.filter((path) => !images.has(path) && path.split("/").some((name) => LEFT_OUT.has(name)));
  }

  async #known(): Promise<ReadonlyMap<string, Image>> {
    if (this.#images) return this.#images;
    const text = await this.files.readText(this.#list());
    if (text === undefined) throw damaged(this.#list());
    const images = JSON.parse(text) as readonly Image[];
    return (this.#images = new Map(images.map((image) => [image.path, image])));
  }

  async #survey(): Promise<readonly Surveyed[]> {
    const enters = (name: string, path: string): boolean => !LEFT_OUT.has(name) && path !== this.ownFolder;
    return (await this.files.survey(this.folder, enters)) ?? [];
  }

  #list(): string {
    return join(this.place, "files.json");
  }

  #pack(number: number): string {
    return join(this.place, `pack-${number}`);
  }
}

function isKept({ kind, bytes }: Surveyed): boolean {
  return kind === "file" && bytes <= MAX_IMAGE_BYTES;
}

/** Exported for its test: nobody waits for a gigabyte there. */
export function refuseMuch(folder: string, files: readonly Surveyed[]): void {
  const bytes = files.filter(isKept).reduce((sum, file) => sum + file.bytes, 0);
  if (bytes <= MOST_BYTES) return;
  throw new SkillError("STORAGE_UNSAFE", `${folder} holds ${bytes} bytes to keep, over 1 GiB.`, {
    file: folder,
    hint: "Run it in the folder of the project, or install git, which leaves out what its ignore lists name.",
  });
}

function grouped(files: readonly Surveyed[]): readonly (readonly Surveyed[])[] {
  const groups: Surveyed[][] = [];
  let room = 0;
  for (const file of files.filter(isKept)) {
    if (room < file.bytes || groups.length === 0) {
      groups.push([]);
      room = PACK_BYTES;
    }
    groups.at(-1)?.push(file);
    room -= file.bytes;
  }
  return groups;
}

function damaged(file: string): SkillError {
  return new SkillError(
    "DEBUG_STATE_DAMAGED",
    `${file}, which keeps the code before the session, cannot be read.`,
    {
      file,
      hint: "Put the code back from a copy of your own, and begin a new session.",
    },
  );
}
