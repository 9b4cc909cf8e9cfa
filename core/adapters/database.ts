import type pg from "pg";
import type { Pool, PoolClient, QueryResult } from "pg";
import type { CoreCode } from "../errors/codes.ts";
import { SkillError } from "../errors/skill-error.ts";
import { isLoopbackAddress } from "../loopback.ts";
import { sha256 } from "./sha256.ts";

/** Number of names that a process can hold at a time, each by a connection of its own. */
export const MOST_NAMES = 16;
const MOST_CONNECTIONS = 8;
const CONNECT_MS = 3_000;
const ANSWER_MS = 5_000;
/** Reconnection is tried for this time, such as during a restart of the server. */
const PATIENCE_MS = 10_000;
const MOST_PAUSE_MS = 100;

/** The version of the table below; a later version must convert the rows of this one. */
const LAYOUT = "1";

/** The table, as in docs/shared-state.md. The collection "" belongs to the adapter: its layout, and names that processes hold. */
export const SCHEMA: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS skillctl_documents (
  collection varchar(64) NOT NULL,
  id varchar(64) NOT NULL,
  history varchar(4000) NOT NULL,
  until_ms bigint NOT NULL,
  document text,
  PRIMARY KEY (collection, id)
)`,
  "CREATE INDEX IF NOT EXISTS skillctl_documents_until ON skillctl_documents (until_ms)",
  `INSERT INTO skillctl_documents (collection, id, history, until_ms) VALUES ('', 'layout', '${LAYOUT}', 9007199254740991)`,
];

/** The handling of a failure other than reporting it. */
type Remedy =
  /** The connection broke; a statement may have taken effect. */
  | "lost"
  /** No connection; retried if there was one before. */
  | "wait"
  /** Another transaction was faster. */
  | "again"
  | undefined;

interface FaultKind {
  /** SQLSTATE, codes of Node, or names that skillctl gives to messages. */
  readonly codes: RegExp;
  readonly remedy?: Remedy;
  /** Default: STATE_UNAVAILABLE. */
  readonly code?: CoreCode;
  /** The rest of the sentence, after the place of the database. */
  readonly sentence: string;
  readonly hint: string;
}

const FAULTS: readonly FaultKind[] = [
  {
    codes: /^(?:08|57P01|57P02|LOST|ECONNRESET|EPIPE)/,
    remedy: "lost",
    sentence: "has ended the connection",
    hint: "Try again; if this continues, read the log of the database.",
  },
  {
    codes: /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ENOENT|EACCES)$/,
    remedy: "wait",
    sentence: "cannot be reached",
    hint: "Start the database, or correct its address in SKILLCTL_STATE or in `state` of your own skillctl.json.",
  },
  {
    codes: /^(?:SILENT|57014)$/,
    remedy: "wait",
    sentence: "does not answer",
    hint: "Try again; if this continues, check the database and the network to it.",
  },
  {
    codes: /^(?:57P03|53300)$/,
    remedy: "wait",
    sentence: "accepts no connection now",
    hint: "Try again; if this continues, raise max_connections of the database or run fewer hosts.",
  },
  { codes: /^(?:40001|40P01|42P01)$/, remedy: "again", sentence: "is overloaded", hint: "Try again." },
  {
    codes: /^28/,
    sentence: "refuses the user or the password",
    hint: "Correct them in the address; without a password there, PGPASSWORD or ~/.pgpass is used.",
  },
  {
    codes: /^3D000$/,
    sentence: "does not exist",
    hint: "Create the database with createdb, or name another in the address.",
  },
  {
    codes: /^PLAIN$/,
    sentence: "offers no TLS",
    hint: "Turn TLS on there; in a network that you trust, add ?sslmode=disable to the address.",
  },
  {
    codes: /CERT|SIGNATURE|ISSUER|^ERR_(?:TLS|SSL)|^EPROTO$/,
    sentence: "has a certificate that is not accepted",
    hint: "Name the certificate of its authority in the address: ?sslmode=verify-full&sslrootcert=FILE",
  },
  {
    codes: /^25006$/,
    sentence: "is read-only",
    hint: "Name the primary server in the address.",
  },
  {
    codes: /^53[12]00$/,
    code: "STORAGE_FULL",
    sentence: "has no space left; nothing was written",
    hint: "Free disk space of the database; later data is stored without a restart.",
  },
  {
    codes: /^(?:42501|3F000)$/,
    sentence: "does not grant the user the rights on the table skillctl_documents",
    hint: "Grant them: docs/shared-state.md (Rights).",
  },
  { codes: /./, sentence: "reports a failure", hint: "Read the log of the database." },
];

/** Messages of the driver that have no code. */
const MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/timeout/i, "SILENT"],
  [/does not support SSL/, "PLAIN"],
  [/terminated|not queryable|SSL connection/, "LOST"],
];

/** A failure of a statement or connection that has not been reported. */
export class DatabaseFault extends Error {
  readonly code: string;

  constructor(cause: unknown) {
    super("A statement failed.", { cause });
    const { code, message = "" } = Object(cause) as { readonly code?: unknown; readonly message?: string };
    const named = typeof code === "string" ? code : undefined;
    this.code = named ?? MESSAGES.find(([pattern]) => pattern.test(message))?.[1] ?? "unknown";
  }

  get kind(): FaultKind {
    return FAULTS.find(({ codes }) => codes.test(this.code)) as FaultKind;
  }
}

/** A connection with the method, missing in the types of the driver, that lets the process exit. */
export type HeldConnection = PoolClient & { readonly ref: () => void; readonly unref: () => void };

/** Connections to a database with the protocol of PostgreSQL. */
export class Database {
  /** Without user and password. */
  readonly #place: string;
  readonly #address: string;
  #pools: Promise<{ readonly shared: Pool; readonly held: Pool }> | undefined;
  #table: Promise<void> | undefined;
  #wasReached = false;

  /** @throws SkillError `CONFIG_INVALID` for an address that cannot be read. */
  constructor(address: string) {
    const url = addressOf(address);
    this.#place = `${url.host}${url.pathname}`;
    this.#address = url.href;
  }

  /**
   * Runs an action on the table, and repeats it while its connection is lost or another transaction was faster. The action
   * itself must check for results of an earlier attempt.
   * @throws SkillError `STATE_UNAVAILABLE`, `STORAGE_FULL`, `OPTIONAL_MISSING`; errors of the action other than faults
   */
  async lasting<T>(work: () => Promise<T>): Promise<T> {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        await this.#ready();
        return await work();
      } catch (caught) {
        if (!(caught instanceof DatabaseFault)) throw caught;
        const { remedy } = caught.kind;
        if (remedy === "again") this.#table = undefined;
        const isWorthIt = remedy === "wait" ? this.#wasReached : remedy !== undefined;
        if (!isWorthIt || performance.now() > end) {
          this.#wasReached = false;
          throw this.#told(caught);
        }
        await pause(MOST_PAUSE_MS);
      }
    }
  }

  /** Runs one statement, which is a transaction. @throws DatabaseFault */
  async run(text: string, values: readonly unknown[] = []): Promise<QueryResult> {
    const client = await this.#connected("shared");
    let isBroken = true;
    try {
      const result = await statement(client, text, values);
      isBroken = false;
      return result;
    } catch (caught) {
      isBroken = isBreak(caught);
      throw caught;
    } finally {
      client.release(isBroken);
    }
  }

  /** A connection to hold a transaction open. @throws DatabaseFault */
  connection(): Promise<HeldConnection> {
    return this.#connected("held");
  }

  async #connected(pool: "shared" | "held"): Promise<HeldConnection> {
    const pools = await (this.#pools ??= this.#open());
    try {
      const client = await pools[pool].connect();
      this.#wasReached = true;
      return client as HeldConnection;
    } catch (caught) {
      throw new DatabaseFault(caught);
    }
  }

  async #open() {
    const { default: driver } = await loadDriver();
    const pool = (max: number): Pool => {
      const made = new driver.Pool({
        connectionString: this.#address,
        application_name: "skillctl",
        max,
        connectionTimeoutMillis: CONNECT_MS,
        query_timeout: ANSWER_MS,
        keepAlive: true,
        allowExitOnIdle: true,
      });
      // Statements and releases report the failure of a connection; without a listener the event would end the process.
      made.on("error", () => undefined);
      made.on("connect", (client) => client.on("error", () => undefined));
      return made;
    };
    return { shared: pool(MOST_CONNECTIONS), held: pool(MOST_NAMES + 1) };
  }

  #ready(): Promise<void> {
    return (this.#table ??= this.#makeTable().catch((caught: unknown) => {
      this.#table = undefined;
      throw caught;
    }));
  }

  /** Creates the table unless it exists. Of several simultaneous processes one succeeds; the others wait and check again. */
  async #makeTable(): Promise<void> {
    for (;;) {
      const layout = await this.#layout();
      if (layout === LAYOUT) return;
      if (layout !== undefined)
        throw new SkillError(
          "STATE_UNAVAILABLE",
          `The state database ${this.#place} has the layout ${layout}; this version of skillctl supports ${LAYOUT}.`,
          { hint: "Update skillctl." },
        );
      const client = await this.#connected("shared");
      try {
        await statement(client, "BEGIN");
        for (const text of SCHEMA) await statement(client, text);
        await statement(client, "COMMIT");
      } catch (caught) {
        // Another process was faster.
        if (!(caught instanceof DatabaseFault) || !/^(?:23505|42P0[67]|42710|40001)$/.test(caught.code))
          throw caught;
      } finally {
        client.release(true);
      }
    }
  }

  async #layout(): Promise<string | undefined> {
    try {
      const { rows } = await this.run(
        "SELECT history FROM skillctl_documents WHERE collection = '' AND id = 'layout'",
      );
      return (rows as readonly { readonly history: string }[])[0]?.history;
    } catch (caught) {
      if (caught instanceof DatabaseFault && caught.code === "42P01") return undefined;
      throw caught;
    }
  }

  #told(fault: DatabaseFault): SkillError {
    const { code = "STATE_UNAVAILABLE", sentence, hint } = fault.kind;
    const message = `The state database ${this.#place} ${sentence} (${fault.code}).`;
    return new SkillError(code, message, { cause: fault.cause, hint });
  }
}

