import { Buffer } from "node:buffer";
import { basename } from "node:path";
import { SkillError, type Files, type JournalReader, type Journals, type Log } from "skillctl";
import { coldView } from "../index/cold-index.ts";
import type { IndexView } from "../index/index-view.ts";
import { LineIndex } from "../index/line-index.ts";
import { scanLog } from "../index/log-scan.ts";
import { SidecarReader } from "../index/sidecar-reader.ts";
import type { FileNames } from "../log/file-names.ts";
import { rejectedFacts, type RejectedFacts } from "../log/rejected-line.ts";
import type { LogSource } from "./log-source.ts";

/** A purge begins the side file anew: it stands in the first line. */
const PURGE_BYTES = 1024;

export interface ColdPorts {
  readonly journals: Journals;
  readonly files: Files;
  readonly log: Log;
}

/** A segment as it lies in the folder. */
export interface ColdPath {
  readonly number: number;
  readonly path: string;
}

/** A log that is read without its server, whether that runs or not. */
export interface ColdLog {
  /** Oldest first, the visible one last. */
  readonly sources: readonly LogSource[];
  readonly close: () => Promise<void>;
}

/**
 * Opens the segments that a question is about, to be read only.
 * @param trusts whether what lies beside a log as its index is believed where it fits
 * @returns `undefined` when the session has no log there
 * @throws SkillError `FILE_UNREADABLE`, `STORAGE_UNSAFE`
 */
export async function openCold(
  ports: ColdPorts,
  names: FileNames,
  choose: (paths: readonly ColdPath[]) => readonly ColdPath[],
  trusts: boolean,
): Promise<ColdLog | undefined> {
  const paths = await segmentPaths(ports, names);
  if (paths.length === 0) return undefined;
  const opened: ColdSegment[] = [];
  const close = async (): Promise<void> => {
    for (const segment of opened) await segment.close();
  };
  try {
    for (const path of choose(paths)) {
      const segment = await openSegment(ports, path, trusts);
      if (segment) opened.push(segment);
    }
  } catch (caught) {
    await close();
    throw caught;
  }
  return { sources: opened.map(({ source }) => source), close };
}

/** How many bodies, or parts of them, the side file says were rejected. */
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

interface ColdSegment {
  readonly source: LogSource;
  readonly close: () => Promise<void>;
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

async function openSegment(
  ports: ColdPorts,
  { number, path }: ColdPath,
  trusts: boolean,
): Promise<ColdSegment | undefined> {
  // First, so that it does not cover more than is read of the log.
  const sidecar = trusts ? await openSidecar(ports, path) : undefined;
  const reader = await ports.journals.openToRead(path);
  const close = async (): Promise<void> => {
    await sidecar?.close();
    await reader?.close();
  };
  if (!reader) {
    await close();
    return undefined;
  }
  try {
    const view = (sidecar && (await coldView(sidecar, reader))) ?? (await scanned(reader));
    return { source: { number, reader, view }, close };
  } catch (caught) {
    await close();
    throw caught;
  }
}

async function openSidecar({ journals, log }: ColdPorts, path: string): Promise<SidecarReader | undefined> {
  try {
    return await SidecarReader.open(journals, path);
  } catch (caught) {
    if (!(caught instanceof SkillError)) throw caught;
    log.detail(`The index of ${path} is not used: ${caught.message}`);
    return undefined;
  }
}

async function scanned(reader: JournalReader): Promise<IndexView> {
  const lines = new LineIndex();
  await scanLog(reader, 0, (facts, length) => lines.addLine(facts, length));
  return lines.view();
}
