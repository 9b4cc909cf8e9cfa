import { join } from "node:path";
import { SkillError, type FileMark, type Files, type Surveyed } from "skillctl";
import {
  isInToolFolder,
  MAX_IMAGE_BYTES,
  sameMark,
  TOOL_FOLDERS,
  type FileForm,
  type Images,
  type Seeming,
} from "./change.ts";

/** How much is written to one file of images, in bytes: few files to sync, and little to read for one image. */
const PACK_BYTES = 4 * 1024 * 1024;
/** Copied in about 10 s; more is a home folder rather than a project. */
const MOST_BYTES = 1024 ** 3;

interface Image extends FileMark {
  readonly path: string;
  /** Which pack, and where in it; missing for a link. */
  readonly at?: readonly [pack: number, offset: number, length: number];
  /** What a link says. */
  readonly target?: string;
}

/** The code as copies of all its files, for machines without git. */
export class PlainImages implements Images {
  #images: readonly Image[] | undefined;

  constructor(
    private readonly files: Files,
    /** The project folder, absolute. */
    private readonly folder: string,
    /** Where the images lie, absolute. */
    private readonly place: string,
    /** A folder inside the project that is skillctl's own, from the project folder. */
    private readonly ownFolder?: string,
  ) {}

  async begin(signal: AbortSignal): Promise<void> {
    const found = await this.#survey();
    refuseMuch(this.folder, found);
    await this.files.makeFolder(this.place);
    await this.#store([], found, signal);
  }

  async seeming(): Promise<readonly Seeming[]> {
    const images = await this.#known();
    const now = new Map<string, FileMark>((await this.#survey()).map((file) => [file.path, file]));
    // What has been kept in folders of tools is in no survey.
    const unseen = images.filter(({ path }) => !now.has(path)).map(({ path }) => path);
    const marks = await this.files.marks(unseen.map((path) => join(this.folder, path)));
    for (const [index, path] of unseen.entries()) {
      const mark = marks[index];
      if (mark) now.set(path, mark);
    }
    const found: Seeming[] = [];
    for (const image of images) {
      const { path, target } = image;
      const mark = now.get(path);
      now.delete(path);
      if (sameMark(image, mark)) continue;
      const kind = mark ? "changed" : "removed";
      found.push({ path, kind, before: await this.#bytes(image), wasLink: target !== undefined });
    }
    return [...found, ...[...now.keys()].map((path) => ({ path, kind: "added" }) as const)];
  }

  async before(path: string): Promise<Uint8Array | undefined> {
    const image = await this.#image(path);
    return image && this.#bytes(image);
  }

  async form(path: string): Promise<FileForm | undefined> {
    const image = await this.#image(path);
    return image && { kind: image.at ? "file" : "link", mode: image.mode ?? 0o644 };
  }

  async leftOut(paths: readonly string[]): Promise<readonly string[]> {
    const known = new Set((await this.#known()).map(({ path }) => path));
    return paths.filter((path) => !known.has(path) && isInToolFolder(path));
  }

  async keep(path: string): Promise<void> {
    const [mark] = await this.files.marks([join(this.folder, path)]);
    if (mark) await this.#store(await this.#known(), [{ ...mark, path }]);
  }

  /** Packs first, then the list that names what is in them. */
  async #store(known: readonly Image[], found: readonly Surveyed[], signal?: AbortSignal): Promise<void> {
    const images = [...known];
    for (const group of grouped(found)) {
      if (signal?.aborted)
        throw new SkillError("CANCELLED", "It was cancelled while the code was being copied.");
      const bytes = await this.files.readMany(group.map(({ path }) => join(this.folder, path)));
      const pack = images.length;
      let offset = 0;
      for (const [index, file] of group.entries()) {
        const length = bytes[index]?.byteLength;
        if (length === undefined) continue;
        images.push({ ...file, at: [pack, offset, length] });
        offset += length;
      }
      await this.files.replace(this.#pack(pack), Buffer.concat(bytes.filter((one) => one !== undefined)));
    }
    for (const file of found.filter(({ kind }) => kind === "link")) {
      const target = await this.files.linkTarget(join(this.folder, file.path));
      if (target !== undefined) images.push({ ...file, target });
    }
    await this.files.replace(this.#list(), JSON.stringify(images));
    this.#images = images;
  }

  async #bytes({ at, target = "" }: Image): Promise<Uint8Array> {
    if (!at) return Buffer.from(target);
    const [pack, offset, length] = at;
    const bytes = await this.files.readBytes(this.#pack(pack));
    if (!bytes || bytes.byteLength < offset + length) throw damaged(this.#pack(pack));
    return bytes.subarray(offset, offset + length);
  }

  async #image(path: string): Promise<Image | undefined> {
    return (await this.#known()).find((image) => image.path === path);
  }

  async #known(): Promise<readonly Image[]> {
    if (this.#images) return this.#images;
    const text = await this.files.readText(this.#list());
    if (text === undefined) throw damaged(this.#list());
    return (this.#images = JSON.parse(text) as readonly Image[]);
  }

  async #survey(): Promise<readonly Surveyed[]> {
    const enters = (name: string, path: string): boolean =>
      !TOOL_FOLDERS.includes(name) && path !== this.ownFolder;
    const found = (await this.files.survey(this.folder, enters)) ?? [];
    return found.filter(({ kind }) => kind === "file" || kind === "link");
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
