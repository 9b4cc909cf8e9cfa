import { hypothesisNames } from "../store/read/event-filter.ts";

/** An event as a program sends it; `n` names it. */
export interface Posted {
  readonly n: number;
  readonly msg: string;
  readonly hypothesisId?: string | undefined;
  readonly runId?: string | undefined;
  readonly location?: string | undefined;
  readonly data?: string | undefined;
}

/** What the server made of it. */
export interface Kept extends Posted {
  readonly seq: number;
  readonly run: string;
}

/** The parameters of `GET /logs` that choose events. */
export interface Asked {
  readonly hypothesisId?: string | undefined;
  readonly runId?: string | undefined;
  readonly since?: number | undefined;
  readonly last?: number | undefined;
  readonly limit?: number | undefined;
  readonly segment?: string | undefined;
}

interface Segment {
  readonly number: number;
  readonly events: Kept[];
}

const RUNS: Readonly<Record<string, string>> = { pre: "pre-fix", post: "post-fix" };

/** The log of a session as docs/runtime-debug.md describes it: lists in memory, and nothing of how they last. */
export class ModelLog {
  segments: Segment[] = [{ number: 1, events: [] }];
  run = "pre-fix";
  /** The last number given. */
  seq = 0;
  rejected = 0;

  get visible(): Segment {
    return this.segments.at(-1) as Segment;
  }

  /** Events of all segments, oldest first. */
  get all(): readonly Kept[] {
    return this.segments.flatMap(({ events }) => events);
  }

  name(run: string): void {
    this.run = runOf(run);
  }

  /** Events of one body, which get the numbers that follow. */
  take(posted: readonly Posted[]): void {
    for (const event of posted) this.keep(event, this.seq + 1);
  }

  /** An event that got a number. */
  keep(event: Posted, seq: number): void {
    this.visible.events.push({ ...event, seq, run: eventRun(event.runId, this.run) });
    this.seq = seq;
  }

  clear(): void {
    if (this.visible.events.length > 0) this.segments.push({ number: this.visible.number + 1, events: [] });
  }

  purge(): void {
    this.clear();
    this.segments = [this.visible];
    this.rejected = 0;
  }

  /** The numbers (`n`) that `GET /logs` answers, of the events that are still there; `undefined` for a wrong segment. */
  answer(asked: Asked, there: ReadonlySet<number>): readonly number[] | undefined {
    const { last = 0, limit, segment = asked.runId === undefined ? "current" : "all" } = asked;
    const chosen = this.segments.filter(
      (one) =>
        segment === "all" ||
        String(one.number) === segment ||
        (segment === "current" && one === this.visible),
    );
    if (chosen.length === 0) return undefined;
    const events = chosen.flatMap((one) =>
      one.events.filter((event) => there.has(event.n) && fits(event, asked)),
    );
    const found = last > 0 ? events.slice(-Math.min(last, limit ?? last)) : events.slice(0, limit ?? 10_000);
    return found.map(({ n }) => n);
  }
}

function runOf(text: string): string {
  return RUNS[text] ?? text;
}

/** The run that a session would name, else the one that is served. */
function eventRun(named: string | undefined, served: string): string {
  const run = runOf(named ?? served);
  return /^(?:pre|post)-fix$/.test(run) ? run : served;
}

function fits(event: Kept, { hypothesisId, runId, since }: Asked): boolean {
  const names = hypothesisNames(event.hypothesisId ?? "");
  return (
    (hypothesisId === undefined || hypothesisId.split(",").some((name) => names.has(name))) &&
    (runId === undefined ||
      runId.split(",").some((name) => [event.run, event.runId].includes(runOf(name)))) &&
    (since === undefined || event.seq > since)
  );
}
