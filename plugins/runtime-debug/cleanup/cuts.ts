import { linesOf, textOf, type TextLine } from "../regions/lines.ts";
import { regionsIn, type Found, type MarkerFault, type Region } from "../regions/regions.ts";
import { replacedBy } from "../regions/strip.ts";
import type { Range } from "./hunks.ts";

const BYTE_ORDER_MARK = "\uFEFF";

/** A line that stays, with its number in the text as it is now, from 0. */
export interface KeptLine extends TextLine {
  readonly line: number;
}

/** A region that goes, and what of the code before comes back in its place. */
export interface Cut {
  readonly region: Region;
  readonly markers: readonly [string, string];
  /** Lines between the markers. */
  readonly body: readonly TextLine[];
  readonly restored: readonly TextLine[];
  /** Whether it is of another session that is under way: all of it is restored. */
  readonly isOthers?: true;
}

/** Whether a region, with the text between its markers, is of another session that is under way. */
export type IsOthers = (region: Region, lines: readonly TextLine[]) => boolean;

/** A text whose regions are to go: lines that stay and regions, in order. */
export interface CutText {
  /** What stands in front of the first line: the byte order mark, or nothing. */
  readonly mark: string;
  readonly pieces: readonly (KeptLine | Cut)[];
  readonly faults: readonly MarkerFault[];
  /** Whether the text ends within a region, without a line end. */
  readonly endsBare: boolean;
}

/**
 * Takes the regions out that did not stand in the text before, line by line the same, and are not of others. `found`
 * leaves the byte order mark out.
 */
export function cutText(
  text: string,
  { regions, faults }: Found,
  before: string,
  isOthers: IsOthers = () => false,
): CutText {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const lines = linesOf(text.slice(mark.length));
  const own = unknownRegions(lines, regions, before);
  const pieces: (KeptLine | Cut)[] = [];
  let line = 0;
  const keepTo = (end: number): void => {
    for (; line < end; line += 1) pieces.push({ text: "", end: "", ...lines[line], line });
  };
  for (const region of own) {
    keepTo(region.first);
    const { first, last } = region;
    const markers = [lines[first]?.text ?? "", lines[last]?.text ?? ""] as const;
    const piece = { region, markers, body: lines.slice(first + 1, last) };
    const replaced = replacedBy(lines, region);
    if (!isOthers(region, lines)) pieces.push({ ...piece, restored: replaced ? [replaced] : [] });
    else pieces.push({ ...piece, restored: lines.slice(first, last + 1), isOthers: true });
    line = region.last + 1;
  }
  keepTo(lines.length);
  const final = pieces.at(-1);
  const endsBare = final !== undefined && "region" in final && !final.isOthers && lines.at(-1)?.end === "";
  return { mark, pieces, faults, endsBare };
}

/** The regions that go. */
export function cutsOf({ pieces }: CutText): readonly Cut[] {
  return pieces.filter((piece) => "region" in piece).filter(({ isOthers }) => isOthers !== true);
}

/** The same without the regions of other sessions. */
export function withoutOthers(cut: CutText): CutText {
  const pieces = cut.pieces.filter((piece) => !("region" in piece) || piece.isOthers !== true);
  return pieces.length === cut.pieces.length ? cut : { ...cut, pieces };
}

/** The lines without the regions, with what is restored in their places. */
export function remaining({ pieces }: CutText): readonly (TextLine & { readonly line?: number })[] {
  return pieces.flatMap((piece) => ("region" in piece ? piece.restored : [piece]));
}

/** Where the regions were among the remaining lines: from where to where what is restored stands. */
export function placesOf({ pieces }: CutText): ReadonlyMap<Cut, Range> {
  const places = new Map<Cut, Range>();
  let from = 0;
  for (const piece of pieces) {
    const to = from + ("region" in piece ? piece.restored.length : 1);
    if ("region" in piece) places.set(piece, { from, to });
    from = to;
  }
  return places;
}

/** The text that remains. A line end that only a region at the end has needed goes with it. */
export function remainingText(cut: CutText): string {
  const lines = remaining(cut);
  const text = cut.mark + textOf(lines);
  return cut.endsBare ? text.replace(/(?:\r\n|\r|\n)$/, "") : text;
}

export function withoutLines(cut: CutText, gone: ReadonlySet<number>): CutText {
  return { ...cut, pieces: cut.pieces.filter((piece) => "region" in piece || !gone.has(piece.line)) };
}

export function withRestored(cut: CutText, restored: ReadonlyMap<Cut, readonly TextLine[]>): CutText {
  const pieces = cut.pieces.map((piece) =>
    "region" in piece ? { ...piece, restored: restored.get(piece) ?? piece.restored } : piece,
  );
  return { ...cut, pieces };
}

function unknownRegions(
  lines: readonly TextLine[],
  regions: readonly Region[],
  before: string,
): readonly Region[] {
  const known = new Map<string, number>();
  const earlier = linesOf(before);
  for (const region of regionsIn(earlier).regions) {
    const same = regionText(earlier, region);
    known.set(same, (known.get(same) ?? 0) + 1);
  }
  return regions.filter((region) => {
    const same = regionText(lines, region);
    const left = known.get(same) ?? 0;
    known.set(same, left - 1);
    return left <= 0;
  });
}

function regionText(lines: readonly TextLine[], { first, last }: Region): string {
  return lines
    .slice(first, last + 1)
    .map(({ text }) => text)
    .join("\n");
}
