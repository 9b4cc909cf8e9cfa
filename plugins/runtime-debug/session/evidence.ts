import { join } from "node:path";
import { FILES, JOURNALS, inject, injectable, token } from "skillctl";
import type { Files, Journals } from "skillctl";
import { FileNames } from "../store/log/file-names.ts";
import { objectOf, type LogSource } from "../store/log/log-lines.ts";
import { readLog, type ReadPorts } from "../store/log/open-log.ts";
import { EventFilter, hypothesisNames } from "../store/read/event-filter.ts";
import { eventText } from "../store/read/event-text.ts";
import { search } from "../store/read/selection.ts";
import { keyCounts } from "../store/read/tally.ts";
import type { Citation } from "../record/citations.ts";
import { DEFAULT_FOLDER } from "../session-files.ts";
import type { OpenedSession } from "./sessions.ts";

/** So many events are shown of all citations together, the first of them; the others are only looked for. */
const MOST_LINES = 40;
/** So many gaps are named of one citation. */
const MOST_GAPS = 5;
/** An event is shown in so many characters. */
const MOST_CHARACTERS = 400;

/** What the log says of citations. */
export interface Cited {
  /** The lines cited that are no events of the run under judgement; of many gaps the first. */
  readonly missing: readonly Citation[];
  /** The events cited, for reading; of many the first. */
  readonly texts: readonly string[];
  /** The hypotheses that those events name. */
  readonly hypotheses: ReadonlySet<string>;
}

/** What the log of a session shows, read from its files: no server need run. */
@injectable()
export class Evidence {
  readonly #ports: ReadPorts;

  constructor(@inject(JOURNALS) journals: Journals, @inject(FILES) files: Files) {
    this.#ports = { journals, files };
  }

  /** How many events a run has; 0 where there is no log. @throws SkillError `FILE_UNREADABLE`, `STORAGE_UNSAFE` */
  async count(opened: OpenedSession, run: string): Promise<number> {
    const filter = new EventFilter({ runId: [run] });
    const counted = await this.#read(opened, async (sources) => {
      const counts = await keyCounts(sources, filter);
      return counts.reduce((sum, { events }) => sum + events, 0);
    });
    return counted ?? 0;
  }

  /**
   * Looks up lines of the run that the hypotheses are judged by.
   * @throws SkillError `FILE_UNREADABLE`, `STORAGE_UNSAFE`
   */
  async lines(opened: OpenedSession, citations: readonly Citation[]): Promise<Cited> {
    const found = await this.#read(opened, (sources) => cited(sources, opened, citations));
    return found ?? { missing: citations, texts: [], hypotheses: new Set() };
  }

  #read<T>(
    { root, entry }: OpenedSession,
    use: (sources: readonly LogSource[]) => Promise<T>,
  ): Promise<T | undefined> {
    const names = new FileNames(join(root, DEFAULT_FOLDER), entry.id);
    return readLog(this.#ports, names, ({ sources }) => use(sources));
  }
}

export const EVIDENCE = token<Evidence>("evidence");

async function cited(
  sources: readonly LogSource[],
  { entry }: OpenedSession,
  citations: readonly Citation[],
): Promise<Cited> {
  const missing: Citation[] = [];
  const texts: string[] = [];
  const hypotheses = new Set<string>();
  for (const citation of citations) {
    const filter = new EventFilter({
      runId: [entry.runs.before],
      since: citation.from - 1,
      before: citation.to + 1,
    });
    const { gaps, lines } = await found(sources, filter, citation, MOST_LINES - texts.length);
    missing.push(...gaps);
    for (const line of lines) {
      texts.push(shortened(eventText(line, entry.id)));
      const { hypothesisId } = objectOf(line) ?? {};
      if (typeof hypothesisId === "string")
        for (const name of hypothesisNames(hypothesisId)) hypotheses.add(name);
    }
  }
  return { missing, texts, hypotheses };
}

/** Which lines are no events that fit, and at most so many that are, the first. */
async function found(
  sources: readonly LogSource[],
  filter: EventFilter,
  { from, to }: Citation,
  most: number,
): Promise<{ readonly gaps: readonly Citation[]; readonly lines: readonly string[] }> {
  const lines: string[] = [];
  const gaps: Citation[] = [];
  const gap = (first: number, last: number): void => {
    if (first <= last && gaps.length < MOST_GAPS) gaps.push({ from: first, to: last });
  };
  let count = 0;
  let next = from;
  for (const source of sources) {
    for await (const places of search(source, { filter, most: to - from + 1 - count })) {
      count += places.length;
      for (const { seq } of places) {
        gap(next, seq - 1);
        next = seq + 1;
      }
      lines.push(...places.slice(0, most - lines.length).map(({ text }) => text));
    }
  }
  gap(next, to);
  return { gaps: count > to - from ? [] : gaps, lines };
}

function shortened(text: string): string {
  const more = text.length - MOST_CHARACTERS;
  return more > 0 ? `${text.slice(0, MOST_CHARACTERS)}\u2026(+${more})` : text;
}
