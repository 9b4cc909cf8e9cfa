import { alternating } from "./alternation.ts";
import type { Collector } from "./collector.ts";
import { coresTold, onLoadCore } from "./cores.ts";
import { numberedBody } from "./event-body.ts";
import { memoryRow } from "./ingest-memory.ts";
import { played, type Pair, type Scene } from "./ingest-parties.ts";
import { parseCeiling } from "./parse-ceiling.ts";
import { peers } from "./peers.ts";
import { figureRow, median, ratioRow, type Bench, type Row } from "./row.ts";
import { atOnce, oneByOne, type Answers } from "./single-use.ts";
import { sustained, unloaded, type Sustained } from "./sustained.ts";
import { syncTimes } from "./sync-time.ts";
import { temporaryPlace } from "./whole-process.ts";

/** Rates that skillctl has to reach, of the bare server or of the ceiling; limits are of times, so the inverse. */
const LIMITS = { single: 1 / 0.95, batch: 1 / 0.65, fresh: 1 / 0.9, peer: 1 } as const;
const ROUNDS = 7;
const PEER_ROUNDS = 3;
const ROUND_MS = 500;
/** V8 compiles while the first tens of thousands of requests are answered. */
const WARM_UP_MS = 2_000;
const PEER_WARM_UP_MS = 1_000;
const SINGLE = { connections: 50, batch: 1 } as const;
const BATCH = { connections: 8, batch: 1_000 } as const;
const CLIENTS = [1, 20] as const;
const BURST = 500;
const BURST_LIMIT_MS = 300;
const BURSTS = 3;
const PATIENCE_MS = 5_000;
const UNLOADED = 200;
const UNLOADED_LIMIT_MICROS = 250;

const absent =
  peers.missing.length === 0 ? "" : ` Not measured, because no copy is there: ${peers.missing.join(", ")}.`;

/** What it costs to take events so that none is lost. */
export const bench: Bench = {
  name: "ingest",
  describe: `Events of about 300 bytes to servers that answer once they are on the disk, and to public ones that do not wait for it; ${coresTold}. Every log is read afterwards: each acknowledged event is in it once.${absent}`,
  run: () =>
    onLoadCore(async () => {
      const place = temporaryPlace();
      try {
        const rows: Row[] = [];
        let found = 0;
        for (const scene of [singles, batches, fresh, bursts, unloadedIn(place.folder)]) {
          const measured = await played(place, scene);
          rows.push(...measured.rows);
          found += measured.events;
        }
        rows.push(await memoryRow(place));
        return [...rows, figureRow("acknowledged events, each found in its log once", "", "events", [found])];
      } finally {
        place.remove();
      }
    }),
};

const singles: Scene = {
  name: "single",
  peers: ({ keepAlive }) => keepAlive,
  measure: async (pair, others, eased) => {
    const measure = (collector: Collector): Promise<Sustained> =>
      sustained(collector, { ...SINGLE, milliseconds: ROUND_MS });
    const [bare, hosted] = pair;
    for (const collector of pair) await sustained(collector, { ...SINGLE, milliseconds: WARM_UP_MS });
    const [bases = [], candidates = []] = await alternating(ROUNDS, pair, measure);
    for (const peer of [eased, ...others])
      await sustained(peer, { ...SINGLE, milliseconds: PEER_WARM_UP_MS });
    const all = [hosted, eased, ...others];
    const [ours = [], easedOurs = [], ...theirs] = await alternating(PEER_ROUNDS, all, measure);
    const subject = "one event a request, 50 connections";
    return [
      timeRow(subject, bare, bases, candidates, LIMITS.single),
      ratioRow({
        subject: "the same, CPU",
        base: bare.label,
        unit: "µs an event",
        bases: bases.map(({ cpuMicroseconds }) => cpuMicroseconds),
        candidates: candidates.map(({ cpuMicroseconds }) => cpuMicroseconds),
      }),
      ...others.flatMap((peer, index) => [
        timeRow(subject, peer, theirs[index] ?? [], ours, LIMITS.peer),
        timeRow(`the same, ${eased.label}`, peer, theirs[index] ?? [], easedOurs, LIMITS.peer),
      ]),
    ];
  },
};

