import type { Try } from "../session/entry.ts";
import type { Passed } from "../session/evidence.ts";
import { shortened } from "../store/event/inert-text.ts";

const MOST_SHOWN = 120;

/**
 * The first place at which failing runs differ from all passing ones: another point, or a value that no passing run has
 * there. Values that also differ among the passing runs, such as times, are ignored. @returns lines of collected text;
 * empty without a failing and a passing run, or without a difference
 */
export function differenceLines(tries: readonly Try[], events: readonly Passed[]): readonly string[] {
  const of = ({ from, to }: Try): readonly Passed[] => events.filter(({ seq }) => seq >= from && seq <= to);
  const passing = tries.filter(({ failed }) => !failed).map(of);
  const failing = tries.filter(({ failed }) => failed).map(of);
  const last = Math.max(0, ...[...passing, ...failing].map(({ length }) => length));
  if (passing.length === 0 || failing.length === 0) return [];
  for (let at = 0; at < last; at += 1) {
    const right = passing.map((one) => one[at]);
    const other = failing.find((one) => {
      const seen = one[at];
      return seen ? isOther(seen, right) : right.every(Boolean);
    });
    if (!other) continue;
    return [
      `The first difference is at event ${at + 1} of a run:`,
      `  failing  ${shownOf(other[at])}`,
      `  passing  ${shownOf(right.find((one) => one !== undefined))}`,
    ];
  }
  return [];
}

function isOther(one: Passed, right: readonly (Passed | undefined)[]): boolean {
  const alike = right.filter((same) => same?.point === one.point);
  if (alike.length === 0) return true;
  return Object.entries(one.data).some(([name, value]) => {
    const values = new Set(alike.map((same) => JSON.stringify(same?.data[name])));
    const isSteady = values.size === 1 || values.size < alike.length;
    return isSteady && !values.has(JSON.stringify(value));
  });
}

function shownOf(one: Passed | undefined): string {
  if (!one) return "no event: the run has ended";
  return shortened(`#${one.seq} ${one.point} ${JSON.stringify(one.data)}`, MOST_SHOWN);
}
