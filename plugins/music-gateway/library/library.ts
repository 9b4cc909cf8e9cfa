import { CLAIMS, ENVIRONMENT, FILES, SkillError, inject, injectable, token } from "skillctl";
import type { Claims, Environment, Files } from "skillctl";
import { createHash, randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { decoded, encodingOf } from "../import/encoding.ts";
import { FORMATS, layoutOf, type Layout } from "../import/format.ts";
import type { SourceFile } from "../import/reading.ts";
import { Builder, utf8Path } from "./builder.ts";
import { Database } from "../store/database.ts";
import { loadHoldings, saveHoldings, type Holdings, type KeptFile } from "./holdings.ts";
import { sampleFiles } from "./sample.ts";
import { SongRegister, loadRegister, saveRegister } from "../store/songs.ts";
import { LAYOUT } from "../store/tables.ts";

/** Where the answers come from: the made-up sample, or what the user has imported. */
export type DataSource = "sample" | "imports";

/** A change of the library: the files afterwards, and their database, still open and at a path of its own. */
export interface Change {
  readonly holdings: Holdings;
  readonly register: SongRegister;
  /** Undefined when nothing answers any more but the sample. */
  readonly database: { readonly opened: Database; readonly path: string } | undefined;
}

const LONGEST_WAIT_MS = 120_000;
const HEAD_BYTES = 65_536;

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
  holdings(): Promise<Holdings> {
    return loadHoldings(this.#files, this.folder);
  }

  register(): Promise<SongRegister> {
    return loadRegister(this.#files, join(this.folder, "songs.json"));
  }

  /** Where the database of these files is, once it is made. */
  databasePath({ files }: Holdings): string {
    const names = files.map(({ id, name, from, kept }) => [id, name, from ?? "", kept].join("\n"));
    return join(this.folder, `data-${digest(names.join("\n\n"))}.duckdb`);
  }

  /** Opens the database of what is imported, or of the sample; makes it where it is not there. */
  async open({
    files,
    next,
  }: Holdings): Promise<{ readonly source: DataSource; readonly database: Database }> {
    const source = files.length === 0 ? "sample" : "imports";
    const sample = files.length === 0 ? await sampleFiles(this.#files) : undefined;
    const path =
      sample === undefined
        ? this.databasePath({ files, next })
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
    const register = sample === undefined ? await this.register() : new SongRegister();
    const folder = sample?.folder ?? this.exports;
    const kept = sample?.files ?? files;
    const made = await this.build(register, kept, folder, this.buildingPath()).catch((caught: unknown) => {
      if (caught instanceof SkillError && caught.code !== "FILE_UNWRITABLE") throw caught;
      return undefined;
    });
    if (made !== undefined && (await this.#published(made, path)))
      return { source, database: await Database.read(path) };
    // The folder cannot be written: the same in memory, each time.
    const { opened } = await this.build(register, kept, folder, undefined);
    await opened.lock();
    return { source, database: opened };
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
      const { change, result } = await work(now, await this.register());
      if (change !== undefined) await this.#publish(change);
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
      const register = await this.register().catch(() => new SongRegister());
      await this.#publish({
        holdings: { next, files: [] },
        register: new SongRegister([], register.next),
        database: undefined,
      });
      return files.length;
    } finally {
      await claim.release();
    }
  }

  /** A new database of kept files. */
  async build(
    register: SongRegister,
    files: readonly KeptFile[],
    folder: string,
    path: string | undefined,
  ): Promise<{ readonly opened: Database; readonly path: string }> {
    if (path !== undefined) await this.#files.makeFolder(dirname(path));
    const builder = await Builder.open(register, { path });
    const copies = this.workFolder();
    try {
      const sources = new Map<KeptFile, SourceFile>();
      for (const file of files) sources.set(file, await this.#source(file, folder, copies));
      const order = ({ layout }: SourceFile): number => FORMATS.indexOf(layout.format);
      for (const [{ id, kept }, source] of [...sources].toSorted(
        ([, left], [, right]) => order(left) - order(right),
      )) {
        const loaded = await builder.read(source);
        if (loaded === undefined) throw broken(join(folder, kept));
        await builder.take(id, source, loaded);
      }
      return { opened: await builder.finish(), path: path ?? "" };
    } catch (caught) {
      builder.close();
      if (path !== undefined) await this.#files.remove(path).catch(() => undefined);
      throw caught;
    } finally {
      await this.#files.remove(copies);
    }
  }

  /** A path for a database that is being made. */
  buildingPath(): string {
    return join(this.folder, `building-${randomUUID()}.duckdb`);
  }

  /** A folder for copies of files that are not UTF-8; who uses it removes it. */
  workFolder(): string {
    return join(tmpdir(), `music-gateway-${randomUUID()}`);
  }

  async #source({ name, from, kept }: KeptFile, folder: string, copies: string): Promise<SourceFile> {
    const path = join(folder, kept);
    const bytes = await this.#files.readBytes(path);
    const layout = bytes && layoutOfBytes(bytes);
    if (bytes === undefined || layout === undefined) throw broken(path);
    const utf8 = await utf8Path(this.#files, path, bytes, copies);
    return { path: utf8, name, layout, ...(from !== undefined && { from }) };
  }

  async #publish({ holdings, register, database }: Change): Promise<void> {
    await this.#files.makeFolder(this.folder);
    if (database !== undefined) await this.#published(database, this.databasePath(holdings));
    await saveRegister(this.#files, join(this.folder, "songs.json"), register);
    await saveHoldings(this.#files, this.folder, holdings);
    const keeps = new Set(holdings.files.map(({ kept }) => kept));
    for (const name of (await this.#files.list(this.exports)) ?? [])
      if (!keeps.has(name)) await this.#files.remove(join(this.exports, name));
    const current = this.databasePath(holdings);
    for (const name of (await this.#files.list(this.folder)) ?? []) {
      const path = join(this.folder, name);
      // Who has an old one open reads on in it; where it cannot be removed meanwhile, a later change does it.
      if (/^(?:data-[0-9a-f]+|building-[0-9a-f-]+)\.duckdb/u.test(name) && path !== current)
        await this.#files.remove(path).catch(() => undefined);
    }
  }

  /** Closes a new database and gives it its name. False when that cannot be done. */
  async #published(
    { opened, path }: { readonly opened: Database; readonly path: string },
    final: string,
  ): Promise<boolean> {
    opened.close();
    try {
      if ((await this.#files.facts(final)) === undefined) await this.#files.move(path, final);
      else await this.#files.remove(path);
    } catch {
      await this.#files.remove(path).catch(() => undefined);
    }
    return (await this.#files.facts(final)) !== undefined;
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

/** The layout of a file; undefined when its columns belong to no format. */
export function layoutOfBytes(bytes: Uint8Array): Layout | undefined {
  return layoutOf(decoded(bytes.subarray(0, HEAD_BYTES), encodingOf(bytes)));
}

function digest(text: string): string {
  return createHash("sha256").update(`${LAYOUT}\n${text}`).digest("hex").slice(0, 16);
}

function broken(path: string): SkillError {
  return new SkillError("GATEWAY_STATE_BROKEN", `${path} was imported and cannot be read any more.`, {
    file: path,
    hint: "Run `skillctl run music-gateway remove` with its name and import the original again.",
  });
}
