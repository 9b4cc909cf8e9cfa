import { SkillError, inject, injectable, token } from "skillctl";
import { answerTo } from "./answer.ts";
import type { Holdings } from "./asked.ts";
import { Database } from "./database.ts";
import type { DayRange } from "./day.ts";
import { LIBRARY, type Library } from "./library.ts";
import { loadCollection } from "./loading.ts";
import { dailyCoverage } from "./play-queries.ts";

interface Opened {
  /** The files it was built from: another list means building anew. */
  readonly fingerprint: string;
  readonly holdings: Holdings;
}

/** The files in a DuckDB in memory, built on first use and again when files have been imported meanwhile. */
@injectable()
export class Engine {
  #opened: Opened | undefined;
  /** Databases of earlier files, for answers that are under way. */
  #old: Database[] = [];
  /** What is under way: DuckDB takes the process with it when it is closed under a statement. */
  readonly #uses = new Set<Promise<unknown>>();
  #isClosed = false;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(@inject(LIBRARY) private readonly library: Library) {}

  /** What answers now. @throws SkillError `OPTIONAL_MISSING`, `GATEWAY_STATE_BROKEN`, `FILE_UNREADABLE`, `CANCELLED`. */
  async holdings(): Promise<Holdings> {
    if (this.#isClosed) throw new SkillError("CANCELLED", "The gateway is closing.");
    const turn = this.#turn.then(() => this.#refreshed());
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** The Markdown answer; undefined when no song has that id. */
  async answer(question: string, songId: number | undefined): Promise<string | undefined> {
    return this.#use(async (holdings) => {
      const song = holdings.songs.find(({ id }) => id === songId);
      if (songId !== undefined && song === undefined) return undefined;
      return answerTo(question, song, holdings);
    });
  }

  async knows(songId: number): Promise<boolean> {
    return (await this.holdings()).songs.some(({ id }) => id === songId);
  }

  /** The days with figures. */
  async coverage(): Promise<DayRange | undefined> {
    return this.#use(({ database }) => dailyCoverage(database));
  }

  /** Lets what is under way come to its end first. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turn;
    await Promise.allSettled(this.#uses);
    this.#opened?.holdings.database.close();
    this.#opened = undefined;
    this.#closeOld();
  }

  async #use<T>(work: (holdings: Holdings) => Promise<T>): Promise<T> {
    const use = this.holdings().then(work);
    this.#uses.add(use);
    try {
      return await use;
    } finally {
      this.#uses.delete(use);
      if (this.#uses.size === 0) this.#closeOld();
    }
  }

  #closeOld(): void {
    for (const database of this.#old) database.close();
    this.#old = [];
  }

  async #refreshed(): Promise<Holdings> {
    const fingerprint = (await this.library.importedNames()).join("\n");
    if (this.#opened?.fingerprint === fingerprint) return this.#opened.holdings;
    const holdings = await this.#built();
    if (this.#opened) this.#old.push(this.#opened.holdings.database);
    this.#opened = { fingerprint, holdings };
    return holdings;
  }

  async #built(): Promise<Holdings> {
    const collection = await this.library.open();
    const database = await Database.open();
    try {
      await loadCollection(database, collection);
    } catch (caught) {
      database.close();
      throw caught;
    }
    const { source, files, register } = collection;
    return { database, source, files, songs: register.songs, sharedTitles: register.sharedTitles() };
  }
}

export const ENGINE = token<Engine>("music-gateway/engine");
