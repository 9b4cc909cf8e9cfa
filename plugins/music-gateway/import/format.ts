import { SkillError, quotedName } from "skillctl";
import { FORMATS, type Format, type Layout, type Mapping } from "./formats.ts";
import { headerLinesOf, type HeaderLine } from "./header-lines.ts";
import {
  MAPPED_FORMATS,
  cellsShown,
  columnsShown,
  guessedMapping,
  hasColumns,
  keyOf,
  mapOption,
  mappedLayout,
} from "./mapping.ts";
import { carriesMeaning } from "./meanings.ts";

/** The format of a kind of imported file. */
export function formatOf(kind: string | null): Format | undefined {
  return [...FORMATS, ...MAPPED_FORMATS].find((format) => format.kind === kind);
}

/** Mappings for tables that match no known format. */
export interface Mappings {
  /** The mapping with which a kept file was read. */
  readonly own?: Mapping | undefined;
  /** The value of `--map`. */
  readonly option?: string | undefined;
  /** The mappings of earlier imports. */
  readonly kept?: readonly Mapping[];
}

/**
 * Finds the format of UTF-8 text by its columns, never by the file's name; a table without a known format is read by its mapping, or
 * by its column names if these are unambiguous. `file` is its path, for the command in a refusal.
 * @throws SkillError `GATEWAY_FILE_UNKNOWN` if nothing fits, or a significant column has no place in the format.
 */
export function layoutOf(bytes: Uint8Array, mappings: Mappings = {}, file = "FILE"): Layout {
  const lines = headerLinesOf(bytes);
  if (mappings.own !== undefined) return mappedLayout(lines, mappings.own);
  let refused: string | undefined;
  for (const line of lines) {
    const [best] = FORMATS.map((format) => fitted(format, line.names))
      .filter((fit) => fit !== undefined)
      .toSorted((left, right) => Object.keys(right.columns).length - Object.keys(left.columns).length);
    if (best === undefined) continue;
    const { cells, names, ...place } = line;
    const unplaced = names.findIndex((_, index) => isUnplaced(line, index, best));
    if (unplaced < 0) return { ...best, ...place, width: cells.length };
    const { title, download } = best.format;
    refused ??= `Its column ${quotedName(cells[unplaced]?.trim() ?? "")} is not part of the format ${title}, and figures would be wrong without it. ${download}`;
  }
  const { option, kept = [] } = mappings;
  const known = kept.find((mapping) => lines.some((line) => keyOf(line) === mapping.header));
  const other = known ?? (refused === undefined ? guessedMapping(lines) : undefined);
  // With several files, --map only applies to those that have its columns.
  if (option !== undefined && (other === undefined || hasColumns(lines, option)))
    return mappedLayout(lines, { columns: option });
  if (other !== undefined) return mappedLayout(lines, other);
  throw new SkillError("GATEWAY_FILE_UNKNOWN", `${refused ?? nearestOf(lines)}${mapOption(lines, file)}`, {
    hint: "docs/music-gateway.md lists the exports that can be read.",
  });
}

/** The number of cells in a header line that are known column names. */
export function knownCells(text: string): number {
  const lines = headerLinesOf(new TextEncoder().encode(text.slice(0, 8192)));
  return Math.max(0, ...lines.map(({ names }) => names.filter((name) => isKnown(name)).length));
}

type Fit = Pick<Layout, "format" | "columns" | "currency">;

function fitted(format: Format, names: readonly string[]): Fit | undefined {
  const { columns, currency } = placed(format, names);
  if (lackingIn(format, columns).length > 0) return undefined;
  if (format.closed === true && names.filter((name) => name !== "").length > Object.keys(columns).length)
    return undefined;
  if (names.some((name) => format.without.has(name))) return undefined;
  if (format.either?.every((name) => columns[name] === undefined) === true) return undefined;
  return { format, columns, currency: currency ?? format.constants?.["currency"] };
}

function placed(format: Format, names: readonly string[]): Pick<Layout, "columns" | "currency"> {
  const columns: Record<string, number> = {};
  let currency: string | undefined;
  for (const [name, { match }] of Object.entries(format.columns)) {
    const index = names.findIndex((cell) => match(cell) !== undefined);
    if (index < 0) continue;
    columns[name] = index;
    currency ??= match(names[index] ?? "")?.currency;
  }
  return { columns, currency };
}

/** The columns that a format requires and that a file lacks. */
function lackingIn(format: Format, columns: Readonly<Record<string, number>>): readonly string[] {
  return Object.entries(format.columns)
    .filter(([name, { mayLack }]) => columns[name] === undefined && !mayLack)
    .map(([, { label }]) => label);
}

/** Whether a column is significant, but the format neither reads nor ignores it. */
function isUnplaced({ cells, names }: HeaderLine, index: number, { format, columns }: Fit): boolean {
  if (Object.values(columns).includes(index) || format.isIgnored(names[index] ?? "")) return false;
  return carriesMeaning(cells[index] ?? "");
}

function isKnown(name: string): boolean {
  return name !== "" && FORMATS.some((format) => Object.keys(placed(format, [name]).columns).length > 0);
}

/** Names the columns of the file, and the closest format with its other columns. */
function nearestOf(lines: readonly HeaderLine[]): string {
  const candidates = lines.flatMap(({ cells, names }) =>
    FORMATS.map((format) => {
      const { columns } = placed(format, names);
      return { format, cells, count: Object.keys(columns).length, lacking: lackingIn(format, columns) };
    }),
  );
  const [best] = candidates.toSorted(
    (left, right) => right.count - left.count || left.lacking.length - right.lacking.length,
  );
  if (best === undefined || best.count < 2) {
    const shown = columnsShown(lines);
    return `No known format matches its columns${shown}.${shown === "" ? " `--map` assigns the columns of other tables." : ""}`;
  }
  const { format, cells, lacking } = best;
  const lacks = lacking.length === 0 ? "has other columns" : `also has ${lacking.join(", ")}`;
  return `Its columns are ${cellsShown(cells)}. The closest format is the ${format.title}, which ${lacks}. ${format.download}`;
}