const batches: Scene = {
  name: "batch",
  measure: async (pair) => {
    const ceiling = { label: "parsing and validating alone, one core" };
    for (const collector of pair) await sustained(collector, { ...BATCH, milliseconds: WARM_UP_MS });
    const [bases = [], bares = [], candidates = []] = await alternating(
      ROUNDS,
      [ceiling, ...pair],
      async (subject): Promise<Time> =>
        "url" in subject
          ? sustained(subject, { ...BATCH, milliseconds: ROUND_MS })
          : { microseconds: parseCeiling(BATCH.batch, ROUND_MS) },
    );
    return [
      timeRow("1,000 lines a request, 8 connections", ceiling, bases, candidates, LIMITS.batch),
      timeRow("the same", pair[0], bares, candidates),
    ];
  },
};

const fresh: Scene = {
  name: "fresh",
  peers: () => true,
  measure: async (pair, others) => {
    const [bare, hosted] = pair;
    for (const collector of [...pair, ...others]) await oneByOne(collector, 20, PEER_WARM_UP_MS);
    const rows: Row[] = [];
    for (const clients of CLIENTS) {
      const measure = async (collector: Collector): Promise<Time> => {
        const { answered, milliseconds } = await oneByOne(collector, clients, ROUND_MS);
        return { microseconds: (milliseconds * 1_000) / answered };
      };
      const [bases = [], candidates = []] = await alternating(ROUNDS, pair, measure);
      const seen = clients === 1 ? [] : others;
      const [ours = [], ...theirs] = await alternating(PEER_ROUNDS, [hosted, ...seen], measure);
      const subject = `a new connection for every event, ${clients} at a time`;
      rows.push(
        timeRow(subject, bare, bases, candidates, LIMITS.fresh),
        ...seen.map((peer, index) => timeRow(subject, peer, theirs[index] ?? [], ours, LIMITS.peer)),
      );
    }
    return rows;
  },
};

const bursts: Scene = {
  name: "burst",
  peers: () => true,
  measure: async (pair, others) => {
    const measure = (collector: Collector): Promise<Answers> => atOnce(collector, BURST, PATIENCE_MS);
    const all = await alternating(BURSTS, pair, measure);
    const theirs = await alternating(1, others, measure);
    const rows = pair.map(({ label }, index): Row => {
      const answers = all[index] ?? [];
      const missed = answers.find(({ answered }) => answered < BURST);
      if (missed) throw new Error(`${label} answered ${missed.answered} of ${BURST} events.`);
      const times = answers.map(({ milliseconds }) => milliseconds);
      const row = figureRow(`${BURST} connections at once, until all are answered`, label, "ms", times);
      return index === 0 ? row : { ...row, limit: BURST_LIMIT_MS };
    });
    const subject = `${BURST} connections at once, answered within ${PATIENCE_MS / 1_000} s`;
    const counts = others.map(({ label }, index) =>
      figureRow(
        subject,
        label,
        `of ${BURST}`,
        (theirs[index] ?? []).map(({ answered }) => answered),
      ),
    );
    return [...rows, ...counts];
  },
};

function unloadedIn(folder: string): Scene {
  const measure = async (pair: Pair): Promise<readonly Row[]> => {
    for (const collector of pair) await sustained(collector, { ...SINGLE, milliseconds: WARM_UP_MS });
    const bytes = numberedBody(1).bytes.length + 1;
    const [syncs = [], ...all] = await alternating(ROUNDS, [undefined, ...pair], async (collector) =>
      median(collector ? await unloaded(collector, UNLOADED) : syncTimes(folder, bytes, UNLOADED)),
    );
    return pair.map(({ label }, index): Row => {
      const above = (all[index] ?? []).map((ms, round) => (ms - (syncs[round] as number)) * 1_000);
      const base = `${label}, above ${(median(syncs) * 1_000).toFixed(0)} µs of one fdatasync`;
      const row = figureRow("one event at a time, until it is answered", base, "µs", above);
      return index === 0 ? row : { ...row, limit: UNLOADED_LIMIT_MICROS };
    });
  };
  return { name: "unloaded", measure };
}

interface Time {
  readonly microseconds: number;
}

function timeRow(
  subject: string,
  { label }: Pick<Collector, "label">,
  bases: readonly Time[],
  candidates: readonly Time[],
  limit?: number,
): Row {
  return ratioRow({
    subject,
    base: label,
    unit: "µs an event",
    bases: bases.map(({ microseconds }) => microseconds),
    candidates: candidates.map(({ microseconds }) => microseconds),
    ...(limit !== undefined && { limit }),
  });
}
