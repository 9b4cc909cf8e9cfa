/** Part of the name of every database file: another layout or another reading of the formats, another file. */
export const LAYOUT = "1";

/** A table that imports fill. */
export interface Table {
  /** The columns that a file can give, with their types. */
  readonly columns: Readonly<Record<string, string>>;
  /** What makes two rows the same one: that of the later file stays. Sales have none (sales.ts). */
  readonly key: readonly string[];
}

const TOTALS = {
  store: "VARCHAR",
  first_day: "DATE",
  last_day: "DATE",
  plays: "BIGINT",
  listeners: "BIGINT",
  daily_listeners: "BIGINT",
  shazams: "BIGINT",
};
const VIEWS = { views: "BIGINT", watch_hours: "DOUBLE", subscribers: "BIGINT" };
const VIDEO = { video_id: "VARCHAR", title: "VARCHAR", song_id: "INTEGER" };

/** Days, counts and sums; what a file does not have is NULL. */
export const TABLES = {
  song_day: {
    columns: { date: "DATE", song_id: "INTEGER", store: "VARCHAR", plays: "BIGINT" },
    key: ["date", "song_id", "store"],
  },
  account_day: {
    columns: {
      date: "DATE",
      store: "VARCHAR",
      plays: "BIGINT",
      listeners: "BIGINT",
      monthly_listeners: "BIGINT",
      followers: "BIGINT",
      saves: "BIGINT",
      playlist_adds: "BIGINT",
    },
    key: ["date", "store"],
  },
  song_total: {
    columns: { song_id: "INTEGER", ...TOTALS, saves: "BIGINT", released_on: "DATE" },
    key: ["song_id", "store"],
  },
  place_total: {
    columns: { country: "VARCHAR", city: "VARCHAR", ...TOTALS },
    key: ["country", "city", "store"],
  },
  playlist: {
    columns: {
      title: "VARCHAR",
      author: "VARCHAR",
      store: "VARCHAR",
      listeners: "BIGINT",
      plays: "BIGINT",
      added_on: "DATE",
    },
    key: ["title", "author", "store"],
  },
  video: {
    columns: {
      ...VIDEO,
      published_on: "DATE",
      ...VIEWS,
      impressions: "BIGINT",
      revenue: "DECIMAL(28, 9)",
      currency: "VARCHAR",
    },
    key: ["video_id"],
  },
  video_day: { columns: { date: "DATE", ...VIDEO, ...VIEWS }, key: ["date", "video_id"] },
  sale: {
    columns: {
      month: "DATE",
      store: "VARCHAR",
      country: "VARCHAR",
      song_id: "INTEGER",
      units: "BIGINT",
      amount: "DECIMAL(28, 9)",
      currency: "VARCHAR",
      distributor: "VARCHAR",
      reported: "VARCHAR",
    },
    key: [],
  },
} as const satisfies Readonly<Record<string, Table>>;

export type TableName = keyof typeof TABLES;

export function tableOf(name: TableName): Table {
  return TABLES[name];
}

/** The statements that make an empty database. */
export const EMPTY = [
  "CREATE TABLE song (id INTEGER, title VARCHAR NOT NULL, isrc VARCHAR, released_on DATE)",
  "CREATE TABLE file (id INTEGER, name VARCHAR, kind VARCHAR, rows INTEGER, refused INTEGER, reasons VARCHAR, first_day DATE, last_day DATE)",
  "CREATE TABLE meta (name VARCHAR, value VARCHAR)",
  ...Object.entries<Table>(TABLES).map(([name, { columns, key }]) => {
    const rank = key.length > 0 ? ["precedence VARCHAR"] : [];
    const all = [...Object.entries(columns).map(([column, type]) => `${column} ${type}`), ...rank];
    return `CREATE TABLE ${name} (${all.join(", ")})`;
  }),
].join(";\n");

/** Puts the rows of `source` into a table; a row that is there stays unless it comes from an earlier file. */
export function merging(name: TableName, source: string): readonly string[] {
  const { columns, key } = tableOf(name);
  const names = [...Object.keys(columns), "precedence"].join(", ");
  if (key.length === 0) return [`INSERT INTO ${name} BY NAME SELECT * FROM ${source}`];
  const same = key.map((column) => `old.${column} IS NOT DISTINCT FROM new.${column}`).join(" AND ");
  return [
    `DELETE FROM ${name} AS old USING ${source} AS new WHERE ${same} AND old.precedence <= new.precedence`,
    `INSERT INTO ${name} (${names}) SELECT ${names} FROM ${source} AS new
     WHERE NOT EXISTS (SELECT 1 FROM ${name} AS old WHERE ${same})`,
  ];
}
