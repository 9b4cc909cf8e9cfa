import type { TextLine } from "../regions/lines.ts";
import { placesOf, remaining, withRestored, type Cut, type CutText } from "./cuts.ts";
import { hunksBetween, reaching, type Hunk } from "./hunks.ts";

/** What opens and closes a comment, around code that was switched off. */
const OPENED = /^(?:\{\s*\/\*|\/\*+|\/\/+|<!--|--|#+|;+|%+|\*)\s*/;
const CLOSED = /\s*(?:\*+\/\s*\}?|-->)$/;

/**
 * Puts lines of the code before back that somebody has put between markers, or has switched off there: they are missing
 * where the region was, and stand in it.
 */
export function withEnclosed(
  cut: CutText,
  before: readonly TextLine[],
  isProbe: (region: Cut) => boolean,
): CutText {
  return restoring(cut, before, (lost, region) => (isProbe(region) ? [] : enclosed(lost, region)));
}

/** Puts all lines of the code before back that are missing, without others instead, where regions were. */
export function withOverwritten(cut: CutText, before: readonly TextLine[]): CutText {
  return restoring(cut, before, (lost, _, hunk) => (hunk.after.from === hunk.after.to ? lost : []));
}

function restoring(
  cut: CutText,
  before: readonly TextLine[],
  choose: (lost: readonly TextLine[], region: Cut, hunk: Hunk) => readonly TextLine[],
): CutText {
  const now = remaining(cut);
  const left = hunksBetween(before, now).filter(({ before: was }) => was.from !== was.to);
  const restored = new Map<Cut, readonly TextLine[]>();
  for (const [region, { from }] of placesOf(cut)) {
    if (region.restored.length > 0) continue;
    const found = nearest(left, from, before, now);
    if (!found) continue;
    const { from: first, to: end } = found.moved.before;
    const lines = choose(before.slice(first, end), region, found.hunk);
    if (lines.length === 0) continue;
    restored.set(region, lines);
    left.splice(left.indexOf(found.hunk), 1);
  }
  return restored.size === 0 ? cut : withRestored(cut, restored);
}

function nearest(
  hunks: readonly Hunk[],
  at: number,
  before: readonly TextLine[],
  now: readonly TextLine[],
): { readonly hunk: Hunk; readonly moved: Hunk } | undefined {
  for (const hunk of hunks) {
    const moved = reaching(hunk, at, before, now);
    if (moved) return { hunk, moved };
  }
  return undefined;
}

/** The lost lines that the region holds, in order; blank ones between them too. */
function enclosed(lost: readonly TextLine[], { body }: Cut): readonly TextLine[] {
  const found: TextLine[] = [];
  let blanks: TextLine[] = [];
  let at = 0;
  for (const line of lost) {
    const code = bare(line.text);
    if (code === "") {
      if (found.length > 0) blanks.push(line);
      continue;
    }
    const index = body.findIndex(({ text }, position) => position >= at && bare(text) === code);
    if (index < 0) continue;
    found.push(...blanks, line);
    blanks = [];
    at = index + 1;
  }
  return found;
}

function bare(text: string): string {
  return text.trim().replace(OPENED, "").replace(CLOSED, "").trim();
}
