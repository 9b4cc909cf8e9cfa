import {
  CLAIMS,
  ENVIRONMENT,
  FILES,
  SkillError,
  inject,
  injectable,
  token,
  type Claims,
  type Environment,
  type Files,
  quotedName,
} from "skillctl";
import { createHash, randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join, dirname } from "node:path";
import type { Survey } from "../import/survey.ts";
import { build, isUsable, type Input } from "./builder.ts";
import { openSource } from "./source.ts";
import { Database } from "../store/database.ts";
import { SongRegister, isSong } from "../store/songs.ts";
import { LAYOUT } from "../store/catalog.ts";
import { fileURLToPath } from "node:url";

/** Where the answers come from: the made-up sample, or what the user has imported. */
export type DataSource = "sample" | "imports";

/** A change of the library: the files and songs afterwards. */
interface Change {
  readonly holdings: Holdings;
  readonly register: SongRegister;
  /** Where a database of these files lies already. */
  readonly built?: string;
}

const LONGEST_WAIT_MS = 120_000;

/**
 * The kept originals and the databases made of them. A database is written beside, whole, and renamed; its name is that of
 * the files it was made of, so that nobody reads half of one or an old one, and nobody waits for a writer.
 */
@injectable()
export class Library {
  /** `<stateFolder>/music-gateway`. */
  readonly folder: string;
  readonly #files: Files;
  readonly #claims: Claims;

  constructor(
    @inject(FILES) files: Files,
    @inject(CLAIMS) claims: Claims,
    @inject(ENVIRONMENT) environment: Environment,
  ) {
    this.#files = files;
    this.#claims = claims;
    this.folder = join(environment.stateFolder, "music-gateway");
  }

  get exports(): string {
    return join(this.folder, "exports");
  }

