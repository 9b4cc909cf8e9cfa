import { linesOf, type TextLine } from "../regions/lines.ts";
import { regionsOf } from "./judge-file.ts";

/** A line of a file; lines count from 1. */
interface PlacedLine extends TextLine {
  readonly line: number;
}

/** The first line outside all regions that is not as before; lines count from 1. */
export async function firstDifference(path: string, text: string, before: string): Promise<number> {
  const expected = await outsideRegions(path, before);
  const outside = await outsideRegions(path, text);
  const other = outside.find(
    (one, index) => one.text !== expected[index]?.text || one.end !== expected[index]?.end,
  );
  return other?.line ?? Math.max(1, outside.at(-1)?.line ?? 1);
}

/** The lines outside all regions whose text stands nowhere in the text before. */
export async function newLines(path: string, text: string, before: string): Promise<readonly PlacedLine[]> {
  const known = new Set(linesOf(before).map((one) => one.text));
  return (await outsideRegions(path, text)).filter((one) => !known.has(one.text));
}

async function outsideRegions(path: string, text: string): Promise<readonly PlacedLine[]> {
  const { regions } = await regionsOf(path, text);
  return linesOf(text)
    .map((one, index) => ({ ...one, line: index + 1 }))
    .filter(({ line }) => !regions.some(({ first, last }) => first < line && line <= last + 1));
}
