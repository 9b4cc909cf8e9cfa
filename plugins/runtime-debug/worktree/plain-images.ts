import { join } from "node:path";
import { quotedName, SkillError, type FileMark, type Files, type SurveyEntry } from "skillctl";
import { MAX_IMAGE_BYTES, type FormerFile, type Images, type Seeming } from "./change.ts";
import { isInToolFolder, TOOL_FOLDERS } from "./code-files.ts";

/** The maximum size of the code in one file of images, in bytes, so that only a few files must be synced. */
const PACK_BYTES = 4 * 1024 * 1024;
/** A larger folder is probably a home folder and not a project. */
const MOST_BYTES = 128 * 1024 * 1024;

interface Image {
  readonly path: string;
  readonly kind: "file" | "link";
  readonly mode: number;
  /** Its bytes in base64, or the target of a link. */
  readonly data: string;
}

/** The code as copies of all its files, packed as JSON, for machines without git. */
export class PlainImages implements Images {
  #images: ReadonlyMap<string, Image> | undefined;

  constructor(
    private readonly files: Files,
    /** The project folder, absolute. */
    private readonly folder: string,
    /** The absolute path of the images. */
    private readonly place: string,
    /** A folder of skillctl inside the project, relative to the project folder. */
    private readonly ownFolder?: string,
  ) {}

  async begin(signal: AbortSignal): Promise<void> {
    const found = (await this.#survey()).filter(({ bytes }) => bytes <= MAX_IMAGE_BYTES);
    refuseMuch(this.folder, found);
    await this.files.makeFolder(this.place);
    let [pack, room]: [Image[], number] = [[], PACK_BYTES];
    for (const { path, ...mark } of found) {
      if (signal.aborted)
        throw new SkillError("CANCELLED", "The call was cancelled while the code was being copied.");
      if (mark.bytes > room) {
        await this.#write(pack);
        [pack, room] = [[], PACK_BYTES];
      }
      pack.push(...(await this.#imageOf(path, mark)));
      room -= mark.bytes;
    }
    await this.#write(pack);
  }

  async seeming(): Promise<readonly Seeming[]> {
    const images = await this.#known();
    const kept = [...images.values()];
    const marks = await this.files.marks(kept.map(({ path }) => join(this.folder, path)));
    const found = kept.map(({ path, kind: was, data }, index): Seeming => {
      const kind = marks[index] ? "changed" : "removed";
      return { path, kind, before: Buffer.from(data, "base64"), wasLink: was === "link" };
    });
    const added = (await this.#survey()).filter(({ path }) => !images.has(path));
    return [...found, ...added.map(({ path }) => ({ path, kind: "added" }) as const)];
  }

  async before(path: string): Promise<FormerFile | undefined> {
    const image = (await this.#known()).get(path);
    return image && { ...image, bytes: Buffer.from(image.data, "base64") };
  }

  async leftOut(paths: readonly string[]): Promise<readonly string[]> {
    const images = await this.#known();
    return paths.filter((path) => !images.has(path) && isInToolFolder(path));
  }

  async keep(path: string): Promise<void> {
    const [mark] = await this.files.marks([join(this.folder, path)]);
    if (mark) await this.#write(await this.#imageOf(path, mark));
  }

  /** Excludes unreadable files. */
  async #imageOf(path: string, { kind, mode = 0o644 }: FileMark): Promise<readonly Image[]> {
    const file = join(this.folder, path);
    const target = kind === "link" ? await this.files.linkTarget(file) : undefined;
    const [bytes] = await this.files.readMany([file]);
    const content = target ?? bytes;
    if (content === undefined) return [];
    const isLink = target !== undefined;
    return [{ path, kind: isLink ? "link" : "file", mode, data: Buffer.from(content).toString("base64") }];
  }

  async #write(pack: readonly Image[]): Promise<void> {
    const number = (await this.files.list(this.place))?.length ?? 0;
    await this.files.replace(join(this.place, `${number}.json`), JSON.stringify(pack));
    this.#images = undefined;
  }

  async #known(): Promise<ReadonlyMap<string, Image>> {
    if (this.#images) return this.#images;
    const packs = (await this.files.list(this.place)) ?? [];
    const bytes = await this.files.readMany(packs.map((name) => join(this.place, name)));
    const images = bytes.flatMap(
      (pack) => JSON.parse(Buffer.from(pack ?? "[]").toString()) as readonly Image[],
    );
    if (packs.length > 0) return (this.#images = new Map(images.map((image) => [image.path, image])));
    throw new SkillError(
      "DEBUG_STATE_DAMAGED",
      `${quotedName(this.place)}, the code before the session, is gone.`,
      {
        file: this.place,
        hint: "Restore the code from your own copy, and begin a new session.",
      },
    );
  }

  async #survey(): Promise<readonly SurveyEntry[]> {
    const enters = (name: string, path: string): boolean =>
      !TOOL_FOLDERS.includes(name) && path !== this.ownFolder;
    const found = (await this.files.survey(this.folder, enters)) ?? [];
    return found.filter(({ kind }) => kind === "file" || kind === "link");
  }
}

/** Exported for its test, which uses fewer bytes. */
export function refuseMuch(folder: string, files: readonly SurveyEntry[]): void {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes <= MOST_BYTES) return;
  throw new SkillError(
    "STORAGE_UNSAFE",
    `${quotedName(folder)} contains ${bytes} bytes to copy, more than 128 MiB.`,
    {
      file: folder,
      hint: "Run it in the folder of the project, or install git, which leaves out the files that its ignore lists name.",
    },
  );
}
