import {
  ENVIRONMENT,
  FILES,
  SkillError,
  inject,
  injectable,
  token,
  type Environment,
  type Files,
} from "skillctl";
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { withoutMark } from "./csv.ts";
import { EXPORT_KINDS } from "./export-kinds.ts";
import { readExport, type ExportFile } from "./export-file.ts";
import { SongRegister } from "./song-register.ts";
import { SongStore } from "./song-store.ts";

/** Where the answers come from: the made-up sample, or what the user has imported. */
export type DataSource = "sample" | "imports";

/** The exports that answer now, with the ids of their songs. */
export interface Collection {
  readonly source: DataSource;
  /** In the order in which they are loaded: a later file wins over an earlier one for the same day. */
  readonly files: readonly ExportFile[];
  readonly register: SongRegister;
}

const SAMPLE = join("skills", "music-gateway", "sample");

/** The folder of exports: the user's own, or the sample when there are none. */
@injectable()
export class Library {
  /** `<stateFolder>/music-gateway`. */
  readonly folder: string;
  readonly #store: SongStore;

  constructor(
    @inject(FILES) private readonly files: Files,
    @inject(ENVIRONMENT) environment: Environment,
  ) {
    this.folder = join(environment.stateFolder, "music-gateway");
    this.#store = new SongStore(files, join(this.folder, "songs.json"));
  }

  /** The names of the imported files, `<sha256, first 16>-<original name>`; empty means the sample answers. */
  async importedNames(): Promise<readonly string[]> {
    const names = (await this.files.list(join(this.folder, "exports"))) ?? [];
    return names.filter((name) => /^[0-9a-f]{16}-/.test(name));
  }

  /** Reads all exports and gives their songs ids. */
  async open(): Promise<Collection> {
    const imported = await this.importedNames();
    if (imported.length === 0) {
      const folder = await this.#sampleFolder();
      const names = (await this.files.list(folder)) ?? [];
      const files = ordered(await this.#read(folder, names, (name) => name));
      const register = new SongRegister();
      enter(register, files);
      return { source: "sample", files, register };
    }
    const files = ordered(await this.#read(join(this.folder, "exports"), imported, (name) => name.slice(17)));
    return {
      source: "imports",
      files,
      register: await this.#store.update((register) => enter(register, files)),
    };
  }

  /** Keeps a file that was read, and gives its songs ids. */
  async keep(file: ExportFile, bytes: Uint8Array): Promise<void> {
    const folder = join(this.folder, "exports");
    await this.files.makeFolder(folder);
    await this.files.replace(join(folder, `${hashOf(bytes)}-${safeName(file.name)}`), bytes);
    await this.#store.update((register) => enter(register, [file]));
  }

  /** Whether the same data are there. A timeline names its song in its file name only, so that must be the same too. */
  async holds(file: ExportFile, bytes: Uint8Array): Promise<boolean> {
    const names = (await this.importedNames()).filter((name) => name.startsWith(`${hashOf(bytes)}-`));
    if (file.kind !== "spotify-timeline") return names.length > 0;
    const song = songOf(file);
    for (const name of names) {
      const other = readExport(name.slice(17), bytes);
      if (typeof other !== "string" && songOf(other) === song) return true;
    }
    return false;
  }

  async #read(
    folder: string,
    names: readonly string[],
    originalName: (name: string) => string,
  ): Promise<ExportFile[]> {
    const files: ExportFile[] = [];
    for (const name of names) {
      const bytes = await this.files.readBytes(join(folder, name));
      if (bytes === undefined) continue;
      const file = readExport(originalName(name), bytes);
      if (typeof file === "string") {
        throw new SkillError(
          "GATEWAY_STATE_BROKEN",
          `${join(folder, name)} was imported and cannot be read any more: ${file}`,
          {
            file: join(folder, name),
            hint: "Remove the file and import the original again.",
          },
        );
      }
      files.push(file);
    }
    return files;
  }

  /** The sample beside the manifest, whether this runs from source or from a bundle. */
  async #sampleFolder(): Promise<string> {
    let folder = dirname(fileURLToPath(import.meta.url));
    while ((await this.files.facts(join(folder, SAMPLE))) === undefined) {
      if (dirname(folder) === folder) {
        throw new SkillError(
          "GATEWAY_STATE_BROKEN",
          "The sample data of music-gateway are not where it is installed.",
          {
            hint: "Install skillctl again, or import your own files.",
          },
        );
      }
      folder = dirname(folder);
    }
    return join(folder, SAMPLE);
  }
}

export const LIBRARY = token<Library>("music-gateway/library");

/** The first 16 hexadecimal digits of the SHA-256 of the data: one export with and without a byte-order mark is one. */
export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(withoutMark(bytes)).digest("hex").slice(0, 16);
}

/** A file name without signs that some system forbids, at most 200 bytes; its end, which tells a timeline, stays. */
export function safeName(name: string): string {
  const plain = name
    .normalize("NFC")
    .replaceAll(/[\p{Cc}/\\:*?"<>|]/gu, "_")
    .replace(/^\.+/, "_");
  const signs = Array.from(plain);
  while (Buffer.byteLength(signs.join("")) > 200) signs.splice(Math.max(0, signs.length - 60), 1);
  return signs.join("");
}

function enter(register: SongRegister, files: readonly ExportFile[]): void {
  for (const { name } of EXPORT_KINDS) {
    for (const file of files) {
      if (file.kind !== name) continue;
      for (const fact of file.facts) if ("song" in fact) register.idOf(fact.song);
    }
  }
}

/** By the last day covered, then by name: the export that reaches further is the later one. */
function ordered(files: readonly ExportFile[]): readonly ExportFile[] {
  const key = (file: ExportFile): string => `${file.window?.to ?? ""}\u0000${file.name}`;
  return files.toSorted((left, right) => (key(left) < key(right) ? -1 : 1));
}

function songOf(file: ExportFile): string {
  const first = file.facts.find((fact) => "song" in fact);
  return first === undefined ? "" : JSON.stringify(first.song);
}
