import { basename, join } from "node:path";
import type { Clock, Durability, Files, Journals } from "skillctl";
import type { Rejection } from "../event/event-writer.ts";
import { lastLineStart, linesBetween, ownLine, type LogSource } from "./log-lines.ts";

/** A segment in the folder. */
interface SegmentPath {
  readonly number: number;
  readonly path: string;
}

/** Chooses the segments of a log to read. */
export type Choice = (paths: readonly SegmentPath[]) => readonly SegmentPath[];

/** Files of a log that are open for reading, as a snapshot. */
export interface OpenLog {
  /** Oldest first, the visible one last. */
  readonly sources: readonly LogSource[];
  readonly close: () => Promise<void>;
}

/** The files of a session's log, all in one folder; the id must have been checked. */
export class LogFiles {
  /** The segment that is being written. */
  readonly visible: string;
  /** The new text that will replace it. */
  readonly unfinished: string;
  readonly rejected: string;

  constructor(
    readonly journals: Journals,
    readonly files: Files,
    readonly folder: string,
    readonly session: string,
  ) {
    this.visible = join(folder, `svc-debug-log-${session}.ndjson`);
    this.unfinished = `${this.visible}.new`;
    this.rejected = join(folder, `svc-debug-rejected-${session}.ndjson`);
  }

  /** An earlier segment, from 1. */
  earlier(number: number): string {
    return join(this.folder, `svc-debug-log-${this.session}.${number}.ndjson`);
  }

  /** The place for a file that another program has put in the place of the log. */
  aside(number: number): string {
    return join(this.folder, `svc-debug-aside-${this.session}.${number}.ndjson`);
  }

  /** The numbers of the earlier segments in the folder, ascending. */
  async earlierNumbers(): Promise<readonly number[]> {
    return segmentNumbers((await this.files.list(this.folder)) ?? [], this.session);
  }

  /**
   * Opens the files, with or without a running server. Renaming them later has no effect. @param
   * lasting the durable bytes of the visible one, known to a server; default: all @throws SkillError
   * `FILE_UNREADABLE`, `STORAGE_UNSAFE`, and errors of `choose`
   */
  async open(choose: Choice, lasting = Number.POSITIVE_INFINITY): Promise<OpenLog> {
    const sources: LogSource[] = [];
    const close = async (): Promise<void> => {
      for (const { reader } of sources) await reader.close();
    };
    try {
      for (const { number, path } of choose(await this.#segments())) {
        const reader = await this.journals.openToRead(path);
        if (!reader) continue;
        const end = path === this.visible ? Math.min(reader.bytes, lasting) : reader.bytes;
        sources.push({ number, reader, end });
      }
      return { sources, close };
    } catch (caught) {
      await close();
      throw caught;
    }
  }

  /**
   * Opens them while they are read.
   * @returns `undefined` when the session has no log there
   * @throws SkillError as `open` does
   */
  async read<T>(
    read: (sources: readonly LogSource[]) => Promise<T>,
    choose: Choice = (paths) => paths,
  ): Promise<T | undefined> {
    if ((await this.#segments()).length === 0) return undefined;
    const { sources, close } = await this.open(choose);
    try {
      return await read(sources);
    } finally {
      await close();
    }
  }

  /** The number of rejected bodies in the side file. */
  async rejectedCount(): Promise<number> {
    const reader = await this.journals.openToRead(this.rejected);
    if (!reader) return 0;
    try {
      let count = 0;
      for await (const lines of linesBetween(reader, 0, reader.bytes))
        count += lines.filter(({ event }) => event?.["code"] !== undefined).length;
      return count;
    } finally {
      await reader.close();
    }
  }

  async #segments(): Promise<readonly SegmentPath[]> {
    const names = (await this.files.list(this.folder)) ?? [];
    const numbers = segmentNumbers(names, this.session);
    const earlier = numbers.map((number) => ({ number, path: this.earlier(number) }));
    if (!names.includes(basename(this.visible))) return earlier;
    return [...earlier, { number: (numbers.at(-1) ?? 0) + 1, path: this.visible }];
  }
}

/** The numbers of earlier segments among the names in a folder, ascending. */
export function segmentNumbers(names: readonly string[], session: string): readonly number[] {
  const start = `svc-debug-log-${session}.`;
  return names
    .filter((name) => name.startsWith(start) && /^[1-9]\d{0,8}\.ndjson$/.test(name.slice(start.length)))
    .map((name) => Number.parseInt(name.slice(start.length), 10))
    .sort((a, b) => a - b);
}

/** Rejected bodies beyond this are only counted, as long as the process runs. */
const MOST_BYTES = 4 * 1024 * 1024;

/** The side file (docs/runtime-debug.md, section Files): rejected bodies, one line each. */
export class RejectedFile {
  #last: Promise<unknown> = Promise.resolve();
  #count: number;

  private constructor(
    private readonly log: LogFiles,
    private readonly clock: Clock,
    private readonly durability: Durability,
    count: number,
  ) {
    this.#count = count;
  }

  /** @throws SkillError as `Journals.openToRead` does */
  static async open(log: LogFiles, clock: Clock, durability: Durability): Promise<RejectedFile> {
    return new RejectedFile(log, clock, durability, await log.rejectedCount());
  }

  /**
   * The number of rejections since the last purge, including those since the start that were not stored for lack of
   * room.
   */
  get count(): number {
    return this.#count;
  }

  /**
   * Stores a rejection, and resolves once it is durable. @throws SkillError as `Journals.open` and `Journal.append` do;
   * then it does not count.
   */
  add({ code, sentence: reason, text }: Rejection): Promise<void> {
    const line = ownLine({ _at: this.clock.now(), code, reason, text });
    return this.#inTurn(async () => {
      await this.#append(line);
      this.#count += 1;
    });
  }

  /** Removes all of them. */
  clear(): Promise<void> {
    return this.#inTurn(async () => {
      await this.log.files.remove(this.log.rejected);
      this.#count = 0;
    });
  }

  /** Waits for pending writes. */
  async close(): Promise<void> {
    await this.#last;
  }

  #inTurn(action: () => Promise<void>): Promise<void> {
    const done = this.#last.then(action);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #append(line: string): Promise<void> {
    const journal = await this.log.journals.open(this.log.rejected, { durability: this.durability });
    try {
      if (journal.bytes >= MOST_BYTES) return;
      const isWhole = (await lastLineStart(journal, journal.bytes)) === journal.bytes;
      await journal.append(isWhole ? line : `\n${line}`);
    } finally {
      await journal.close();
    }
  }
}
