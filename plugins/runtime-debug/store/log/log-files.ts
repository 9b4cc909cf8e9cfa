import { basename, join } from "node:path";
import type { Files, Journals } from "skillctl";
import { bytesAt, type LogSource, type Mark } from "./log-lines.ts";
import { rejectedFacts, type RejectedFacts } from "./rejected-file.ts";

/** What the name of a file ends in that is written to take a log's place. */
export const UNFINISHED = ".new";

/** Where the files of a session lie, all in one folder; the id is one that has been checked. */
export class FileNames {
  readonly folder: string;
  /** The segment that is being written. */
  readonly visible: string;
  readonly rejected: string;
  readonly #session: string;

  constructor(folder: string, session: string) {
    this.folder = folder;
    this.#session = session;
    this.visible = join(folder, `svc-debug-log-${session}.ndjson`);
    this.rejected = join(folder, `svc-debug-rejected-${session}.ndjson`);
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

/** A purge begins the side file anew: it stands in the first line. */
const PURGE_BYTES = 1024;

export interface ReadPorts {
  readonly journals: Journals;
  readonly files: Files;
}

/** A segment as it lies in the folder. */
export interface SegmentPath {
  readonly number: number;
  readonly path: string;
}

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
  choose: (paths: readonly SegmentPath[]) => readonly SegmentPath[],
  live?: LiveFile,
): Promise<OpenLog> {
  const sources: LogSource[] = [];
  const close = async (): Promise<void> => {
    for (const { reader } of sources.splice(0)) await reader.close();
  };
  try {
    for (const { number, path } of choose(await segmentPaths(ports, names))) {
      const reader = await ports.journals.openToRead(path);
      if (!reader) continue;
      const known = path === live?.path ? live : { bytes: reader.bytes, marks: [] };
      sources.push({ number, reader, end: Math.min(reader.bytes, known.bytes), marks: known.marks });
    }
    return { sources: [...sources], close };
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
  choose: (paths: readonly SegmentPath[]) => readonly SegmentPath[] = (paths) => paths,
): Promise<T | undefined> {
  if ((await segmentPaths(ports, names)).length === 0) return undefined;
  const log = await openLog(ports, names, choose);
  try {
    return await read(log);
  } finally {
    await log.close();
  }
}

/** How many bodies the side file says were rejected. */
export async function rejectedCount(ports: ReadPorts, names: FileNames): Promise<number> {
  return (await sideFile(ports, names, Infinity)).count;
}

/** What the side file says in its first bytes. */
async function sideFile({ journals }: ReadPorts, names: FileNames, most: number): Promise<RejectedFacts> {
  const reader = await journals.openToRead(names.rejected);
  try {
    const bytes = reader && (await bytesAt(reader, 0, Math.min(most, reader.bytes)));
    return rejectedFacts(bytes?.toString() ?? "");
  } finally {
    await reader?.close();
  }
}

/** As the server counts them: what was removed for good is no segment any more, and its number is not given again. */
async function segmentPaths(ports: ReadPorts, names: FileNames): Promise<readonly SegmentPath[]> {
  const listed = (await ports.files.list(names.folder)) ?? [];
  const has = (path: string): boolean => listed.includes(basename(path));
  const { segment } = (await sideFile(ports, names, PURGE_BYTES)).purge;
  const numbers = names.numbers(listed).filter((number) => number >= segment);
  const earlier = numbers.map((number) => ({ number, path: names.earlier(number) }));
  const visible = { number: Math.max(segment, (numbers.at(-1) ?? 0) + 1), path: names.visible };
  return [...earlier, ...(has(names.visible) ? [visible] : [])];
}
