import type { EventKeys, KeyCount } from "../log/event-keys.ts";

/** The two runs that are held against each other, by their normalised names. */
export interface TwoRuns {
  readonly before: string | undefined;
  /** Missing when there is no fix yet. */
  readonly after: string | undefined;
}

/** In which of two runs something was hit. */
export type Hit = "both" | "before" | "after" | "none";

/** Events of both runs that belong together, such as those of one place. */
export interface Group {
  /** As the events name them, such as `A` or `A,D`, each once; those that name none are not among them. */
  readonly hypotheses: readonly string[];
  /** The location, or the message where there is none. */
  readonly probe: string;
  readonly location: string;
  /** Events, those included that were left out of the log because it was full. */
  readonly before: number;
  readonly after: number;
  /** Of both, left out. */
  readonly dropped: number;
}

/** 0 for an event of the run before, 1 for one of the run after, -1 for any other. */
export function sideOf({ run }: EventKeys, { before, after }: TwoRuns): 0 | 1 | -1 {
  return run === before ? 0 : run === after ? 1 : -1;
}

/**
 * The groups of two runs: those that only one of them has hit first, then those with the most events.
 * @param nameOf what the events of a group have in common
 */
export function groupsIn(
  counts: readonly KeyCount[],
  runs: TwoRuns,
  nameOf: (keys: EventKeys) => string,
): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const { keys, events, dropped } of counts) {
    const side = sideOf(keys, runs);
    if (side === -1) continue;
    const { hypothesis, probe } = keys;
    const known = groups.get(nameOf(keys));
    const hypotheses = new Set([...(known?.hypotheses ?? []), ...(hypothesis === "" ? [] : [hypothesis])]);
    groups.set(nameOf(keys), {
      hypotheses: [...hypotheses],
      probe,
      location: known?.location || keys.location,
      before: (known?.before ?? 0) + (side === 0 ? events : 0),
      after: (known?.after ?? 0) + (side === 1 ? events : 0),
      dropped: (known?.dropped ?? 0) + dropped,
    });
  }
  const isInBoth = ({ before, after }: Group): number => (before > 0 && after > 0 ? 1 : 0);
  return [...groups.values()].toSorted(
    (a, b) => isInBoth(a) - isInBoth(b) || b.before + b.after - (a.before + a.after),
  );
}

export function hitOf(before: number, after: number): Hit {
  if (before > 0) return after > 0 ? "both" : "before";
  return after > 0 ? "after" : "none";
}
