import { join } from "node:path";
import { FILES, JOURNALS, inject, injectable, token, type Files, type Journals } from "skillctl";
import { FileNames, readLog, type ReadPorts } from "../store/log/log-files.ts";
import { objectOf, type LogSource } from "../store/log/log-lines.ts";
import { EventFilter } from "../store/read/event-filter.ts";
import { eventText } from "../store/read/event-text.ts";
import { search } from "../store/read/selection.ts";
import { citationText, citationsOfNumbers, type Citation } from "../record/citations.ts";
import { DEFAULT_FOLDER } from "../session-files.ts";
import type { OpenedSession } from "./sessions.ts";
import { UNFIT, hypothesesOf, unfitReader, type Unfit } from "./signs.ts";

/** So many events are shown of all citations together, the first of them; the others are only looked for. */
const MOST_LINES = 40;
/** So many gaps, and so many events that are no evidence, are named of one citation. */
const MOST_NAMED = 5;
/** So many events of one hypothesis are shown of a run. */
const MOST_OF_ONE = 8;
/** An event is shown in so many characters. */
const MOST_CHARACTERS = 400;

/** The events of a run: those that are evidence, and the others by what they lack. */
export interface EventCounts {
  readonly evidence: number;
  readonly others: Readonly<Record<Unfit, number>>;
}

/** What the log says of lines that are cited for a hypothesis. */
export interface Cited {
  /** The lines cited that are no events of the run under judgement; of many gaps the first. */
  readonly missing: readonly Citation[];
  /** Those that are no evidence, and those that were reported for others, each with why; of many the first. */
  readonly unfit: readonly string[];
  /** The events cited, for reading; of many the first. */
  readonly texts: readonly string[];
}

/** An event of the log. */
interface LogEvent {
  readonly seq: number;
  readonly line: string;
  /** The hypotheses that it names. */
  readonly names: ReadonlySet<string>;
  /** Missing when it is evidence. */
  readonly unfit: Unfit | undefined;
}

/** What the log of a session shows, read from its files: no server need run. */
@injectable()
export class Evidence {
  readonly #ports: ReadPorts;

  constructor(@inject(JOURNALS) journals: Journals, @inject(FILES) files: Files) {
    this.#ports = { journals, files };
  }

  /** The events of a run; none where there is no log. @throws SkillError `FILE_UNREADABLE`, `STORAGE_UNSAFE` */
  async count(opened: OpenedSession, run: string): Promise<EventCounts> {
    const others = { session: 0, hypothesis: 0, region: 0 };
    let evidence = 0;
    await this.#each(opened, { runId: [run] }, ({ unfit }) => {
      if (unfit === undefined) evidence += 1;
      else others[unfit] += 1;
    });
    return { evidence, others };
  }

  /**
   * Looks up lines that are cited for a hypothesis, in the run that is judged by.
   * @throws SkillError `FILE_UNREADABLE`, `STORAGE_UNSAFE`
   */
  async lines(opened: OpenedSession, citations: readonly Citation[], hypothesis: string): Promise<Cited> {
    const missing: Citation[] = [];
    const unfit: string[] = [];
    const texts: string[] = [];
    for (const { from, to } of citations) {
      let next = from;
      const gap = (end: number): void => {
        if (next < end && missing.length < MOST_NAMED) missing.push({ from: next, to: end - 1 });
      };
      const asked = { runId: [opened.entry.runs.before], since: from - 1, before: to + 1 };
      await this.#each(opened, asked, (event) => {
        gap(event.seq);
        next = event.seq + 1;
        const why = whyUnfit(event, hypothesis);
        if (why === undefined && texts.length < MOST_LINES) texts.push(shown(event, opened));
        if (why !== undefined && unfit.length < MOST_NAMED) unfit.push(`#${event.seq} ${why}`);
      });
      gap(to + 1);
    }
    return { missing, unfit, texts };
  }

  /** The lines that can be cited for a hypothesis, in order. @throws SkillError `FILE_UNREADABLE`, `STORAGE_UNSAFE` */
  async linesOf(opened: OpenedSession, hypothesis: string): Promise<readonly string[]> {
    const numbers: number[] = [];
    await this.#each(opened, { runId: [opened.entry.runs.before] }, (event) => {
      if (whyUnfit(event, hypothesis) === undefined) numbers.push(event.seq);
    });
    return citationsOfNumbers(numbers).map(citationText);
  }

  /**
   * The evidence of a run for reading, oldest first, of each hypothesis the first few, and how much more there is.
   * @throws SkillError `FILE_UNREADABLE`, `STORAGE_UNSAFE`
   */
  async texts(
    opened: OpenedSession,
    run: string,
  ): Promise<{ readonly lines: readonly string[]; readonly more: number }> {
    const counts = new Map<string, number>();
    const lines: string[] = [];
    let more = 0;
    await this.#each(opened, { runId: [run] }, (event) => {
      if (event.unfit !== undefined) return;
      const counted = [...event.names].map((name) => [name, (counts.get(name) ?? 0) + 1] as const);
      for (const [name, count] of counted) counts.set(name, count);
      if (lines.length < MOST_LINES && counted.some(([, count]) => count <= MOST_OF_ONE))
        lines.push(shown(event, opened));
      else more += 1;
    });
    return { lines, more };
  }

  async #each(
    { root, entry }: OpenedSession,
    asked: ConstructorParameters<typeof EventFilter>[0],
    use: (event: LogEvent) => void,
  ): Promise<void> {
    const names = new FileNames(join(root, DEFAULT_FOLDER), entry.id);
    const unfitOf = unfitReader(entry);
    const read = (seq: number, line: string): LogEvent => {
      const event = objectOf(line) ?? {};
      return { seq, line, names: hypothesesOf(event), unfit: unfitOf(event) };
    };
    await readLog(this.#ports, names, async ({ sources }) => {
      for (const source of sources) await eachOf(source, new EventFilter(asked), read, use);
    });
  }
}

export const EVIDENCE = token<Evidence>("evidence");

async function eachOf(
  source: LogSource,
  filter: EventFilter,
  read: (seq: number, line: string) => LogEvent,
  use: (event: LogEvent) => void,
): Promise<void> {
  for await (const places of search(source, { filter }))
    for (const { seq, text } of places) use(read(seq, text));
}

function whyUnfit({ unfit, names }: LogEvent, hypothesis: string): string | undefined {
  if (unfit !== undefined) return UNFIT[unfit];
  if (names.has(hypothesis)) return undefined;
  return `was reported for ${[...names].filter((name) => /^[A-P]$/.test(name)).join(", ")}`;
}

function shown({ line }: LogEvent, { entry }: OpenedSession): string {
  const text = eventText(line, entry.id);
  const more = text.length - MOST_CHARACTERS;
  return more > 0 ? `${text.slice(0, MOST_CHARACTERS)}\u2026(+${more})` : text;
}
