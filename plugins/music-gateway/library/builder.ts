import type { Files } from "skillctl";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { asUtf8, encodingOf } from "../import/encoding.ts";
import { downloadNumber } from "../import/names.ts";
import { readIncoming, takeIncoming, type Loaded, type SourceFile } from "../import/reading.ts";
import { storeCatalog } from "../store/catalog.ts";
import { Database, quoted } from "../store/database.ts";
import type { SongRegister } from "../store/songs.ts";
import { EMPTY } from "../store/tables.ts";

/** Fills a new database with files, one after the other. */
export class Builder {
  readonly #database: Database;
  readonly #register: SongRegister;

  private constructor(database: Database, register: SongRegister) {
    this.#database = database;
    this.#register = register;
  }

  /** An empty database, or a copy of another, in a file or in memory. */
  static async open(
    register: SongRegister,
    { path, base }: { path?: string | undefined; base?: string } = {},
  ): Promise<Builder> {
    const database = await Database.create(path);
    try {
      if (base === undefined) await database.run(EMPTY);
      else {
        await database.run(`ATTACH ${quoted(base)} AS base (READ_ONLY)`);
        const [own] = await database.rows("SELECT current_database() AS name");
        await database.run(
          `COPY FROM DATABASE base TO "${String(own?.["name"]).replaceAll('"', '""')}"; DETACH base`,
        );
      }
      return new Builder(database, register);
    } catch (caught) {
      database.close();
      throw caught;
    }
  }

  /** Reads a file without taking it in. Undefined when DuckDB cannot read it at all. */
  async read(file: SourceFile): Promise<Loaded | undefined> {
    try {
      return await readIncoming(this.#database, file);
    } catch {
      // What DuckDB says of a file holds lines of it.
      return undefined;
    }
  }

  /** Takes in the file that was read last. */
  async take(id: number, file: SourceFile, loaded: Loaded): Promise<void> {
    const { rows, refused, reasons, window } = loaded;
    const order = [downloadNumber(file.name), id].map((number) => String(number).padStart(9, "0"));
    const precedence = [window?.to ?? "0000-00-00", ...order].join(" ");
    // One transaction: each is on the disk before the next begins.
    await this.#database.run("BEGIN");
    await takeIncoming(this.#database, file, loaded, precedence, this.#register);
    await this.#database.run(
      "INSERT INTO file VALUES ($id, $name, $kind, $rows, $refused, $reasons, $first::DATE, $last::DATE)",
      {
        id,
        name: file.name,
        kind: file.layout.format.kind,
        rows,
        refused,
        reasons: JSON.stringify(reasons),
        first: window?.from ?? null,
        last: window?.to ?? null,
      },
    );
    await this.#database.run("COMMIT");
  }

  /** Enters the songs, and which video is whose. Afterwards the database is ready for questions. */
  async finish(): Promise<Database> {
    const database = this.#database;
    await database.run("CREATE OR REPLACE TEMP TABLE listed (id INTEGER, title VARCHAR, isrc VARCHAR)");
    await database.append(
      "listed",
      this.#register.songs.map(({ id, title, isrc }) => [id, title, isrc ?? null]),
    );
    await database.run(`
      DELETE FROM song;
      INSERT INTO song SELECT id, title, isrc, (SELECT min(released_on) FROM song_total WHERE song_id = id) FROM listed
        WHERE id IN (SELECT song_id FROM song_day UNION SELECT song_id FROM song_total UNION SELECT song_id FROM sale) ORDER BY id`);
    const titles = await database.rows("SELECT title FROM video UNION SELECT title FROM video_day");
    await database.run("CREATE OR REPLACE TEMP TABLE filmed (title VARCHAR, song_id INTEGER)");
    await database.append(
      "filmed",
      titles
        .map(
          (row) =>
            [String(row["title"]), this.#register.idOfTitle(plainTitle(String(row["title"])))] as const,
        )
        .filter((pair): pair is [string, number] => pair[1] !== undefined),
    );
    for (const table of ["video", "video_day"])
      await database.run(
        `UPDATE ${table} SET song_id = (SELECT song_id FROM filmed WHERE filmed.title = ${table}.title)`,
      );
    for (const table of [
      "incoming",
      "fresh",
      "named",
      "place",
      "listed",
      "filmed",
      "reject_errors",
      "reject_scans",
    ])
      await database.run(`DROP TABLE IF EXISTS ${table}`);
    await storeCatalog(database);
    await database.run("CHECKPOINT");
    return database;
  }

  close(): void {
    this.#database.close();
  }
}

/** The path of a file's text as UTF-8: its own, or that of a copy in `folder` that the caller removes. */
export async function utf8Path(
  files: Files,
  path: string,
  bytes: Uint8Array,
  folder: string,
): Promise<string> {
  if (encodingOf(bytes) === "utf-8") return path;
  return workCopy(files, asUtf8(bytes), folder);
}

/** Writes bytes to a new file in a folder, which is made. */
export async function workCopy(files: Files, bytes: Uint8Array, folder: string): Promise<string> {
  await files.makeFolder(folder);
  const copy = join(folder, `${randomUUID()}.csv`);
  await files.replace(copy, bytes);
  return copy;
}

/** Without what a video's title says of itself: `Beta (Official Video)` is Beta's. */
function plainTitle(title: string): string {
  return title.replace(
    /\s*[([【][^)\]】]*(?:official|lyric|video|audio|mv|visuali[sz]er|官方|歌词)[^)\]】]*[)\]】]\s*$/iu,
    "",
  );
}
