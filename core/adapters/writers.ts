/** Number of writers in a list of marks. A superseded writer finds its mark there unless this many others have written. */
const MOST_WRITERS = 64;

/** Marks the versions of a process: `<writer>:<number>`. */
export class Writer {
  #name: string | undefined;

  /** The mark of a version. */
  mark(number: number): string {
    // Not imported: see standard-streams.ts.
    this.#name ??= process.getBuiltinModule("node:crypto").randomBytes(8).toString("hex");
    return `${this.#name}:${number}`;
  }

  /** The last mark of each of the most recent writers, newest first, after this writer has added `mark`. */
  added(mark: string, before: readonly string[]): readonly string[] {
    return [mark, ...before.filter((one) => !one.startsWith(`${this.#name}:`))].slice(0, MOST_WRITERS);
  }
}

/** Serialises work: an action for a key begins when the previous one has ended. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(key) ?? Promise.resolve()).then(work);
    const over = turn
      .catch(() => undefined)
      .finally(() => {
        if (this.#last.get(key) === over) this.#last.delete(key);
      });
    this.#last.set(key, over);
    return turn;
  }
}
