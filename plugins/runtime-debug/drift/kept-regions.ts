import { instrumented, withoutMark } from "../check/instrumented.ts";
import { outside, type PlacedLine } from "../check/differences.ts";
import { languageOf } from "../probes/languages.ts";
import { textFault } from "../probes/place.ts";
import { linesOf, type TextLine, type Region } from "../regions/regions.ts";
import { commonLines } from "../regions/old-marks.ts";
import { insert, replace, replacedBy } from "../regions/strip.ts";

/** A text that has been put back, with the regions whose place in it is clear. */
interface PutBack {
  readonly text: string;
  /** The labels of regions that are not in it any more. */
  readonly gone: readonly string[];
}

/** With more edits than this no place is clear. */
const MOST_EDITS = 2_000;

/**
 * Puts a text back as it was, and leaves the regions in that the check would accept, where the lines around them are the
 * same. Without its regions the outcome is `target`, byte for byte.
 */
export function putBack(path: string, now: string, target: string): PutBack {
  const seen = instrumented(path, now, target);
  const labels = (regions: readonly Region[]): readonly string[] => regions.map(({ label }) => label);
  const bare = { text: target, gone: labels(seen.regions) };
  if (seen.stripped === undefined) return bare;
  const isSound = ({ first, last }: Region): boolean =>
    !seen.findings.some(({ line = 0 }) => line - 1 >= first && line - 1 <= last);
  const rest = outside(seen.lines, seen.regions);
  const aim = linesOf(withoutMark(target));
  const places = commonLines(rest, aim, MOST_EDITS);
  const placed = seen.regions.map((region) => ({
    region,
    at: isSound(region) ? placeOf(path, region, seen.lines, { rest, aim, places }) : undefined,
  }));
  let text = target;
  // From the end on, so that each line is the one that was meant.
  for (const { region, at } of placed.toReversed()) {
    if (at === undefined) continue;
    const lines = seen.lines.slice(region.first, region.last + 1).map((line) => line.text);
    text = replacedBy(seen.lines, region) ? replace(text, at + 1, lines) : insert(text, at + 1, lines);
  }
  const outcome = instrumented(path, text, target);
  if (!outcome.isAsBefore || outcome.findings.length > 0) return bare;
  return { text, gone: labels(placed.filter(({ at }) => at === undefined).map(({ region }) => region)) };
}

interface Places {
  readonly rest: readonly PlacedLine[];
  readonly aim: readonly TextLine[];
  readonly places: ReadonlyMap<number, number>;
}

/** Where a region stands in the target; `undefined` inside of changed lines. */
function placeOf(
  path: string,
  region: Region,
  lines: readonly TextLine[],
  { rest, aim, places }: Places,
): number | undefined {
  const next = rest.findIndex(({ line }) => line >= region.first);
  const at = next < 0 ? rest.length : next;
  const following = places.get(at);
  if (replacedBy(lines, region)) return following;
  const former = places.get(at - 1);
  const isBegin = at === 0 && following === 0;
  if (isBegin || (former !== undefined && following === former + 1)) return following;
  const isEnd = at === rest.length && (former === aim.length - 1 || aim.length === 0);
  if (isEnd) return aim.length;
  // Beside a change: where a statement begins there.
  const place = following ?? (former === undefined ? undefined : former + 1);
  const language = languageOf(path);
  if (place === undefined || language === undefined) return undefined;
  const isAligned = indentationOf(lines[region.first]) === indentationOf(aim[place]);
  return isAligned && textFault(language, aim, place) === undefined ? place : undefined;
}

function indentationOf(line: TextLine | undefined): string {
  return /^[\t ]*/.exec(line?.text ?? "")?.[0] ?? "";
}
