import { SkillError } from "skillctl";
import type Bindings from "@duckdb/node-bindings";
import { resultRows, type ResultRow } from "./result-rows.ts";

export type { ResultRow } from "./result-rows.ts";

/** The values of the named parameters of a statement. */
export type Parameters = Readonly<Record<string, string | number | null>>;

/** Settings that prevent DuckDB from fetching and loading extensions. */
const ALWAYS = { autoinstall_known_extensions: "false", autoload_known_extensions: "false" };
/** DuckDB divides the rows of a table among processors in groups of 122,880. Below that, extra threads only cost. */
const MANY_ROWS = 122_880;
/** A smaller database is read just as fast by one thread. */
const MANY_BYTES = 8_388_608;
const MOST_INT32 = 2_147_483_647;
const LOCKED = { enable_external_access: "false", lock_configuration: "true" };

/** A DuckDB database and one connection to it. The caller closes it. */
export class Database {
  readonly #duckdb: typeof Bindings;
  readonly #database: Bindings.Database;
  readonly #connection: Bindings.Connection;

  private constructor(duckdb: typeof Bindings, database: Bindings.Database, connection: Bindings.Connection) {
    this.#duckdb = duckdb;
    this.#database = database;
    this.#connection = connection;
  }

  /**
   * Opens a database file of the given size for reading: no other files, no network, no other settings. `meanwhile` is called
   * while a DuckDB thread opens it.
   */
  static read(path: string, bytes: number, meanwhile?: () => void): Promise<Database> {
    return Database.#open(path, bytes, { access_mode: "READ_ONLY", ...LOCKED }, meanwhile);
  }

  /** Creates a database, in a file of the given size or in memory, that may read files until it is locked. */
  static create(path?: string, bytes = 0): Promise<Database> {
    return Database.#open(path ?? ":memory:", bytes, {});
  }

  /** @throws SkillError `OPTIONAL_MISSING` if DuckDB is not installed. */
  static async #open(
    path: string,
    bytes: number,
    settings: Readonly<Record<string, string>>,
    meanwhile?: () => void,
  ): Promise<Database> {
    // The bindings without the package @duckdb/node-api: loading its classes takes longer than the start of Node.
    const { default: duckdb } = await loadDuckdb(() => import("@duckdb/node-bindings"));
    const config = duckdb.create_config();
    const own = { ...ALWAYS, ...settings, ...(bytes < MANY_BYTES && { threads: "1" }) };
    for (const [name, value] of Object.entries(own)) duckdb.set_config(config, name, value);
    const opening = duckdb.open(path, config);
    meanwhile?.();
    const database = await opening;
    try {
      return new Database(duckdb, database, await duckdb.connect(database));
    } catch (caught) {
      duckdb.close_sync(database);
      throw caught;
    }
  }

  /** Prepares for the given number of rows. */
  async expect(rows: number): Promise<void> {
    if (rows > MANY_ROWS) await this.run("RESET threads");
  }

  /** Locks the database: it can no longer read files, use the network or change settings. */
  async lock(): Promise<void> {
    for (const [name, value] of Object.entries(LOCKED)) await this.run(`SET ${name} = ${value}`);
  }

  /** Runs statements without a result; with parameters, a single statement. */
  async run(sql: string, parameters?: Parameters): Promise<void> {
    await this.#result(sql, parameters);
  }

  /** Returns all rows of a statement with named parameters (`$name`). Parameters that it does not use are ignored. */
  async rows(sql: string, parameters?: Parameters): Promise<readonly ResultRow[]> {
    return resultRows(this.#duckdb, await this.#result(sql, parameters));
  }

  async #result(sql: string, parameters: Parameters = {}): Promise<Bindings.Result> {
    const duckdb = this.#duckdb;
    const named = new Set(sql.match(/\$\w+/g));
    const used = Object.entries(parameters).filter(([name]) => named.has(`$${name}`));
    if (used.length === 0) return duckdb.query(this.#connection, sql);
    const statement = await duckdb.prepare(this.#connection, sql);
    try {
      for (const [name, value] of used) {
        const index = duckdb.bind_parameter_index(statement, name);
        if (value === null) duckdb.bind_null(statement, index);
        else if (typeof value === "string") duckdb.bind_varchar(statement, index, value);
        else if (Math.trunc(value) !== value) duckdb.bind_double(statement, index, value);
        else if (Math.abs(value) <= MOST_INT32) duckdb.bind_int32(statement, index, value);
        else duckdb.bind_int64(statement, index, BigInt(value));
      }
      return await duckdb.execute_prepared(statement);
    } finally {
      duckdb.destroy_prepare_sync(statement);
    }
  }

  /** Appends rows of texts and whole numbers to a table whose columns are VARCHAR and INTEGER. */
  async append(table: string, rows: Iterable<readonly (string | number | null)[]>): Promise<void> {
    const duckdb = this.#duckdb;
    const appender = duckdb.appender_create(this.#connection, null, table);
    for (const row of rows) {
      for (const value of row) {
        if (value === null) duckdb.append_null(appender);
        else if (typeof value === "number") duckdb.append_int32(appender, value);
        else duckdb.append_varchar(appender, value);
      }
      duckdb.appender_end_row(appender);
    }
    duckdb.appender_close_sync(appender);
  }

  close(): void {
    this.#duckdb.disconnect_sync(this.#connection);
    this.#duckdb.close_sync(this.#database);
  }
}

/** Quotes a text as an SQL literal. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Loads the optional package, or explains how to install it. */
export async function loadDuckdb<Package>(load: () => Promise<Package>): Promise<Package> {
  try {
    return await load();
  } catch (cause) {
    throw new SkillError(
      "OPTIONAL_MISSING",
      "The embedded gateway needs the package @duckdb/node-bindings, which is not installed.",
      {
        cause,
        hint: "Run `npm install @duckdb/node-bindings`, or set SVC_BASE_URL to use a remote service.",
      },
    );
  }
}
