import type { IndexView } from "../index/index-view.ts";
import { nextTurn } from "../index/log-scan.ts";
import { WORDS } from "../index/records.ts";
import { objectOf } from "../log/line-text.ts";
import { linesAt } from "./line-reader.ts";
import type { LogSource, Place } from "./log-source.ts";

/** So many of the first events of a group are looked into, and so many of the last. */
const MOST_AN_END = 8;
/** Longer events are not looked into. */
const MOST_LINE_BYTES = 64 * 1024;
/** No more is read for all of them together. */
const MOST_BYTES = 4 * 1024 * 1024;
const BLOCK_LINES = 65_536;

/** Events by group, as they were stored, oldest first. */
export type Samples = readonly (readonly Readonly<Record<string, unknown>>[])[];

/**
 * Reads some events of each group, from both ends of the log, never all of it.
 * @param groupsOf gives every key's number of a source its group, from 0, or -1
 */
export async function samples(
  sources: readonly LogSource[],
  groups: number,
  groupsOf: (view: IndexView) => Int32Array,
): Promise<Samples> {
  const first = await places(sources, groups, groupsOf, false);
  const last = await places(sources.toReversed(), groups, groupsOf, true);
  const events: Readonly<Record<string, unknown>>[][] = Array.from({ length: groups }, () => []);
  let bytes = 0;
  for (const source of sources) {
    for (let group = 0; group < groups; group++) {
      const own = [...(first[group]?.get(source) ?? []), ...(last[group]?.get(source) ?? []).toReversed()];
      const unique = own.filter((one, at) => own.findIndex(({ offset }) => offset === one.offset) === at);
      bytes += unique.reduce((sum, { length }) => sum + length, 0);
      if (bytes > MOST_BYTES) return events;
      for await (const lines of linesAt(source.reader, unique)) {
        for (const line of lines) events[group]?.push(objectOf(line) ?? {});
      }
    }
  }
  return events;
}

/** The same by the name of a probe. */
export function probeSamples(sources: readonly LogSource[], probes: readonly string[]): Promise<Samples> {
  const groups = new Map(probes.map((probe, group) => [probe, group]));
  return samples(sources, probes.length, ({ keys }) =>
    Int32Array.from(keys, ({ probe }) => groups.get(probe) ?? -1),
  );
}

type Found = Map<LogSource, Place[]>;

async function places(
  sources: readonly LogSource[],
  groups: number,
  groupsOf: (view: IndexView) => Int32Array,
  backwards: boolean,
): Promise<readonly Found[]> {
  const found: Found[] = Array.from({ length: groups }, () => new Map<LogSource, Place[]>());
  const missing = new Int32Array(groups).fill(MOST_AN_END);
  let open = groups;
  for (const source of sources) {
    const { view } = source;
    const groupOf = groupsOf(view);
    for (let done = 0; done < view.lines && open > 0; done += BLOCK_LINES) {
      const length = Math.min(BLOCK_LINES, view.lines - done);
      const from = backwards ? view.lines - done - length : done;
      const words = await view.records(from, Math.min(view.lines, from + length + 1));
      for (let step = 0; step < length && open > 0; step++) {
        const at = (backwards ? length - 1 - step : step) * WORDS;
        const key = words[at + 3] as number;
        const group = groupOf[key] ?? -1;
        if (group < 0 || missing[group] === 0) continue;
        const offset = words[at] as number;
        const next = at + WORDS < words.length ? (words[at + WORDS] as number) : view.end;
        if (next - offset > MOST_LINE_BYTES) continue;
        const list = found[group]?.get(source) ?? [];
        list.push({ offset, length: next - offset, seq: view.base + (words[at + 1] as number), key });
        found[group]?.set(source, list);
        if (--(missing[group] as number) === 0) open -= 1;
      }
      await nextTurn();
    }
  }
  return found;
}
