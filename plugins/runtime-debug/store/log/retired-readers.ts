import type { JournalReader, Log } from "skillctl";

/** So many stay open. */
export const MOST_RETIRED = 4;

/** Readers of files that have been replaced: the latest ones stay open for answers under way. */
export class RetiredReaders {
  readonly #log: Log;
  #readers: readonly JournalReader[] = [];

  constructor(log: Log) {
    this.#log = log;
  }

  add(reader: JournalReader): void {
    const all = [...this.#readers, reader];
    this.#readers = all.slice(-MOST_RETIRED);
    // A reader that nothing depends on any more; that its file could not be closed changes no answer.
    for (const old of all.slice(0, -MOST_RETIRED)) void old.close().catch(this.#log.detail);
  }

  async close(): Promise<void> {
    for (const reader of this.#readers) await reader.close();
  }
}
