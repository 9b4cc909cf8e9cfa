import { downloadNumber, tableInName } from "../import/names.ts";
import { readIncoming, takeIncoming, type ReadResult, type SourceFile } from "../import/reading.ts";
import { storeCatalog } from "../store/catalog.ts";
import { Database } from "../store/database.ts";
import { EMPTY, removeRows } from "../store/tables.ts";
import { pairReleases, unpairReleases } from "./release-pairs.ts";
import type { SongName, SongRegister } from "../store/songs.ts";

/** The database of a library: each file is a separate partition, and `finish` derives the data that depends on all of them. */
export class Partitions {
  private constructor(
    private readonly database: Database,
    private readonly register: SongRegister,
  ) {}

  /** An empty database, at a path or in memory. `register` holds the ids of earlier songs. */
  static async create(register: SongRegister, path?: string): Promise<Partitions> {
    const database = await Database.create(path);
    try {
      await database.run(`BEGIN;\n${EMPTY};\nCOMMIT`);
      return new Partitions(database, register);
    } catch (caught) {
      database.close();
      throw caught;
    }
  }

  /**
   * Opens a database of the given size without some of its files. Undefined if the other files would distinguish songs differently without their names: the database
   * must then be built from the originals. @throws Error if it is unreadable.
   */
  static async without(
    removed: readonly number[],
    register: SongRegister,
    path: string,
    bytes: number,
  ): Promise<Partitions | undefined> {
    const database = await Database.create(path, bytes);
    try {
      await unpairReleases(database);
      for (const id of removed) await removeRows(database, id);
      const names = await database.rows("SELECT * FROM song_name ORDER BY file, number");
      const isSame = names.every(({ title, isrc, place, is_from_file_name: isFromFileName, song_id: id }) => {
        const name = {
          title: String(title),
          ...(typeof isrc === "string" && { isrc }),
          order: Number(place),
          isFromFileName: isFromFileName === 1,
        };
        return register.idOf(name, Number(id)) === id;
      });
      if (isSame) return new Partitions(database, register);
    } catch (caught) {
      database.close();
      throw caught;
    }
    database.close();
    return undefined;
  }

  /** Adds a file if it is usable. Undefined if DuckDB cannot read it at all: its messages quote the file, so they are not passed on. */
  async add(id: number, source: SourceFile): Promise<ReadResult | undefined> {
    const read = await readSource(this.database, source);
    if (isUsable(read)) await this.#store(id, source, read);
    return read;
  }

  async #store(id: number, source: SourceFile, read: ReadResult): Promise<void> {
    const { rows, refused, reasons, window, span, receipt } = read;
    const { kind } = source.layout.format;
    const order = [downloadNumber(source.name), id].map((number) => String(number).padStart(15, "0"));
    const names: (readonly (string | number | null)[])[] = [];
    const idOf = (name: SongName): number => {
      const song = this.register.idOf(name);
      const { title, isrc, order: place, isFromFileName } = name;
      names.push([id, names.length, title, isrc ?? null, place ?? 0, isFromFileName === true ? 1 : 0, song]);
      return song;
    };
    await this.database.run("BEGIN");
    await this.database.run(
      "INSERT INTO file VALUES ($id, $name, $kind, $rows, $refused, $reasons, $first::DATE, $last::DATE, $span, $receipt, $precedence, $series)",
      {
        id,
        name: source.name,
        kind,
        rows,
        refused,
        reasons: JSON.stringify(reasons),
        first: window?.from ?? null,
        last: window?.to ?? null,
        span,
        receipt: JSON.stringify(receipt),
        // If two files have the same row, the one that extends further counts, then the later download, then the later import.
        precedence: [window?.to ?? "0000-00-00", ...order].join(" "),
        series: span === null ? null : [kind, span, tableInName(source.name, source.from)].join("\n"),
      },
    );
    await takeIncoming(this.database, source, read, id, idOf);
    await this.database.append("song_name", names);
    await this.database.run("COMMIT");
  }

  /** Derives the songs, the song of each video, and the catalogue, and writes the database to its file. It stays open. */
  async finish(): Promise<Database> {
    const { database, register } = this;
    // In one transaction: separate transactions would each wait for the disk.
    await database.run("BEGIN");
    await pairReleases(database, register);
    await database.run("DELETE FROM song");
    await database.run("CREATE OR REPLACE TEMP TABLE named_song (id INTEGER, title VARCHAR, isrc VARCHAR)");
    await database.append(
      "named_song",
      register.named.map(({ id, title, isrc }) => [id, title, isrc ?? null]),
    );
    await database.run(`
      INSERT INTO song SELECT id, title, isrc, (SELECT min(released_on) FROM song_total WHERE song_id = id) FROM named_song
        WHERE id IN (SELECT song_id FROM song_day UNION SELECT song_id FROM song_total UNION SELECT song_id FROM sale) ORDER BY id`);
    const titles = await database.rows("SELECT title FROM video UNION SELECT title FROM video_day");
    const songs = titles.flatMap((row): (readonly [string, number])[] => {
      const title = String(row["title"]);
      const plain = plainTitle(title);
      // `Ada - Beta` belongs to the song Beta, unless a song has that title.
      const id = register.idOfTitle(plain) ?? register.idOfTitle(afterDash(plain));
      return id === undefined ? [] : [[title, id]];
    });
    if (titles.length > 0) {
      await database.run("CREATE OR REPLACE TEMP TABLE song_of_video (title VARCHAR, song_id INTEGER)");
      await database.append("song_of_video", songs);
      const songId = "(SELECT song_id FROM song_of_video AS of WHERE of.title = video.title)";
      for (const table of ["video", "video_day"])
        await database.run(
          `UPDATE ${table} AS video SET song_id = ${songId} WHERE song_id IS DISTINCT FROM ${songId}`,
        );
    }
    await storeCatalog(database);
    await database.run("COMMIT");
    await database.run("CHECKPOINT");
    return database;
  }

  close(): void {
    this.database.close();
  }
}

/** Reads a file into the table `incoming`; undefined if DuckDB cannot read it at all. */
export async function readSource(database: Database, source: SourceFile): Promise<ReadResult | undefined> {
  return readIncoming(database, source).catch(() => undefined);
}

/** Whether a file has rows and both readers agree on them. */
export function isUsable(read: ReadResult | undefined): read is ReadResult {
  return read !== undefined && read.rows > 0 && read.fault === undefined;
}

function afterDash(title: string): string {
  const dash = title.search(/ [-–] /u);
  return dash < 0 ? "" : title.slice(dash + 3);
}

const NOTE = /official|lyric|video|audio|mv|visuali[sz]er|官方|歌词/iu;

/** A video's title without a remark about the video: `Beta (Official Video)` belongs to the song Beta. */
function plainTitle(title: string): string {
  const whole = title.trimEnd();
  if (!/[)\]】]$/u.test(whole)) return title;
  const before = whole.slice(0, -1);
  const closed = Math.max(...[")", "]", "】"].map((sign) => before.lastIndexOf(sign))) + 1;
  const opened = before.slice(closed).search(/[([【]/u);
  if (opened < 0 || !NOTE.test(before.slice(closed + opened))) return title;
  return before.slice(0, closed + opened).trimEnd();
}
