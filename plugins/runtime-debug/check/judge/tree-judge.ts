import type { TextLine } from "../../regions/lines.ts";
import { markerIn } from "../../regions/marker.ts";
import { type Found, type Region, regionsIn } from "../../regions/regions.ts";
import { without } from "../../regions/strip.ts";
import type { Language } from "../../probes/languages.ts";
import { type SyntaxNode, embeds, parse } from "../../syntax/syntax.ts";
import type { Fault } from "../finding.ts";
import { bodyFaults } from "./body.ts";
import { ownLinesIn, ownProbeIn } from "./own-probe.ts";
import { type Extent, holdersOf, piecesIn, shapeOf } from "./places.ts";
import { extentsOf, isMarkerComment, placeFaults } from "./structure.ts";
import { textFaults } from "./text-judge.ts";

/** The regions of a text and what is wrong with them, and with markers that are none. */
export interface Judged {
  readonly found: Found;
  readonly faults: readonly Fault[];
}

/** Judges the regions of a text on its syntax tree; `undefined` when it has none. */
export async function judgeByTree(
  language: Language,
  text: string,
  lines: readonly TextLine[],
): Promise<Judged | undefined> {
  using tree = await parse(language, text);
  if (!tree) return undefined;
  const starts = startsOf(lines);
  const outside = embeds(language) ? blankLines(lines, tree.root, starts) : new Set<number>();
  const { found, faults } = markersIn(lines, starts, tree.root, outside);
  if (found.faults.length > 0) return { found, faults };
  const extents = extentsOf(starts, found.regions);
  for (const [index, region] of found.regions.entries()) {
    const extent = extents[index];
    if (!extent) continue;
    if (outside.has(region.first)) faults.push(...(await textFaults(language, lines, region)));
    else faults.push(...(await regionFaults(language, lines, region, extent, tree.root, extents)));
  }
  // Shapes are compared when everything else is in order: a fault of the place says it better.
  const plain =
    faults.length === 0 ? await shapeFaults(language, lines, found.regions, tree.root, extents) : [];
  return { found, faults: [...faults, ...plain] };
}

async function regionFaults(
  language: Language,
  lines: readonly TextLine[],
  region: Region,
  extent: Extent,
  root: SyntaxNode,
  regions: readonly Extent[],
): Promise<readonly Fault[]> {
  const pieces = piecesIn(root, extent, holdersOf(language));
  const line = pieces[0]?.node.startPosition.row ?? region.first;
  const own = ownProbeIn(language, lines, region);
  // What a file needs at its top stands where no statement can.
  const place = own?.hypothesis === "" ? [] : placeFaults(language, pieces, line, regions, own !== undefined);
  if (place.some(({ code }) => code === "does-not-parse" || code === "misplaced")) return place;
  const probes = own ? new Map([[line, own]]) : ownLinesIn(language, lines, region);
  const faults = [...place];
  if (own) return faults;
  // What somebody wrote beside a probe of ours is judged without it, so that the guilty line is named.
  const rest = pieces.filter(({ node: { startPosition, endPosition } }) => {
    return !probes.has(startPosition.row) || endPosition.row !== startPosition.row;
  });
  if (rest.length > 0 || probes.size === 0)
    faults.push(...bodyFaults(language, rest, extent, rest[0]?.node.startPosition.row ?? line, probes.size));
  return faults;
}

/** A region that changes what the code around it is. */
async function shapeFaults(
  language: Language,
  lines: readonly TextLine[],
  regions: readonly Region[],
  root: SyntaxNode,
  extents: readonly Extent[],
): Promise<readonly Fault[]> {
  if (regions.length === 0) return [];
  using rest = await parse(language, without(lines, regions));
  if (!rest || shapeOf(rest.root, []) === shapeOf(root, extents)) return [];
  const sentence = "Without its regions the code around them would be another.";
  return [{ line: regions[0]?.first ?? 0, code: "misplaced", sentence }];
}

function markersIn(
  lines: readonly TextLine[],
  starts: readonly number[],
  root: SyntaxNode,
  outside: ReadonlySet<number>,
): { readonly found: Found; readonly faults: Fault[] } {
  const inText = new Set<number>();
  for (const [line, { text }] of lines.entries()) {
    if (outside.has(line) || !markerIn(text)) continue;
    const start = (starts[line] ?? 0) + text.length - text.trimStart().length;
    if (!isMarkerComment(root, start, (starts[line] ?? 0) + text.trimEnd().length)) inText.add(line);
  }
  const faults: Fault[] = [...inText]
    .filter((line) => markerIn(lines[line]?.text ?? "")?.kind === "begin")
    .map((line) => ({
      line,
      code: "marker-in-text",
      sentence: "This marker is no comment: it marks nothing.",
    }));
  return { found: regionsIn(lines, (line) => !inText.has(line)), faults };
}

/** Lines of a page that are in no script. */
function blankLines(
  lines: readonly TextLine[],
  root: SyntaxNode,
  starts: readonly number[],
): ReadonlySet<number> {
  const blank = new Set<number>();
  for (const [line, { text }] of lines.entries()) {
    const start = (starts[line] ?? 0) + text.length - text.trimStart().length;
    const node = root.descendantForIndex(start, start);
    if (!node || node.startIndex !== start || node.parent === null) blank.add(line);
  }
  return blank;
}

function startsOf(lines: readonly TextLine[]): readonly number[] {
  const starts = [0];
  for (const { text, end } of lines) starts.push((starts.at(-1) ?? 0) + text.length + end.length);
  return starts;
}
