import tables from "./tables.json" with { type: "json" };

/** Part of the name of every database file: another layout or another reading of the formats, another file. */
export const LAYOUT = "1";

/** A table that imports fill: days, counts and sums; what a file does not have is NULL. They stand in tables.json. */
export interface Table {
  /** The columns that a file can give, with their types. */
  readonly columns: Readonly<Record<string, string>>;
  /** What makes two rows the same one: that of the later file stays. Sales have none (sales.ts). */
  readonly key: readonly string[];
}

export type TableName = keyof typeof tables;

export function tableOf(name: TableName): Table {
  return tables[name];
}

/** The statements that make an empty database. */
export const EMPTY = [
  "CREATE TABLE song (id INTEGER, title VARCHAR NOT NULL, isrc VARCHAR, released_on DATE)",
  "CREATE TABLE file (id INTEGER, name VARCHAR, kind VARCHAR, rows INTEGER, refused INTEGER, reasons VARCHAR, first_day DATE, last_day DATE)",
  "CREATE TABLE meta (name VARCHAR, value VARCHAR)",
  ...Object.entries<Table>(tables).map(([name, { columns, key }]) => {
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
