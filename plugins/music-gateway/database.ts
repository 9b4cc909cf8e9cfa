import { SkillError } from "skillctl";
import type { DuckDBAppender, DuckDBConnection, DuckDBInstance, DuckDBValue } from "@duckdb/node-api";
import type { ResultRow } from "./result-row.ts";

/** The values of the named parameters of a statement. */
export type Parameters = Readonly<Record<string, string | number | null>>;

const TABLES = `
  CREATE TABLE song (id INTEGER PRIMARY KEY, title VARCHAR NOT NULL, isrc VARCHAR);
  CREATE TABLE daily_song (date DATE, song_id INTEGER, plays BIGINT, PRIMARY KEY (date, song_id));
  CREATE TABLE daily_account (date DATE PRIMARY KEY, plays BIGINT, listeners BIGINT, monthly_listeners BIGINT, followers BIGINT);
  CREATE TABLE snapshot_song (song_id INTEGER PRIMARY KEY, plays BIGINT, released_on DATE);
  CREATE TABLE video (title VARCHAR, views BIGINT, published_on DATE);
  CREATE TABLE sale (month DATE, store VARCHAR, country VARCHAR, song_id INTEGER, quantity BIGINT, amount DECIMAL(28, 9), currency VARCHAR);
  CREATE VIEW daily AS
    SELECT coalesce(a.date, s.date) AS date, coalesce(a.plays, s.plays) AS plays
    FROM daily_account a FULL JOIN (SELECT date, sum(plays) AS plays FROM daily_song GROUP BY date) s ON a.date = s.date;
`;

/** One value to append: its column's type decides how. */
export type Cell = readonly ["integer" | "count" | "text" | "date" | "amount", string | number | undefined];

/** An in-memory DuckDB with the canonical tables. Closed by who opened it. */
export class Database {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance;
    this.#connection = connection;
  }

  /** @throws SkillError `OPTIONAL_MISSING` when DuckDB is not installed. */
  static async open(): Promise<Database> {
    const { DuckDBInstance: Instance } = await loadDuckdb(() => import("@duckdb/node-api"));
    const instance = await Instance.create(":memory:");
    const connection = await instance.connect();
    await connection.run(TABLES);
    return new Database(instance, connection);
  }

  /** Appends rows to a table. */
  async append(table: string, rows: readonly (readonly Cell[])[]): Promise<void> {
    const { DuckDBDateValue, DuckDBDecimalValue } = await import("@duckdb/node-api");
    const appender = await this.#connection.createAppender(table);
    const write: Readonly<Record<Cell[0], (target: DuckDBAppender, value: string | number) => void>> = {
      integer: (target, value) => target.appendInteger(Number(value)),
      count: (target, value) => target.appendBigInt(BigInt(value)),
      text: (target, value) => target.appendVarchar(String(value)),
      date: (target, value) =>
        target.appendDate(new DuckDBDateValue(Math.round(Date.parse(String(value)) / 86_400_000))),
      amount: (target, value) => target.appendDecimal(new DuckDBDecimalValue(scaled(String(value)), 28, 9)),
    };
    for (const row of rows) {
      for (const [type, value] of row) {
        if (value === undefined) appender.appendNull();
        else write[type](appender, value);
      }
      appender.endRow();
    }
    appender.closeSync();
  }

  /** All rows of a statement with named parameters (`$name`). Those it does not name are left out. */
  async rows(sql: string, parameters: Parameters = {}): Promise<readonly ResultRow[]> {
    const used = Object.entries(parameters).filter(([name]) => new RegExp(`\\$${name}\\b`).test(sql));
    const values: Record<string, DuckDBValue> = Object.fromEntries(used);
    const reader = await this.#connection.runAndReadAll(sql, values);
    return reader
      .getRowObjectsJS()
      .map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])));
  }

  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}

/** Loads an optional package, or says how to install it. */
export async function loadDuckdb<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new SkillError(
      "OPTIONAL_MISSING",
      "The embedded gateway needs the package @duckdb/node-api, which is not installed.",
      {
        cause,
        hint: "Run `npm install @duckdb/node-api`, or set SVC_BASE_URL to use a remote service.",
      },
    );
  }
}

/** Decimal text as a count of 10^-9. */
function scaled(amount: string): bigint {
  const [whole = "0", places = ""] = amount.replace("-", "").split(".");
  const value = BigInt(whole + places.padEnd(9, "0"));
  return amount.startsWith("-") ? -value : value;
}

function plain(value: unknown): string | number | boolean | null {
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean" || value === null)
    return value;
  throw new TypeError("A column of an answer is cast to text or to a number.");
}
