import type { Finding } from "../check/finding.ts";
import { linesOf } from "../regions/lines.ts";
import { markerIn } from "../regions/marker.ts";
import type { CutText } from "./cuts.ts";

/** Markers without their other half that were not there before; nothing is taken out then. */
export function markerFaults(
  { path, before = "" }: { readonly path: string; readonly before: string | undefined },
  { faults, pieces }: CutText,
): readonly Finding[] {
  const known = new Set(linesOf(before).map(({ text }) => text));
  const ends = pieces.flatMap((piece) => {
    if ("region" in piece || known.has(piece.text)) return [];
    const marker = markerIn(piece.text);
    if (marker?.kind !== "end" || faults.some(({ line }) => line === piece.line)) return [];
    return isEndOfOther(pieces, piece.line)
      ? []
      : [{ line: piece.line, sentence: "A region ends that has not begun." }];
  });
  return [...faults, ...ends].map(({ line, sentence }) => ({
    file: path,
    line: line + 1,
    code: "marker-unbalanced",
    sentence,
    hint: "Mend the markers, or take out what belongs to them, and run cleanup again.",
  }));
}

/** Whether an end marker closes a fold of somebody else's. */
function isEndOfOther(pieces: CutText["pieces"], line: number): boolean {
  let open = 0;
  for (const piece of pieces) {
    if ("region" in piece) continue;
    const kind = markerIn(piece.text)?.kind;
    if (piece.line === line) return open > 0;
    if (kind === "other") open += 1;
    if (kind === "end") open = Math.max(0, open - 1);
  }
  return false;
}
