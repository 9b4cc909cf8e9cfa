import { LISTS, holdersOf } from "../check/judge/places.ts";
import type { TextLine } from "../regions/lines.ts";
import { parse, type SyntaxNode } from "../syntax/syntax.ts";
import type { Language } from "../probes/languages.ts";
import type { Region } from "../regions/regions.ts";

/**
 * In which line the statement ends that begins in a line of a region; lines count from 0. A line that begins none has no
 * entry, and neither has any where the language has no grammar.
 */
export async function statementEnds(
  language: Language | undefined,
  lines: readonly TextLine[],
  regions: readonly Region[],
): Promise<ReadonlyMap<number, number>> {
  const ends = new Map<number, number>();
  if (language === undefined || regions.length === 0) return ends;
  const text = lines.map((line) => line.text + line.end).join("");
  using tree = await parse(language, text);
  if (!tree) return ends;
  const isList = ({ type }: SyntaxNode): boolean => holdersOf(language).has(type) || LISTS.has(type);
  for (const { first, last } of regions)
    for (let row = first + 1; row < last; row += 1) {
      const column = indentationOf(lines[row]?.text ?? "");
      let node = tree.root.descendantForPosition({ row, column });
      if (!node || !beginsAt(node, row, column)) continue;
      for (
        let up = node.parent;
        up && isWithin(up, first, last) && beginsAt(up, row, column);
        up = up.parent
      ) {
        if (isList(up)) break;
        node = up;
      }
      if (!isList(node)) ends.set(row, lastRow(node));
    }
  return ends;
}

function beginsAt({ startPosition }: SyntaxNode, row: number, column: number): boolean {
  return startPosition.row === row && startPosition.column === column;
}

function isWithin(node: SyntaxNode, first: number, last: number): boolean {
  return node.parent !== null && node.startPosition.row > first && lastRow(node) < last;
}

/** Some grammars count the line end to a statement. */
function lastRow({ startPosition, endPosition }: SyntaxNode): number {
  const { row, column } = endPosition;
  return column === 0 && row > startPosition.row ? row - 1 : row;
}

function indentationOf(text: string): number {
  return text.length - text.trimStart().length;
}
