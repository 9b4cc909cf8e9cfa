import { inject, injectable, token } from "skillctl";
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
  /** The newest last. The one before stays open for answers that are under way; older ones are closed. */
  #opened: readonly Opened[] = [];
  #turn: Promise<unknown> = Promise.resolve();

  constructor(@inject(LIBRARY) private readonly library: Library) {}

  /** What answers now. @throws SkillError `OPTIONAL_MISSING`, `GATEWAY_STATE_BROKEN`, `FILE_UNREADABLE`. */
  async holdings(): Promise<Holdings> {
    const turn = this.#turn.then(() => this.#refreshed());
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** The Markdown answer; undefined when no song has that id. */
  async answer(question: string, songId: number | undefined): Promise<string | undefined> {
    const holdings = await this.holdings();
    const song = holdings.songs.find(({ id }) => id === songId);
    if (songId !== undefined && song === undefined) return undefined;
    return answerTo(question, song, holdings);
  }

  async knows(songId: number): Promise<boolean> {
    return (await this.holdings()).songs.some(({ id }) => id === songId);
  }

  /** The days with figures. */
  async coverage(): Promise<DayRange | undefined> {
    return dailyCoverage((await this.holdings()).database);
  }

  async close(): Promise<void> {
    await this.#turn;
    for (const { holdings } of this.#opened) holdings.database.close();
    this.#opened = [];
  }

  async #refreshed(): Promise<Holdings> {
    const fingerprint = (await this.library.importedNames()).join("\n");
    const current = this.#opened.at(-1);
    if (current?.fingerprint === fingerprint) return current.holdings;
    const holdings = await this.#built();
    for (const old of this.#opened.slice(0, -1)) old.holdings.database.close();
    this.#opened = [...this.#opened.slice(-1), { fingerprint, holdings }];
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
