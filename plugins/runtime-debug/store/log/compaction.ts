import { Buffer } from "node:buffer";
import type { Journal, JournalReader } from "skillctl";
import { copy, lastLineStart, lineAt, lineStart } from "./file-scan.ts";
import { gapLine, gapOf, merged, type GapCount } from "./gap-line.ts";
import { LONGEST_LINE_BYTES, objectOf } from "./line-text.ts";

/** What is left out of a log, and what stands in its place. */
export interface Cut {
  readonly from: number;
  readonly to: number;
  readonly line: string;
}

/** What is asked of a log that has become too large. */
export interface TooLarge {
  readonly reader: JournalReader;
  /** How much of it is looked at. */
  readonly bytes: number;
  /** About so many bytes of its beginning stay, and so many of its end. */
  readonly keep: number;
  readonly at: number;
  /** Where the line of an older gap begins. */
  readonly gapAt: number | undefined;
  /** The events of a stretch, by key; without those that older gaps left out. */
  readonly counts: (from: number, to: number) => readonly GapCount[];
}

/** Chooses whole lines in the middle, an older gap among them; `undefined` when too little would go. */
export async function chosenCut({
  reader,
  bytes,
  keep,
  at,
  gapAt,
  counts,
}: TooLarge): Promise<Cut | undefined> {
  const gapText = gapAt === undefined ? "" : (await lineAt(reader, gapAt, LONGEST_LINE_BYTES)).toString();
  const older = gapOf(gapText);
  const first = await lineStart(reader, keep, bytes);
  const last = await lineStart(reader, bytes - keep, bytes);
  const from = older ? Math.min(first, gapAt ?? 0) : first;
  const to = older ? Math.max(last, (gapAt ?? 0) + Buffer.byteLength(gapText) + 1) : last;
  if (to <= from) return undefined;
  const rows = counts(from, to);
  const fresh = {
    events: rows.reduce((sum, row) => sum + row[4], 0),
    bytes: to - from - (older ? Buffer.byteLength(gapText) + 1 : 0),
    fromSeq: firstSeq(await textAt(reader, from)),
    toSeq: lastSeq(await textAt(reader, await lastLineStart(reader, to - 1))),
    counts: rows,
  };
  const line = gapLine(older ? merged([older, fresh]) : fresh, at, Math.max(512, keep / 4));
  // A log of a few huge lines would be rewritten for nothing.
  return Buffer.byteLength(line) * 2 < to - from ? { from, to, line } : undefined;
}

/** Writes the log without what is cut out, as far as `bytes`, into an empty journal. */
export async function writeCut(
  reader: JournalReader,
  cut: Cut,
  bytes: number,
  target: Journal,
  copied?: () => void,
): Promise<void> {
  await copy(reader, 0, cut.from, target, copied);
  await target.append(cut.line);
  await copy(reader, cut.to, bytes, target, copied);
}

async function textAt(reader: JournalReader, offset: number): Promise<string> {
  return (await lineAt(reader, offset, LONGEST_LINE_BYTES)).toString();
}

function firstSeq(line: string): number {
  return gapOf(line)?.fromSeq ?? seqOf(line);
}

function lastSeq(line: string): number {
  return gapOf(line)?.toSeq ?? seqOf(line);
}

function seqOf(line: string): number {
  const seq = objectOf(line)?.["_seq"];
  return typeof seq === "number" ? seq : 0;
}
