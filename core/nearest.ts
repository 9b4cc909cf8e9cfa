import { distance } from "fastest-levenshtein";

/** The name that was probably meant: at most a third of its letters away, at least one; undefined when none is. */
export function nearest(word: string, names: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const steps = distance(word, name);
    if (steps < least && steps <= Math.max(1, Math.floor(name.length / 3))) [best, least] = [name, steps];
  }
  return best;
}
