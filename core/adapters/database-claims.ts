import type { Claim, Claims } from "../ports/claim.ts";
import type { Log } from "../ports/log.ts";
import { SkillError } from "../errors/skill-error.ts";
import { quotedName } from "../quoted-name.ts";
import {
  DatabaseFault,
  MOST_NAMES,
  hashOf,
  isBreak,
  statement,
  type Database,
  type HeldConnection,
} from "./database.ts";

const LOCK = "SELECT id FROM skillctl_documents WHERE collection = '' AND id = $1 FOR UPDATE NOWAIT";
const ADD = `INSERT INTO skillctl_documents (collection, id, history, until_ms) VALUES ('', $1, '', 9007199254740991)`;
const REMOVE = "DELETE FROM skillctl_documents WHERE collection = '' AND id = $1";
/** A statement at this interval detects a lost connection of a held name, and keeps the connection open. */
const ALIVE_MS = 10_000;

/**
 * Holds names as locks of rows, each by an open transaction on a separate connection. The database releases them when the
 * connection ends, even after a kill of the process. A name whose connection is lost is acquired again at once.
 */
export function databaseClaims(database: Database, log: Pick<Log, "notice">): Claims {
  let held = 0;
  return {
    claim: async (name) => {
      if (held >= MOST_NAMES)
        throw new SkillError("CLAIM_FAILED", `This process already holds ${held} names in the database.`, {
          hint: "End some of its work, or use another process.",
        });
      held += 1;
      const release = (): void => void (held -= 1);
      try {
        const id = hashOf(name);
        const client = await database.lasting(() => taken(database, id));
        if (client) return new HeldName(database, { name, id, client, release }, log);
      } catch (caught) {
        release();
        throw caught;
      }
      release();
      return undefined;
    },
  };
}

/** A connection that now holds a name; `undefined` if another process holds it. @throws DatabaseFault */
async function taken(database: Database, id: string): Promise<HeldConnection | undefined> {
  const client = await database.connection();
  let isBroken = true;
  try {
    for (;;) {
      await statement(client, "BEGIN");
      if ((await statement(client, LOCK, [id])).rowCount === 1) {
        // A held name does not keep the process running.
        client.unref();
        return client;
      }
      await statement(client, "ROLLBACK");
      await statement(client, ADD, [id]).catch(ignoreTaken);
    }
  } catch (caught) {
    isBroken = isBreak(caught);
    if (!isBroken) await statement(client, "ROLLBACK").catch(() => (isBroken = true));
    client.release(isBroken);
    if (caught instanceof DatabaseFault && caught.code === "55P03") return undefined;
    throw caught;
  }
}

/** Another process has added the row. */
function ignoreTaken(caught: unknown): void {
  if (!(caught instanceof DatabaseFault && caught.code === "23505")) throw caught;
}

class HeldName implements Claim {
  readonly #database: Database;
  readonly #name: { readonly name: string; readonly id: string; readonly release: () => void };
  readonly #log: Pick<Log, "notice">;
  readonly #timer: NodeJS.Timeout;
  /** Missing while the connection is lost. */
  #client: HeldConnection | undefined;
  #isReleased = false;

  constructor(
    database: Database,
    { client, ...name }: { name: string; id: string; client: HeldConnection; release: () => void },
    log: Pick<Log, "notice">,
  ) {
    this.#database = database;
    this.#name = name;
    this.#log = log;
    this.#hold(client);
    this.#timer = setInterval(() => void this.#client?.query("SELECT 1").catch(this.#lost), ALIVE_MS);
    this.#timer.unref();
  }

  readonly release = async (): Promise<void> => {
    if (this.#isReleased) return;
    this.#isReleased = true;
    clearInterval(this.#timer);
    this.#name.release();
    const client = this.#client;
    // Reset first, so that a connection that ends meanwhile is not released twice.
    this.#client = undefined;
    if (!client) return;
    client.ref();
    let isBroken = true;
    try {
      await statement(client, REMOVE, [this.#name.id]);
      await statement(client, "COMMIT");
      isBroken = false;
    } catch (caught) {
      // Closing the connection releases the name, too.
      if (!(caught instanceof DatabaseFault)) throw caught;
    } finally {
      client.off("end", this.#lost).release(isBroken);
    }
  };

  #hold(client: HeldConnection): void {
    this.#client = client;
    client.once("end", this.#lost);
  }

  readonly #lost = (): void => {
    const client = this.#client;
    this.#client = undefined;
    if (!client) return;
    client.off("end", this.#lost).release(true);
    if (!this.#isReleased) void this.#takeAgain();
  };

  async #takeAgain(): Promise<void> {
    const { name, id } = this.#name;
    let reason = "another process holds it";
    try {
      const client = await this.#database.lasting(() => taken(this.#database, id));
      if (client && this.#isReleased) client.release(true);
      else if (client) return this.#hold(client);
    } catch (caught) {
      reason = caught instanceof Error ? caught.message : String(caught);
    }
    if (!this.#isReleased)
      this.#log.notice(
        `The name ${quotedName(name)} was lost with the connection to the database: ${reason}`,
      );
  }
}
