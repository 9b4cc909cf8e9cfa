import { decodeText, readRecords } from "./csv.ts";
import type { Day, DayRange } from "./day.ts";
import { addDays, addMonths } from "./day.ts";
import { EXPORT_KINDS, rowsOf, sniffKind, type KindName } from "./export-kinds.ts";
import type { Fact, RefusedRow } from "./facts.ts";

/** The most bytes of one export, 64 MiB. */
export const MAX_EXPORT_BYTES = 67_108_864;

/** A file that was read. `window` is the days its dated rows cover; a statement's months count as whole months. */
export interface ExportFile {
  readonly name: string;
  readonly kind: KindName;
  readonly rows: number;
  readonly facts: readonly Fact[];
  readonly refused: readonly RefusedRow[];
  readonly window: DayRange | undefined;
}

/** Reads the bytes of one file, or says in one sentence why they are no export that is known here. */
export function readExport(name: string, bytes: Uint8Array): ExportFile | string {
  const [header, ...records] = readRecords(decodeText(bytes));
  if (header === undefined) return "The file is empty.";
  const kind = sniffKind(header);
  if (kind === undefined) {
    const known = EXPORT_KINDS.map(({ title }) => title).join(", ");
    return `The columns "${clipped(header)}" belong to no kind that is known here (${known}).`;
  }
  const { facts, refused } = kind.read(rowsOf(header, records), name);
  if (facts.length === 0) {
    return `It is a ${kind.title}, but ${refused[0] === undefined ? "has no rows" : `no row can be read: ${refused[0].reason}`}.`;
  }
  return { name, kind: kind.name, rows: facts.length, facts, refused, window: windowOf(facts) };
}

function windowOf(facts: readonly Fact[]): DayRange | undefined {
  let from: Day | undefined;
  let to: Day | undefined;
  for (const fact of facts) {
    if (fact.of === "snapshot-song" || fact.of === "video") continue;
    const first = fact.of === "sale" ? fact.month : fact.date;
    const last = fact.of === "sale" ? addDays(addMonths(fact.month, 1), -1) : fact.date;
    if (from === undefined || first < from) from = first;
    if (to === undefined || last > to) to = last;
  }
  return from === undefined || to === undefined ? undefined : { from, to };
}

function clipped(header: readonly string[]): string {
  const columns = header
    .join(", ")
    .replaceAll(/[\p{Cc}\uFEFF]/gu, "")
    .trim();
  return columns.length > 200 ? `${columns.slice(0, 200)}...` : columns;
}
