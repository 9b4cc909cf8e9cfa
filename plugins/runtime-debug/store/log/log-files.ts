import { basename, join } from "node:path";
import type { Files, Journals } from "skillctl";
import { linesBetween, type LogSource, type Mark } from "./log-lines.ts";

/** Where the files of a session lie, all in one folder; the id is one that has been checked. */
export class FileNames {
  readonly folder: string;
  /** The segment that is being written. */
  readonly visible: string;
  /** What is written to take its place. */
  readonly unfinished: string;
  readonly rejected: string;
  readonly #session: string;

  constructor(folder: string, session: string) {
    this.folder = folder;
    this.#session = session;
    this.visible = join(folder, `svc-debug-log-${session}.ndjson`);
    this.unfinished = `${this.visible}.new`;
    this.rejected = join(folder, `svc-debug-rejected-${session}.ndjson`);
  }

  /** An earlier segment, from 1. */
  earlier(number: number): string {
    return join(this.folder, `svc-debug-log-${this.#session}.${number}.ndjson`);
  }

  /** What somebody else has put in the place of the log: kept beside it. */
  aside(number: number): string {
    return join(this.folder, `svc-debug-aside-${this.#session}.${number}.ndjson`);
  }

  /** The numbers of earlier segments among the names in the folder, ascending. */
  numbers(names: readonly string[]): readonly number[] {
    const start = `svc-debug-log-${this.#session}.`;
    return names
      .filter((name) => name.startsWith(start) && /^[1-9]\d{0,8}\.ndjson$/.test(name.slice(start.length)))
      .map((name) => Number.parseInt(name.slice(start.length), 10))
      .sort((a, b) => a - b);
  }
}

export interface ReadPorts {
  readonly journals: Journals;
  readonly files: Files;
}

/** A segment as it lies in the folder. */
export interface SegmentPath {
  readonly number: number;
  readonly path: string;
}

/** Which segments of a log are to be read. */
export type Choice = (paths: readonly SegmentPath[]) => readonly SegmentPath[];

/** What a server knows of the file that it writes. */
interface LiveFile {
  readonly path: string;
  /** So many bytes last. */
  readonly bytes: number;
  readonly marks: readonly Mark[];
}

/** Files of a log that are open to be read, as they are at one moment. */
export interface OpenLog {
  /** Oldest first, the visible one last. */
  readonly sources: readonly LogSource[];
  readonly close: () => Promise<void>;
}

/**
 * Opens the files of a log, whether its server runs or not. What becomes of their names later changes nothing.
 * @throws SkillError `FILE_UNREADABLE`, `STORAGE_UNSAFE`, and what `choose` throws
 */
export async function openLog(
  ports: ReadPorts,
  names: FileNames,
  choose: Choice,
  live?: LiveFile,
): Promise<OpenLog> {
  const sources: LogSource[] = [];
  const close = async (): Promise<void> => {
    for (const { reader } of sources) await reader.close();
  };
  try {
    for (const { number, path } of choose(await segmentPaths(ports, names))) {
      const reader = await ports.journals.openToRead(path);
      if (!reader) continue;
      const known = path === live?.path ? live : { bytes: reader.bytes, marks: [] };
      sources.push({ number, reader, end: Math.min(reader.bytes, known.bytes), marks: known.marks });
    }
    return { sources, close };
  } catch (caught) {
    await close();
    throw caught;
  }
}

/**
 * Opens a log's files for as long as they are read.
 * @returns `undefined` when the session has no log there
 * @throws SkillError as `openLog` does
 */
export async function readLog<T>(
  ports: ReadPorts,
  names: FileNames,
  read: (log: OpenLog) => Promise<T>,
  choose: Choice = (paths) => paths,
): Promise<T | undefined> {
  if ((await segmentPaths(ports, names)).length === 0) return undefined;
  const log = await openLog(ports, names, choose);
  try {
    return await read(log);
  } finally {
    await log.close();
  }
}

async function segmentPaths(ports: ReadPorts, names: FileNames): Promise<readonly SegmentPath[]> {
  const listed = (await ports.files.list(names.folder)) ?? [];
  const numbers = names.numbers(listed);
  const earlier = numbers.map((number) => ({ number, path: names.earlier(number) }));
  if (!listed.includes(basename(names.visible))) return earlier;
  return [...earlier, { number: (numbers.at(-1) ?? 0) + 1, path: names.visible }];
}

/** How many bodies the side file says were rejected. */
export async function rejectedCount(
  { journals }: Pick<ReadPorts, "journals">,
  names: FileNames,
): Promise<number> {
  const reader = await journals.openToRead(names.rejected);
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
