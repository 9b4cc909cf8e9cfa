import { join } from "node:path";

/** Where the files of a session lie, all in one folder; the id is one that has been checked. */
export class FileNames {
  readonly folder: string;
  /** The segment that is being written. */
  readonly visible: string;
  readonly rejected: string;
  /** What another tool with the same habits has written; read, never changed. */
  readonly foreign: string;
  readonly #session: string;

  constructor(folder: string, session: string) {
    this.folder = folder;
    this.#session = session;
    this.visible = join(folder, `svc-debug-log-${session}.ndjson`);
    this.rejected = join(folder, `svc-debug-rejected-${session}.ndjson`);
    this.foreign = join(folder, `trae-debug-log-${session}.ndjson`);
  }

  /** An earlier segment, from 1. */
  earlier(number: number): string {
    return join(this.folder, `svc-debug-log-${this.#session}.${number}.ndjson`);
  }

  /** A file that somebody else has put in the place of the log: kept beside it. */
  aside(number: number): string {
    return join(this.folder, `svc-debug-aside-${this.#session}.${number}.ndjson`);
  }

  /** The numbers of earlier segments among the names in the folder, ascending. */
  numbers(names: readonly string[]): readonly number[] {
    return numbered(names, `svc-debug-log-${this.#session}.`);
  }

  /** The same of files that were set aside. */
  asides(names: readonly string[]): readonly number[] {
    return numbered(names, `svc-debug-aside-${this.#session}.`);
  }

  /** Paths of files that were to take a log's place, written by a process that was killed. */
  unfinished(names: readonly string[]): readonly string[] {
    const start = `svc-debug-log-${this.#session}.`;
    return names
      .filter((name) => name.startsWith(start) && name.endsWith(`.ndjson${UNFINISHED}`))
      .map((name) => join(this.folder, name));
  }
}

function numbered(names: readonly string[], start: string): readonly number[] {
  return names
    .filter((name) => name.startsWith(start) && /^[1-9]\d{0,8}\.ndjson$/.test(name.slice(start.length)))
    .map((name) => Number.parseInt(name.slice(start.length), 10))
    .sort((a, b) => a - b);
}

/** What the name of a file ends in that is written to take a log's place. */
export const UNFINISHED = ".new";
