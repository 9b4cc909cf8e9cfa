import { SkillError } from "skillctl";
import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from "@duckdb/node-api";

/** One row of a result, by column. Counts come as numbers; dates and decimals are cast to text by the statement. */
export type ResultRow = Readonly<Record<string, string | number | boolean | null>>;

/** The values of the named parameters of a statement. */
export type Parameters = Readonly<Record<string, string | number | null>>;

/** DuckDB fetches and loads no extensions. */
const ALWAYS = { autoinstall_known_extensions: "false", autoload_known_extensions: "false" };
/** DuckDB divides the rows of a table among processors in groups of 122,880. Below that more than one only costs. */
const MANY_ROWS = 122_880;
/** A database of fewer bytes is read as fast by one. */
const MANY_BYTES = 8_388_608;
const LOCKED = { enable_external_access: "false", lock_configuration: "true" };

/** A DuckDB database and one connection to it. The caller closes it. */
export class Database {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance;
    this.#connection = connection;
  }

  /** A database file of so many bytes that is only read: no other file, no network, no other settings. */
  static read(path: string, bytes: number): Promise<Database> {
    return Database.#open(path, bytes, { access_mode: "READ_ONLY", ...LOCKED });
  }

  /** A database, in a file of so many bytes or in memory, that may read files until it is locked. */
  static create(path?: string, bytes = 0): Promise<Database> {
    return Database.#open(path ?? ":memory:", bytes, {});
  }

  /** @throws SkillError `OPTIONAL_MISSING` when DuckDB is not installed. */
  static async #open(
    path: string,
    bytes: number,
    settings: Readonly<Record<string, string>>,
  ): Promise<Database> {
    const { DuckDBInstance: Instance } = await loadDuckdb(() => import("@duckdb/node-api"));
    const own = { ...ALWAYS, ...settings, ...(bytes < MANY_BYTES && { threads: "1" }) };
    const instance = await Instance.create(path, own);
    try {
      return new Database(instance, await instance.connect());
    } catch (caught) {
      instance.closeSync();
      throw caught;
    }
  }

  /** Prepares for that many rows at once. */
  async expect(rows: number): Promise<void> {
    if (rows > MANY_ROWS) await this.run("RESET threads");
  }

  /** From now on it reads no file, reaches no network and takes no setting. */
  async lock(): Promise<void> {
    for (const [name, value] of Object.entries(LOCKED)) await this.run(`SET ${name} = ${value}`);
  }

  /** Statements without a result. */
  async run(sql: string, parameters?: Parameters): Promise<void> {
    await this.#connection.run(sql, parameters && used(sql, parameters));
  }

  /** All rows of a statement with named parameters (`$name`). Parameters that it does not name are left out. */
  async rows(sql: string, parameters: Parameters = {}): Promise<readonly ResultRow[]> {
    const reader = await this.#connection.runAndReadAll(sql, used(sql, parameters));
    return reader
      .getRowObjectsJS()
      .map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])));
  }

  /** Appends rows of texts and whole numbers to a table whose columns are VARCHAR and INTEGER. */
  async append(table: string, rows: Iterable<readonly (string | number | null)[]>): Promise<void> {
    const appender = await this.#connection.createAppender(table);
    for (const row of rows) {
      for (const value of row) {
        if (value === null) appender.appendNull();
        else if (typeof value === "number") appender.appendInteger(value);
        else appender.appendVarchar(value);
      }
      appender.endRow();
    }
    appender.closeSync();
  }

  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}

/** A text as a literal of SQL. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Loads the optional package, or says how to install it. */
export async function loadDuckdb<Package>(load: () => Promise<Package>): Promise<Package> {
  try {
    return await load();
  } catch (cause) {
    throw new SkillError(
      "OPTIONAL_MISSING",
      "The embedded gateway needs the package @duckdb/node-api, which is not installed.",
      { cause, hint: "Run `npm install @duckdb/node-api`, or set SVC_BASE_URL to use a remote service." },
    );
  }
}

function used(sql: string, parameters: Parameters): Record<string, DuckDBValue> {
  return Object.fromEntries(
    Object.entries(parameters).filter(([name]) => new RegExp(`\\$${name}\\b`).test(sql)),
  );
}

function plain(value: unknown): string | number | boolean | null {
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean" || value === null)
    return value;
  throw new TypeError("A column of an answer is cast to text or to a number.");
}
