import assert from "node:assert/strict";
import { ask } from "./client.ts";
import type { Asked, Kept, ModelLog } from "./model-log.ts";

/** A stored event as the server answers it. */
export interface Row {
  readonly n: number;
  readonly _seq: number;
  readonly _run: string;
}

interface Facts {
  readonly ok: boolean;
  readonly log_count: number;
  readonly last_event_ts: number | null;
  readonly run: string;
  readonly segment: number;
  readonly seq: number;
  readonly rejected: number;
  readonly dropped: number;
}

interface Summary {
  readonly events: number;
  readonly dropped: number;
  readonly counts: readonly {
    readonly run: string;
    readonly hypothesis: string;
    readonly location?: string;
    readonly probe?: string;
    readonly events: number;
  }[];
}

/** Every event that a server still has. */
export function everything(url: string): Promise<readonly Row[]> {
  return answered(url, { segment: "all", limit: 100_000 }) as Promise<readonly Row[]>;
}

/** What `GET /logs` answers; `undefined` when it is 400. */
export async function answered(url: string, asked: Asked): Promise<readonly Row[] | undefined> {
  const { status, text } = await ask(url, { path: `/logs?${words(asked).toString()}` });
  if (status === 400) return undefined;
  assert.equal(status, 200, text);
  return JSON.parse(text) as readonly Row[];
}

/** Holds everything that a server tells against what it should tell. Of nothing that is under way but compactions. */
export async function assertAgrees(url: string, model: ModelLog): Promise<void> {
  const { rows, told } = await steady(url, async () => ({
    facts: await got<Facts>(url, "/health"),
    summary: await got<Summary>(url, "/logs?format=summary&segment=all"),
  }));
  const left = assertRows(rows, model);
  const { facts, summary } = told;
  const { visible } = model;
  const there = new Set(rows.map(({ n }) => n));
  assert.deepEqual(
    {
      ok: facts.ok,
      events: facts.log_count,
      run: facts.run,
      segment: facts.segment,
      seq: facts.seq,
      rejected: facts.rejected,
      dropped: facts.dropped,
      silent: facts.last_event_ts === null,
    },
    {
      ok: true,
      events: visible.events.filter(({ n }) => there.has(n)).length,
      run: model.run,
      segment: visible.number,
      seq: model.seq,
      rejected: model.rejected,
      dropped: left,
      silent: rows.length === 0,
    },
  );
  assertSummary(
    summary,
    model.all.filter(({ n }) => there.has(n)),
    left,
  );
}

/** Holds one answer against what it should be. */
export async function assertAnswers(url: string, model: ModelLog, asked: Asked): Promise<void> {
  const { rows, told } = await steady(url, () => answered(url, asked));
  const expected = model.answer(asked, new Set(rows.map(({ n }) => n)));
  assert.deepEqual(
    told?.map(({ n }) => n),
    expected,
    JSON.stringify(asked),
  );
}

/** Asks, and asks again when a compaction came in between. */
async function steady<T>(
  url: string,
  question: () => Promise<T>,
): Promise<{ rows: readonly Row[]; told: T }> {
  for (;;) {
    const rows = await everything(url);
    const told = await question();
    if ((await everything(url)).length === rows.length) return { rows, told };
  }
}

/** In each segment the events are there, in order, or one stretch is missing. Answers how many are. */
function assertRows(rows: readonly Row[], model: ModelLog): number {
  const there = new Map(rows.map((row) => [row.n, row]));
  assert.equal(there.size, rows.length, "no event twice");
  const kept = model.all.filter(({ n }) => there.has(n));
  assert.deepEqual(
    rows.map(({ n, _seq, _run }) => [n, _seq, _run]),
    kept.map(({ n, seq, run }) => [n, seq, run]),
  );
  for (const { events } of model.segments) {
    const missing = [...events.keys()].filter((at) => !there.has(events[at]?.n ?? 0));
    assert.equal((missing.at(-1) ?? -1) - (missing[0] ?? 0) + 1, missing.length, "one gap");
  }
  return model.all.length - kept.length;
}

function assertSummary(summary: Summary, events: readonly Kept[], left: number): void {
  assert.deepEqual([summary.events, summary.dropped], [events.length, left]);
  for (const { run, hypothesis, location = "", probe, events: count } of summary.counts) {
    const own = events.filter(
      (one) =>
        one.run === run &&
        (one.hypothesisId ?? "") === hypothesis &&
        (one.location ?? "") === location &&
        (probe === undefined || probeOf(one) === probe),
    );
    assert.equal(own.length, count, JSON.stringify({ run, hypothesis, location, probe }));
  }
}

function probeOf({ location, msg }: Kept): string {
  return location ?? msg.replace("[DEBUG] ", "");
}

async function got<T>(url: string, path: string): Promise<T> {
  const { status, text } = await ask(url, { path });
  assert.equal(status, 200, text);
  return JSON.parse(text) as T;
}

function words(asked: Asked): URLSearchParams {
  const given = Object.entries(asked).filter(([, value]) => value !== undefined);
  return new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)])));
}
