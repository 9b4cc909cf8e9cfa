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
import { join } from "node:path";
import { KEPT, isKept, sampleFiles, type Holdings, type KeptFile } from "./holdings.ts";
import type { ReadResult, SourceFile } from "../import/reading.ts";
import type { Partitions } from "./partitions.ts";
import { Database } from "../store/database.ts";
import { SongRegister, isSong } from "../store/songs.ts";
import { LAYOUT } from "../store/tables.ts";

/** The source of the answers: the fictional sample, or the imported files. */
export type DataSource = "sample" | "imports";

/** A file that is new to the library. */
export interface NewFile {
  readonly kept: KeptFile;
  readonly source: SourceFile;
  /** Reads the original, so that not all originals are in memory at once. */
  readonly original: () => Promise<Uint8Array | undefined>;
}

/** A change of the library, and its result from the data read from each new file, by id. */
interface Change<T> {
  readonly removed?: readonly KeptFile[];
  readonly added?: readonly NewFile[];
  readonly result: (reads: Reads) => T;
}

type Reads = ReadonlyMap<number, ReadResult | undefined>;

/** An unpublished database, with the songs of its files. */
interface Draft {
  readonly path: string;
  readonly register: SongRegister;
  readonly partitions: Partitions;
}

const LONGEST_WAIT_MS = 120_000;