/** @throws DatabaseFault */
export async function statement(
  client: PoolClient,
  text: string,
  values: readonly unknown[] = [],
): Promise<QueryResult> {
  try {
    return await client.query(text, [...values]);
  } catch (caught) {
    throw new DatabaseFault(caught);
  }
}

/** Whether the connection of a failed statement is unusable. */
export function isBreak(caught: unknown): boolean {
  return !(caught instanceof DatabaseFault) || ["lost", "wait"].includes(caught.kind.remedy ?? "");
}

/** A random time, so that processes do not retry at the same moment. */
export function pause(mostMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * mostMs));
}

/** SHA-256 of a text in hexadecimal: ids may be longer than an index allows, and are confidential. */
export function hashOf(text: string): string {
  // As JSON, since lone surrogates have no UTF-8.
  return sha256(JSON.stringify(text));
}

/** Without `sslmode`, TLS with a checked certificate unless the server is on this machine. Other modes have the same meaning as in libpq. */
function addressOf(address: string): URL {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    // The error of the parser quotes the address with its password.
    throw new SkillError("CONFIG_INVALID", "The address of the state database cannot be read.", {
      hint: "Write postgres://USER:PASSWORD@HOST:PORT/DATABASE, with %40 for an @ in the password.",
    });
  }
  const mode = url.searchParams.get("sslmode");
  const isLocal = url.hostname === "" || isLoopbackAddress(url.hostname);
  if (mode === null) url.searchParams.set("sslmode", isLocal ? "disable" : "verify-full");
  else if (mode !== "verify-full") url.searchParams.set("uselibpqcompat", "true");
  return url;
}

async function loadDriver(): Promise<{ readonly default: typeof pg }> {
  try {
    return await import("pg");
  } catch (cause) {
    throw new SkillError("OPTIONAL_MISSING", "Shared state needs the package pg, which is not installed.", {
      cause,
      hint: "Run `npm install pg`, or unset SKILLCTL_STATE to keep the state in files.",
    });
  }
}
