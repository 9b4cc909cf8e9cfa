import { FORMATS } from "../import/formats.ts";
import { downloadNumber } from "../import/names.ts";
import { readIncoming, takeIncoming, type ReadResult, type SourceFile } from "../import/reading.ts";
import { storeCatalog, EMPTY } from "../store/catalog.ts";
import { Database } from "../store/database.ts";
import type { SongRegister } from "../store/songs.ts";

/** A file that a database is made of. */
export interface Input {
  readonly id: number;
  readonly source: SourceFile;
}

/** A new database, still open and not locked, and what was read out of each file: undefined where DuckDB cannot read it at all. */
interface BuildResult {
  readonly database: Database;
  readonly loaded: ReadonlyMap<Input, ReadResult | undefined>;
}

/** Temporary tables of the import. */
const WORK_TABLES = [
  "incoming",
  "fresh",
  "named",
  "place",
  "listed",
  "filmed",
  "reject_errors",
  "reject_scans",
];

/**
 * Makes a database of files, at a path or in memory, or adds them to one that lies at the path. A file without a row that can
 * be read is left out. Of two files that have the same row one wins whichever comes first, so that adding is the same as making anew.
 */
export async function build(
  register: SongRegister,
  inputs: readonly Input[],
  path: string | undefined,
  {
    begin = () => undefined,
    isAdded = false,
  }: { readonly begin?: (input: Input) => void; readonly isAdded?: boolean } = {},
): Promise<BuildResult> {
  const database = await Database.create(path);
  try {
    if (!isAdded) await database.run(EMPTY);
    const loaded = new Map<Input, ReadResult | undefined>();
    const order = ({ source }: Input): number => FORMATS.indexOf(source.layout.format);
    for (const input of inputs.toSorted((left, right) => order(left) - order(right))) {
      begin(input);
      // What DuckDB says of a file holds lines of it.
      const read = await readIncoming(database, input.source).catch(() => undefined);
      loaded.set(input, read);
      if (read !== undefined && isUsable(read)) await take(database, input, read, register);
    }
    await enterSongs(database, register);
    await storeCatalog(database);
    for (const table of WORK_TABLES) await database.run(`DROP TABLE IF EXISTS ${table}`);
    await database.run("CHECKPOINT");
    return { database, loaded };
  } catch (caught) {
    database.close();
    throw caught;
  }
}

/** Whether a file has rows, and both readers agree on them. */
export function isUsable({ rows, fault }: ReadResult): boolean {
  return rows > 0 && fault === undefined;
}

/** Takes in the file that was read last, in one transaction. */
async function take(
  database: Database,
  { id, source }: Input,
  loaded: ReadResult,
  register: SongRegister,
): Promise<void> {
  const { rows, refused, reasons, window, receipt } = loaded;
  const order = [downloadNumber(source.name), id].map((number) => String(number).padStart(15, "0"));
  const precedence = [window?.to ?? "0000-00-00", ...order].join(" ");
  await database.run("BEGIN");
  await takeIncoming(database, source, loaded, precedence, register);
  await database.run(
    "INSERT INTO file VALUES ($id, $name, $kind, $rows, $refused, $reasons, $first::DATE, $last::DATE, $receipt)",
    {
      id,
      name: source.name,
      kind: source.layout.format.kind,
      rows,
      refused,
      reasons: JSON.stringify(reasons),
      first: window?.from ?? null,
      last: window?.to ?? null,
      receipt: JSON.stringify(receipt),
    },
  );
  await database.run("COMMIT");
}

/** Enters the songs that have figures, and which video is whose. */
async function enterSongs(database: Database, register: SongRegister): Promise<void> {
  await database.run("DELETE FROM song");
  await database.run("CREATE OR REPLACE TEMP TABLE listed (id INTEGER, title VARCHAR, isrc VARCHAR)");
  await database.append(
    "listed",
    register.songs.map(({ id, title, isrc }) => [id, title, isrc ?? null]),
  );
  await database.run(`
    INSERT INTO song SELECT id, title, isrc, (SELECT min(released_on) FROM song_total WHERE song_id = id) FROM listed
      WHERE id IN (SELECT song_id FROM song_day UNION SELECT song_id FROM song_total UNION SELECT song_id FROM sale) ORDER BY id`);
  const titles = await database.rows("SELECT title FROM video UNION SELECT title FROM video_day");
  const filmed = titles.flatMap((row): (readonly [string, number])[] => {
    const title = String(row["title"]);
    const plain = plainTitle(title);
    // `Ada - Beta` is Beta's, unless a song is called so.
    const id = register.idOfTitle(plain) ?? register.idOfTitle(afterDash(plain));
    return id === undefined ? [] : [[title, id]];
  });
  await database.run("CREATE OR REPLACE TEMP TABLE filmed (title VARCHAR, song_id INTEGER)");
  await database.append("filmed", filmed);
  for (const table of ["video", "video_day"])
    await database.run(
      `UPDATE ${table} SET song_id = (SELECT song_id FROM filmed WHERE filmed.title = ${table}.title)`,
    );
}

function afterDash(title: string): string {
  const dash = title.search(/ [-–] /u);
  return dash < 0 ? "" : title.slice(dash + 3);
}

const NOTE = /official|lyric|video|audio|mv|visuali[sz]er|官方|歌词/iu;

/** Without what a video's title says of itself: `Beta (Official Video)` is Beta's. */
function plainTitle(title: string): string {
  const whole = title.trimEnd();
  if (!/[)\]】]$/u.test(whole)) return title;
  const before = whole.slice(0, -1);
  const closed = Math.max(...[")", "]", "】"].map((sign) => before.lastIndexOf(sign))) + 1;
  const opened = before.slice(closed).search(/[([【]/u);
  if (opened < 0 || !NOTE.test(before.slice(closed + opened))) return title;
  return before.slice(0, closed + opened).trimEnd();
}