/**
 * The kept originals and the database derived from them. A change writes a new database next to the last one and renames it. Its
 * name is derived from the list of files, so that a reader sees the complete database for its list, and never waits for a writer.
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

  /** The currently imported files. @throws SkillError `GATEWAY_STATE_BROKEN`. */
  async holdings(): Promise<Holdings> {
    const found = await this.#list("library.json", "files", isKept, {
      kind: "a list of imported files",
      hint: "Remove it: the files in exports/ beside it are then listed anew.",
    });
    return found === undefined ? this.#listedAnew() : { next: found.next, files: found.list };
  }

  /** The list of the kept copies in `exports/`, where the list itself is missing. */
  async #listedAnew(): Promise<Holdings> {
    const names = ((await this.#files.list(this.exports)) ?? []).filter((name) => KEPT.test(name));
    const files = names.map((name, index) => ({ id: index + 1, name: name.slice(17), kept: name }));
    return { next: files.length + 1, files };
  }

  /** The ids of all songs. @throws SkillError `GATEWAY_STATE_BROKEN` if the file is not a register, since ids must never be reused. */
  async #register(): Promise<SongRegister> {
    const found = await this.#list("songs.json", "songs", isSong, {
      kind: "a register of songs",
      hint: "Restore it from a copy, or run `skillctl run music-gateway reset` and import again.",
    });
    return found === undefined ? new SongRegister() : new SongRegister(found.list, found.next);
  }

  /** Reads a list and the next free number from a JSON file; undefined if there is no such file. */
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
      // Reported below, like JSON without the list.
    }
    throw new SkillError("GATEWAY_STATE_BROKEN", `${quotedName(path)} cannot be read as ${kind}.`, {
      file: path,
      hint,
    });
  }

  async #save(file: string, list: object): Promise<void> {
    await this.#files.replace(join(this.folder, file), `${JSON.stringify(list, undefined, 2)}\n`);
  }

  /** The path of the database for these files, once it is built. */
  databasePath({ files }: Holdings): string {
    const names = files.map(({ id, name, from, kept }) => [id, name, from ?? "", kept].join("\n"));
    return join(this.folder, `data-${digest(names.join("\n\n"))}.duckdb`);
  }

  /** Opens the database of the imported files, or of the sample, and builds it if it is missing or broken. `meanwhile` as in `Database.read`. */
  async open(
    holdings: Holdings,
    meanwhile?: () => void,
  ): Promise<{ readonly source: DataSource; readonly database: Database }> {
    const sample = holdings.files.length === 0 ? await sampleFiles(this.#files) : undefined;
    const source = sample === undefined ? "imports" : "sample";
    const path =
      sample === undefined
        ? this.databasePath(holdings)
        : join(this.folder, `sample-${digest(sample.identity)}.duckdb`);
    const facts = await this.#files.facts(path);
    if (facts !== undefined) {
      try {
        return { source, database: await Database.read(path, facts.bytes, meanwhile) };
      } catch (caught) {
        if (caught instanceof SkillError) throw caught;
        // A database is derived: a broken one is built again.
        await this.#files.remove(path).catch(() => undefined);
      }
    }
    const register = sample === undefined ? await this.#register() : new SongRegister();
    const files = sample?.files ?? holdings.files;
    const folder = sample?.folder ?? this.exports;
    const build = async (at?: string): Promise<Database> =>
      this.withCopies(async (copies) => {
        const partitions = await this.#rebuilt(register, files, { folder, copies }, at);
        return partitions.finish();
      });
    try {
      await this.#files.makeFolder(this.folder);
      const made = this.#draftPath();
      (await build(made)).close();
      await this.#publish(made, path);
      const database = await Database.read(path, (await this.#files.facts(path))?.bytes ?? 0);
      // A concurrent import may have cleaned the folder before this database had its name.
      const isOld = source === "imports" && this.databasePath(await this.holdings()) !== path;
      if (isOld) await this.#files.remove(path).catch(() => undefined);
      return { source, database };
    } catch (caught) {
      if (caught instanceof SkillError && caught.code !== "FILE_UNWRITABLE") throw caught;
      // If the folder is not writable, the database is built in memory each time.
      const database = await build();
      await database.lock();
      return { source, database };
    }
  }

  /**
   * Makes one change of the library at a time across all processes. The database is published first and the list last. New files that cannot
   * be used are not kept. `begin` is called before each new file. @throws SkillError `GATEWAY_BUSY` if another change does not end.
   */
  async change<T>(
    plan: (now: Holdings, copies: string) => Promise<Change<T>>,
    begin: (source: SourceFile) => void = () => undefined,
  ): Promise<T> {
    return this.#alone(() =>
      this.withCopies(async (copies) => {
        const now = await this.holdings();
        const { removed = [], added = [], result } = await plan(now, copies);
        const reads = new Map<number, ReadResult | undefined>();
        if (removed.length + added.length === 0) return result(reads);
        await this.#files.makeFolder(this.exports);
        // Without a list, the originals of an interrupted first import would be included.
        if (now.files.length === 0) await this.#save("library.json", now);
        let files = now.files;
        const [draft, originals] = await Promise.allSettled([
          this.#drafted(now, removed, copies),
          this.#keep(added),
        ]);
        const { isUsable } = await import("./originals.ts");
        try {
          if (draft.status === "rejected") throw draft.reason;
          const { partitions } = draft.value;
          try {
            for (const { kept, source } of added) {
              begin(source);
              reads.set(kept.id, await partitions.add(kept.id, source));
            }
            await partitions.finish();
          } finally {
            partitions.close();
          }
          if (originals.status === "rejected") throw originals.reason;
          const left = now.files.filter((file) => !removed.includes(file));
          const usable = added.filter(({ kept }) => isUsable(reads.get(kept.id)));
          if (removed.length + usable.length > 0) {
            files = [...left, ...usable.map(({ kept }) => kept)];
            await this.#apply({ next: now.next + added.length, files }, draft.value);
          }
          return result(reads);
        } finally {
          if (draft.status === "fulfilled") await this.#files.remove(draft.value.path).catch(() => undefined);
          for (const { kept } of added)
            if (!files.includes(kept)) await this.#files.remove(join(this.exports, kept.kept));
        }
      }),
    );
  }

  /** Forgets all files and songs, even if their lists are broken. Ids are never reused. */
  async reset(): Promise<number> {
    return this.#alone(async () => {
      const { next, files } = await this.holdings().catch(() => this.#listedAnew());
      const register = await this.#register().catch(() => new SongRegister());
      await this.#apply({ next, files: [] }, { register: new SongRegister([], register.next) });
      return files.length;
    });
  }

  /** Runs `work` with a folder for copies of files that are not UTF-8, and then removes the folder. */
  async withCopies<T>(work: (copies: string) => Promise<T>): Promise<T> {
    const copies = join(tmpdir(), `music-gateway-${randomUUID()}`);
    try {
      return await work(copies);
    } finally {
      await this.#files.remove(copies);
    }
  }

  #draftPath(): string {
    return join(this.folder, `building-${randomUUID()}.duckdb`);
  }

  /** The last database without some files: a copy, or a database built from the originals if it is not usable. */
  async #drafted(now: Holdings, removed: readonly KeptFile[], copies: string): Promise<Draft> {
    const left = now.files.filter((file) => !removed.includes(file));
    const bytes = left.length === 0 ? undefined : await this.#files.readBytes(this.databasePath(now));
    if (bytes !== undefined) {
      const { Partitions } = await import("./originals.ts");
      const [path, register] = [this.#draftPath(), await this.#register()];
      await this.#files.replace(path, bytes);
      try {
        const ids = removed.map(({ id }) => id);
        const partitions = await Partitions.without(ids, register, path, bytes.length);
        if (partitions !== undefined) return { path, register, partitions };
      } catch (caught) {
        if (caught instanceof SkillError) throw caught;
        // A database is derived: a broken one is built again.
      }
      await this.#files.remove(path);
    }
    const [path, register] = [this.#draftPath(), await this.#register()];
    const partitions = await this.#rebuilt(register, left, { folder: this.exports, copies }, path);
    return { path, register, partitions };
  }

  /** A database of originals in a folder, at a path or in memory. @throws SkillError `GATEWAY_STATE_BROKEN` if an original is no longer readable. */
  async #rebuilt(
    register: SongRegister,
    files: readonly KeptFile[],
    { folder, copies }: { readonly folder: string; readonly copies: string },
    path: string | undefined,
  ): Promise<Partitions> {
    const { Partitions, isUsable, openSource } = await import("./originals.ts");
    const partitions = await Partitions.create(register, path);
    try {
      for (const { id, name, from, kept, survey } of files) {
        const original = join(folder, kept);
        const bytes = await this.#files.readBytes(original);
        if (bytes === undefined) throw broken(original);
        const opened = { name, path: original, bytes, ...(from !== undefined && { from }) };
        const source = await openSource(this.#files, copies, opened, { survey }).catch((caught: unknown) => {
          throw caught instanceof SkillError && caught.code === "GATEWAY_FILE_UNKNOWN"
            ? broken(original)
            : caught;
        });
        if (!isUsable(await partitions.add(id, source))) throw broken(original);
      }
      return partitions;
    } catch (caught) {
      partitions.close();
      throw caught;
    }
  }

  async #keep(added: readonly NewFile[]): Promise<void> {
    for (const { kept, original } of added) {
      const bytes = await original();
      if (bytes !== undefined) await this.#files.replace(join(this.exports, kept.kept), bytes);
    }
  }

  async #apply(
    holdings: Holdings,
    { register, path }: { readonly register: SongRegister; readonly path?: string },
  ): Promise<void> {
    await this.#files.makeFolder(this.folder);
    const current = this.databasePath(holdings);
    if (path !== undefined && holdings.files.length > 0) await this.#publish(path, current);
    await this.#save("songs.json", { next: register.next, songs: register.songs });
    await this.#save("library.json", holdings);
    const keeps = new Set(holdings.files.map(({ kept }) => kept));
    for (const name of (await this.#files.list(this.exports)) ?? [])
      if (!keeps.has(name)) await this.#files.remove(join(this.exports, name));
    for (const name of (await this.#files.list(this.folder)) ?? []) {
      const old = join(this.folder, name);
      // A reader with an open old database continues to use it; if it cannot be removed now, a later change removes it.
      if (/^(?:data-[0-9a-f]+|building-[0-9a-f-]+)\.duckdb/u.test(name) && old !== current)
        await this.#files.remove(old).catch(() => undefined);
    }
  }

  /** Gives a new database its name, unless another process has already done so. */
  async #publish(path: string, final: string): Promise<void> {
    try {
      if ((await this.#files.facts(final)) === undefined) await this.#files.move(path, final);
    } finally {
      await this.#files.remove(path).catch(() => undefined);
    }
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    const until = performance.now() + LONGEST_WAIT_MS;
    for (;;) {
      const claim = await this.#claims.claim(`music-gateway library:${this.folder}`);
      if (claim !== undefined) {
        try {
          return await work();
        } finally {
          await claim.release();
        }
      }
      if (performance.now() > until) {
        throw new SkillError("GATEWAY_BUSY", "Another import has been running for two minutes.", {
          hint: "Wait for it to finish, or stop it, and run this command again.",
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
    `${quotedName(path)} was imported but can no longer be read.`,
    {
      file: path,
      hint: "Run `skillctl run music-gateway remove` with its name and import the original again.",
    },
  );
}
