import type { EventKeys, KeyCount } from "../store/log/event-keys.ts";

/** The two runs that are held against each other, by their normalised names. */
export interface TwoRuns {
  readonly before: string;
  /** Missing when there is no fix yet. */
  readonly after: string | undefined;
}

/** Events of both runs that come from one place and name the same hypothesis. */
export interface Group {
  /** As the events name it, such as `A` or `A,D`; may be empty. */
  readonly hypothesis: string;
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

/** The name under which a group is kept. */
export function groupName({ hypothesis, probe }: Pick<Group, "hypothesis" | "probe">): string {
  return JSON.stringify([hypothesis, probe]);
}

/** The groups of two runs: those that only one of them has hit first, then those with the most events. */
export function groupsIn(counts: readonly KeyCount[], runs: TwoRuns): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const { keys, events, dropped } of counts) {
    const side = sideOf(keys, runs);
    if (side === -1) continue;
    const name = groupName(keys);
    const known = groups.get(name);
    groups.set(name, {
      hypothesis: keys.hypothesis,
      probe: keys.probe,
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
