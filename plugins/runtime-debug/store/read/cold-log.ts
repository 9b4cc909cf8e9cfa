import { Buffer } from "node:buffer";
import { basename } from "node:path";
import type { Files, JournalReader, Journals } from "skillctl";
import type { FileNames } from "../log/file-names.ts";
import { lineStart, scanLines } from "../log/file-scan.ts";
import { LineIndex } from "../log/line-index.ts";
import { rejectedFacts, type RejectedFacts } from "../log/rejected-file.ts";
import type { LogSource } from "./log-source.ts";

/** A purge begins the side file anew: it stands in the first line. */
const PURGE_BYTES = 1024;

export interface ColdPorts {
  readonly journals: Journals;
  readonly files: Files;
}

/** A segment as it lies in the folder. */
export interface ColdPath {
  readonly number: number;
  readonly path: string;
}

/** What is read of a log without its server, whether that runs or not. */
export interface ColdLog {
  /** Oldest first, the visible one last. */
  readonly sources: readonly LogSource[];
  /** Whether that is all, or only the end of the log. */
  readonly isWhole: boolean;
}

/** Which segments are read, and how many bytes from the end of the last; default all. */
export interface ColdPart {
  readonly choose?: (paths: readonly ColdPath[]) => readonly ColdPath[];
  readonly lastBytes?: number;
}

/**
 * Opens a log's files for as long as they are read.
 * @returns `undefined` when the session has no log there
 * @throws SkillError `FILE_UNREADABLE`, `STORAGE_UNSAFE`
 */
export async function readLog<T>(
  ports: ColdPorts,
  names: FileNames,
  read: (log: ColdLog) => Promise<T>,
  { choose = (paths) => paths, lastBytes = Number.POSITIVE_INFINITY }: ColdPart = {},
): Promise<T | undefined> {
  const paths = await segmentPaths(ports, names);
  if (paths.length === 0) return undefined;
  const opened: JournalReader[] = [];
  const sources: LogSource[] = [];
  let [left, isWhole] = [lastBytes, true];
  try {
    for (const { number, path } of choose(paths).toReversed()) {
      isWhole &&= left > 0;
      if (left <= 0) break;
      const reader = await ports.journals.openToRead(path);
      if (!reader) continue;
      opened.push(reader);
      const view = await viewOf(reader, left);
      isWhole &&= view !== undefined;
      sources.unshift({ number, reader, view: view ?? new LineIndex().view() });
      left -= reader.bytes;
    }
    return await read({ sources, isWhole: isWhole && left >= 0 });
  } finally {
    for (const reader of opened) await reader.close();
  }
}

/** The lines that begin in the last so many bytes; `undefined` where only those before them tell their numbers. */
async function viewOf(reader: JournalReader, lastBytes: number): Promise<LogSource["view"] | undefined> {
  const start = await lineStart(reader, Math.max(0, reader.bytes - lastBytes), reader.bytes);
  const index = new LineIndex(start);
  await scanLines(reader, start, (text, bytes) => index.addLine(text, bytes));
  const view = index.view();
  return start > 0 && (view.lines === 0 || view.placeAt(0).seq === 0) ? undefined : view;
}

/** How many bodies the side file says were rejected. */
export async function rejectedCount(ports: ColdPorts, names: FileNames): Promise<number> {
  const { count, more } = await sideFile(ports, names, Infinity);
  return count + more;
}

/** What the side file says in its first bytes. */
async function sideFile({ journals }: ColdPorts, names: FileNames, most: number): Promise<RejectedFacts> {
  const reader = await journals.openToRead(names.rejected);
  try {
    const bytes = (await reader?.read(0, Math.min(most, reader.bytes))) ?? [];
    return rejectedFacts(Buffer.from(bytes).toString());
  } finally {
    await reader?.close();
  }
}

/** As the server counts them: what was removed for good is no segment any more, and its number is not given again. */
async function segmentPaths(ports: ColdPorts, names: FileNames): Promise<readonly ColdPath[]> {
  const listed = (await ports.files.list(names.folder)) ?? [];
  const has = (path: string): boolean => listed.includes(basename(path));
  const { segment } = (await sideFile(ports, names, PURGE_BYTES)).purge;
  const numbers = names.numbers(listed).filter((number) => number >= segment);
  const earlier = numbers.map((number) => ({ number, path: names.earlier(number) }));
  const visible = { number: Math.max(segment, (numbers.at(-1) ?? 0) + 1), path: names.visible };
  return [
    ...(has(names.foreign) ? [{ number: 0, path: names.foreign }] : []),
    ...earlier,
    ...(has(names.visible) ? [visible] : []),
  ];
}
