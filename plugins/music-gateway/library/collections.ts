import { SkillError, inject, injectable, token } from "skillctl";
import { loadCatalog, type Collection } from "../store/catalog.ts";
import type { Database } from "../store/database.ts";
import { LIBRARY, type Library } from "./library.ts";

interface OpenCollection {
  /** The path of its database: a different path means that files were imported or removed. */
  readonly path: string;
  readonly database: Database;
  readonly collection: Collection;
}

/** The current collection. It is opened on first use, and again after files were imported or removed. */
@injectable()
export class Collections {
  #opened: OpenCollection | undefined;
  /** Earlier databases that answers in progress still use. */
  #old: Database[] = [];
  /** The uses in progress: DuckDB crashes the process if it is closed during a statement. */
  readonly #uses = new Set<Promise<unknown>>();
  #isClosed = false;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(@inject(LIBRARY) private readonly library: Library) {}

  /**
   * Runs `work` on the current collection. `meanwhile` is called while DuckDB opens its database, which does not block this thread.
   * @throws SkillError `OPTIONAL_MISSING`, `GATEWAY_STATE_BROKEN`, `CANCELLED`.
   */
  async use<T>(work: (collection: Collection) => Promise<T> | T, meanwhile?: () => void): Promise<T> {
    const use = this.#current(meanwhile).then(work);
    this.#uses.add(use);
    try {
      return await use;
    } finally {
      this.#uses.delete(use);
      if (this.#uses.size === 0) this.#closeOld();
    }
  }

  /** Waits until all uses have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turn;
    await Promise.allSettled(this.#uses);
    this.#opened?.database.close();
    this.#opened = undefined;
    this.#closeOld();
  }

  async #current(meanwhile?: () => void): Promise<Collection> {
    if (this.#isClosed) throw new SkillError("CANCELLED", "The gateway is shutting down.");
    const turn = this.#turn.then(() => this.#refreshed(meanwhile));
    this.#turn = turn.catch(() => undefined);
    return (await turn).collection;
  }

  async #refreshed(meanwhile?: () => void): Promise<OpenCollection> {
    // If an import removes the database between the reading of the list and the opening, the list has changed.
    for (let attempt = 0; ; attempt += 1) {
      const holdings = await this.library.holdings();
      const path = this.library.databasePath(holdings);
      if (this.#opened?.path === path) return this.#opened;
      try {
        const { source, database } = await this.library.open(holdings, meanwhile);
        const catalog = await loadCatalog(database);
        if (this.#opened !== undefined) this.#old.push(this.#opened.database);
        this.#opened = {
          path,
          database,
          collection: { source, catalog, rows: (sql, parameters) => database.rows(sql, parameters) },
        };
        return this.#opened;
      } catch (caught) {
        const isSame = this.library.databasePath(await this.library.holdings()) === path;
        if (isSame || attempt === 5) throw caught;
      }
    }
  }

  #closeOld(): void {
    for (const database of this.#old) database.close();
    this.#old = [];
  }
}

export const COLLECTIONS = token<Collections>("music-gateway/collections");