  /** What is imported now. @throws SkillError `GATEWAY_STATE_BROKEN`. */
  async holdings(): Promise<Holdings> {
    const found = await this.#list("library.json", "files", isKept, {
      kind: "a list of imported files",
      hint: "Remove it: the files in exports/ beside it are then listed anew.",
    });
    if (found !== undefined) return { next: found.next, files: found.list };
    const names = ((await this.#files.list(this.exports)) ?? []).filter((name) => KEPT.test(name));
    const files = names.map((name, index) => ({ id: index + 1, name: name.slice(17), kept: name }));
    return { next: files.length + 1, files };
  }

  /** The songs' ids. @throws SkillError `GATEWAY_STATE_BROKEN` when the file is there and no register: ids must not be given anew. */
  async #register(): Promise<SongRegister> {
    const found = await this.#list("songs.json", "songs", isSong, {
      kind: "a register of songs",
      hint: "Restore it from a copy, or run `skillctl run music-gateway reset` and import again.",
    });
    return found === undefined ? new SongRegister() : new SongRegister(found.list, found.next);
  }

  /** A list with the next number to give, out of a JSON file; undefined when there is none. */
  async #list<Entry>(
    file: string,
    name: string,
    isEntry: (value: unknown) => value is Entry,
    { kind, hint }: { readonly kind: string; readonly hint: string },
  ): Promise<{ readonly next: number; readonly list: readonly Entry[] } | undefined> {
    const path = join(this.folder, file);
    const text = await this.#files.readText(path);
    if (text === undefined) return undefined;
    try {
      const { next, [name]: list } = JSON.parse(text) as Readonly<Record<string, unknown>>;
      if (Number.isSafeInteger(next) && Array.isArray(list) && list.every(isEntry))
        return { next: next as number, list };
    } catch {
      // Told below, as one that is JSON and no list.
    }
    throw new SkillError("GATEWAY_STATE_BROKEN", `${quotedName(path)} cannot be read as ${kind}.`, {
      file: path,
      hint,
    });
  }

  async #save(file: string, list: object): Promise<void> {
    await this.#files.replace(join(this.folder, file), `${JSON.stringify(list, undefined, 2)}\n`);
  }

  /** Where the database of these files is, once it is made. */
  databasePath({ files }: Holdings): string {
    const names = files.map(({ id, name, from, kept }) => [id, name, from ?? "", kept].join("\n"));
    return join(this.folder, `data-${digest(names.join("\n\n"))}.duckdb`);
  }

  /** Opens the database of what is imported, or of the sample; makes it where it is not there. */
  async open(holdings: Holdings): Promise<{ readonly source: DataSource; readonly database: Database }> {
    const sample = holdings.files.length === 0 ? await sampleFiles(this.#files) : undefined;
    const source = sample === undefined ? "imports" : "sample";
    const path =
      sample === undefined
        ? this.databasePath(holdings)
        : join(this.folder, `sample-${digest(sample.identity)}.duckdb`);
    if ((await this.#files.facts(path)) !== undefined) {
      try {
        return { source, database: await Database.read(path) };
      } catch (caught) {
        if (caught instanceof SkillError) throw caught;
        // It is derived: a broken one is made anew.
        await this.#files.remove(path).catch(() => undefined);
      }
    }
    const register = sample === undefined ? await this.#register() : new SongRegister();
    const files = sample?.files ?? holdings.files;
    const folder = sample?.folder ?? this.exports;
    try {
      await this.#files.makeFolder(this.folder);
      const made = this.buildingPath();
      (await this.#build(register, files, folder, made)).close();
      await this.#publish(made, path);
      const database = await Database.read(path);
      // Files that were taken in meanwhile have swept the folder before this database had its name.
      const isOld = source === "imports" && this.databasePath(await this.holdings()) !== path;
      if (isOld) await this.#files.remove(path).catch(() => undefined);
      return { source, database };
    } catch (caught) {
      if (caught instanceof SkillError && caught.code !== "FILE_UNWRITABLE") throw caught;
      // The folder cannot be written: the same in memory, each time.
      const database = await this.#build(register, files, folder, undefined);
      await database.lock();
      return { source, database };
    }
  }

  /**
   * One change of the library at a time, of all processes. What `work` answers is published: the database first, the list
   * last. @throws SkillError `GATEWAY_BUSY` when another one does not end.
   */
  async change<T>(
    work: (
      now: Holdings,
      register: SongRegister,
    ) => Promise<{ readonly change?: Change; readonly result: T }>,
  ): Promise<T> {
    const claim = await this.#claim();
    try {
      const now = await this.holdings();
      const { change, result } = await work(now, await this.#register());
      if (change !== undefined) await this.#apply(change);
      return result;
    } finally {
      await claim.release();
    }
  }

  /** Forgets all files and songs, also where the lists of them are broken. No id is given again. */
  async reset(): Promise<number> {
    const claim = await this.#claim();
    try {
      const { next, files } = await this.holdings().catch(() => ({ next: 1, files: [] }));
      const register = await this.#register().catch(() => new SongRegister());
      const holdings = { next, files: [] };
      await this.#apply({ holdings, register: new SongRegister([], register.next) });
      return files.length;
    } finally {
      await claim.release();
    }
  }

  /** A path for a database that is being made. */
  buildingPath(): string {
    return join(this.folder, `building-${randomUUID()}.duckdb`);
  }

  /** Copies the database of these files, for more files to be added. False where there is none that can be read: it is made anew. */
  async copyDatabase(holdings: Holdings, copy: string): Promise<boolean> {
    const bytes =
      holdings.files.length === 0 ? undefined : await this.#files.readBytes(this.databasePath(holdings));
    if (bytes === undefined) return false;
    await this.#files.replace(copy, bytes);
    try {
      const database = await Database.read(copy);
      const [row] = await database.rows("SELECT count(*) AS files FROM file").finally(() => {
        database.close();
      });
      if (row?.["files"] === holdings.files.length) return true;
    } catch (caught) {
      if (caught instanceof SkillError) throw caught;
      // A database is derived: a broken one is made anew.
    }
    await this.#files.remove(copy);
    return false;
  }

  /** Imported originals as they are read; copies of those that are not UTF-8 go into `copies`. @throws SkillError `GATEWAY_STATE_BROKEN`. */
  async inputs(
    files: readonly KeptFile[],
    copies: string,
    folder: string = this.exports,
  ): Promise<readonly Input[]> {
    const inputs: Input[] = [];
    for (const { id, name, from, kept, survey } of files) {
      const path = join(folder, kept);
      const bytes = await this.#files.readBytes(path);
      if (bytes === undefined) throw broken(path);
      const original = { name, path, bytes, ...(from !== undefined && { from }) };
      try {
        inputs.push({ id, source: await openSource(this.#files, copies, original, { survey }) });
      } catch (caught) {
        throw caught instanceof SkillError && caught.code === "GATEWAY_FILE_UNKNOWN" ? broken(path) : caught;
      }
    }
    return inputs;
  }

  /** Lets work have a folder for copies of files that are not UTF-8. */
  async withCopies<T>(work: (copies: string) => Promise<T>): Promise<T> {
    const copies = join(tmpdir(), `music-gateway-${randomUUID()}`);
    try {
      return await work(copies);
    } finally {
      await this.#files.remove(copies);
    }
  }

  /** A new database of kept files. */
  async #build(
    register: SongRegister,
    files: readonly KeptFile[],
    folder: string,
    path: string | undefined,
  ): Promise<Database> {
    return this.withCopies(async (copies) => {
      const { database, loaded } = await build(register, await this.inputs(files, copies, folder), path);
      for (const [{ source }, read] of loaded)
        if (read === undefined || !isUsable(read)) {
          database.close();
          throw broken(source.path);
        }
      return database;
    });
  }

  async #apply({ holdings, register, built }: Change): Promise<void> {
    await this.#files.makeFolder(this.folder);
    const current = this.databasePath(holdings);
    if (holdings.files.length > 0) {
      const path = built ?? this.buildingPath();
      if (built === undefined) (await this.#build(register, holdings.files, this.exports, path)).close();
      await this.#publish(path, current);
    }
    await this.#save("songs.json", { next: register.next, songs: register.songs });
    await this.#save("library.json", holdings);
    const keeps = new Set(holdings.files.map(({ kept }) => kept));
    for (const name of (await this.#files.list(this.exports)) ?? [])
      if (!keeps.has(name)) await this.#files.remove(join(this.exports, name));
    for (const name of (await this.#files.list(this.folder)) ?? []) {
      const path = join(this.folder, name);
      // Who has an old one open reads on in it; where it cannot be removed meanwhile, a later change does it.
      if (/^(?:data-[0-9a-f]+|building-[0-9a-f-]+)\.duckdb/u.test(name) && path !== current)
        await this.#files.remove(path).catch(() => undefined);
    }
  }

  /** Gives a new database its name, unless another process was first. */
  async #publish(path: string, final: string): Promise<void> {
    try {
      if ((await this.#files.facts(final)) === undefined) await this.#files.move(path, final);
    } finally {
      await this.#files.remove(path).catch(() => undefined);
    }
  }

  async #claim(): Promise<{ readonly release: () => Promise<void> }> {
    const until = performance.now() + LONGEST_WAIT_MS;
    for (;;) {
      const claim = await this.#claims.claim(`music-gateway library:${this.folder}`);
      if (claim !== undefined) return claim;
      if (performance.now() > until) {
        throw new SkillError("GATEWAY_BUSY", "Another import has been at work for two minutes.", {
          hint: "Wait for it to end, or end it, and run this again.",
        });
      }
      await new Promise((settle) => setTimeout(settle, 50));
    }
  }
}

export const LIBRARY = token<Library>("music-gateway/library");

function digest(text: string): string {
  return createHash("sha256").update(`${LAYOUT}\n${text}`).digest("hex").slice(0, 16);
}

function broken(path: string): SkillError {
  return new SkillError(
    "GATEWAY_STATE_BROKEN",
    `${quotedName(path)} was imported and cannot be read any more.`,
    {
      file: path,
      hint: "Run `skillctl run music-gateway remove` with its name and import the original again.",
    },
  );
}

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
  /** What was decided when it was imported; files of an earlier version have none. */
  readonly survey?: Survey;
}

/** What has been imported: `library.json`, which is replaced as a whole and alone decides what answers. */
export interface Holdings {
  readonly next: number;
  readonly files: readonly KeptFile[];
}

const KEPT = /^[0-9a-f]{16}-[^/\\]+$/u;

function isKept(value: unknown): value is KeptFile {
  if (typeof value !== "object" || value === null) return false;
  const { id, name, from, kept, survey } = value as Record<string, unknown>;
  return (
    Number.isSafeInteger(id) &&
    typeof name === "string" &&
    typeof kept === "string" &&
    KEPT.test(kept) &&
    (from === undefined || typeof from === "string") &&
    (survey === undefined || (typeof survey === "object" && survey !== null))
  );
}

const SAMPLE = join("skills", "music-gateway", "sample");

/**
 * The made-up files that answer until others are imported, beside the manifest, whether this runs from source or from a
 * bundle. With another `identity` it is another sample. @throws SkillError `GATEWAY_STATE_BROKEN`.
 */
async function sampleFiles(files: Files) {
  let root = dirname(fileURLToPath(import.meta.url));
  while ((await files.facts(join(root, SAMPLE))) === undefined) {
    if (dirname(root) === root) {
      throw new SkillError(
        "GATEWAY_STATE_BROKEN",
        "The sample data of music-gateway are not where it is installed.",
        { hint: "Install skillctl again, or import your own files." },
      );
    }
    root = dirname(root);
  }
  const folder = join(root, SAMPLE);
  const names = (await files.list(folder)) ?? [];
  const marks = await files.marks(names.map((name) => join(folder, name)));
  return {
    folder,
    files: names.map((name, index) => ({ id: index + 1, name, kept: name })),
    identity: names.map((name, index) => `${name} ${marks[index]?.bytes}`).join("\n"),
  };
}
