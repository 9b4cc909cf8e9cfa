import { join } from "node:path";
import { alternating } from "./alternation.ts";
import { hostedCollector, type Collector } from "./collector.ts";
import { coresTold, onLoadCore } from "./cores.ts";
import { SESSION } from "./event-body.ts";
import { ASKED, holdsCounts, holdsLast, truthOf, type FilledLog } from "./query-oracle.ts";
import { figureRow, median, ratioRow, type Bench, type Row } from "./row.ts";
import { SocketClient, getRequest } from "./socket-client.ts";
import { filled, sustained } from "./sustained.ts";
import { FLOOR, PROGRAM, interleaved, temporaryPlace, type Place, type Subject } from "./whole-process.ts";

/** The longest one last: it takes the other questions. */
const SIZES = [10_000, 100_000, 1_000_000] as const;
const COLD_LIMIT = 3;
/** Larger logs are told, without a limit. */
const LARGEST_LIMITED = 100_000;
const WARM_ROUNDS = 9;
const WARM_REQUESTS = 200;
/** Rate beside queries, of the rate alone; the limit is of times, so the inverse. */
const BESIDE_LIMIT = 1 / 0.9;
const BESIDE_ROUNDS = 9;
const ROUND_MS = 500;
const WARM_UP_MS = 2_000;
const BATCH = { connections: 8, batch: 1_000 } as const;
const SINGLE = { connections: 50, batch: 1 } as const;
const ASKED_WORDS = [
  "--hypothesis-id",
  ASKED.hypothesis,
  "--run-id",
  ASKED.run,
  "--last",
  String(ASKED.last),
];
const ASKED_QUERY = `hypothesisId=${ASKED.hypothesis}&runId=${ASKED.run}&last=${ASKED.last}`;

/** What it costs to ask a long log. */
export const bench: Bench = {
  name: "query",
  describe: `Questions to logs of ${SIZES.map((size) => size.toLocaleString("en")).join(", ")} events and a few more; over HTTP ${coresTold}. Every answer is held against one that parses all lines.`,
  run: async () => {
    const place = temporaryPlace();
    try {
      const logs: FilledLog[] = [];
      for (const size of SIZES) logs.push(await filledLog(place, size));
      const log = logs.at(-1) as FilledLog;
      return [...(await lastRows(place, logs)), ...(await onLoadCore(() => warmRows(place, log)))];
    } finally {
      place.remove();
    }
  },
};

/** A log that a server has written and left, in a folder of its own. */
async function filledLog(place: Place, size: number): Promise<FilledLog> {
  const name = `log-${size}`;
  const collector = await hostedCollector(place, name);
  try {
    await onLoadCore(() => filled(collector, size, BATCH));
    await collector.close();
  } finally {
    collector.kill();
  }
  const truth = truthOf(collector.log);
  if (truth.last.length === 0) throw new Error(`${collector.log} holds no event to ask for.`);
  return { name, path: collector.log, truth };
}

/** The last events of a hypothesis in a run, in a process of its own, whatever the size of the log. */
async function lastRows(place: Place, logs: readonly FilledLog[]): Promise<readonly Row[]> {
  const subjects = logs.map((log) => lastOf(place, log));
  const [bases = [], ...all] = await interleaved([FLOOR, ...subjects], place);
  return subjects.map(({ label }, index) =>
    ratioRow({
      subject: label,
      base: FLOOR.label,
      unit: "ms",
      bases,
      candidates: all[index] ?? [],
      ...((logs[index]?.truth.lines ?? 0) <= LARGEST_LIMITED && { limit: COLD_LIMIT }),
    }),
  );
}

function lastOf({ folder }: Place, { name, truth }: FilledLog): Subject {
  const outdir = ["--outdir", join(folder, name)];
  return {
    label: `last ${ASKED.last} by hypothesis and run, cold, of ${truth.lines.toLocaleString("en")}`,
    words: [
      PROGRAM,
      "run",
      "runtime-debug",
      "logs",
      SESSION,
      ...outdir,
      ...ASKED_WORDS,
      "--format",
      "ndjson",
    ],
    isRight: ({ out }) => holdsLast(out, truth),
  };
}

/** Over HTTP, from a server that has opened the log; and what that costs who sends events meanwhile. */
async function warmRows(place: Place, { name, truth }: FilledLog): Promise<readonly Row[]> {
  const collector = await hostedCollector(place, name);
  collector.numbers.take(truth.lines);
  try {
    const size = truth.lines.toLocaleString("en");
    const last = await warmTimes(collector, `${ASKED_QUERY}&format=ndjson`, (text) => holdsLast(text, truth));
    const counts = await warmTimes(collector, "format=summary", (text) => holdsCounts(text, truth));
    const row = await besideRow(collector);
    await collector.close();
    return [
      figureRow(`last ${ASKED.last} over HTTP, of ${size}`, "p50", "µs", last),
      figureRow(`summary over HTTP, of ${size}`, "p50", "µs", counts),
      row,
    ];
  } finally {
    collector.kill();
  }
}

/** Medians of rounds, in microseconds. */
async function warmTimes(
  { url }: Collector,
  query: string,
  isRight: (text: string) => boolean,
): Promise<number[]> {
  const client = await SocketClient.open(url, getRequest(new URL(`/logs?${query}`, url)));
  const round = async (): Promise<number> => {
    const times: number[] = [];
    for (let request = 0; request < WARM_REQUESTS; request += 1) {
      const start = performance.now();
      await client.sent();
      times.push((performance.now() - start) * 1_000);
    }
    return median(times);
  };
  await round();
  if (!isRight(client.body))
    throw new Error(`/logs?${query} was answered with:\n${client.body.slice(0, 2_000)}`);
  const [medians = []] = await alternating(WARM_ROUNDS, [client], round);
  client.close();
  return [...medians];
}

/** Events on 50 connections with a client that asks one question after the other, and without it. */
async function besideRow(collector: Collector): Promise<Row> {
  const query = getRequest(new URL(`/logs?${ASKED_QUERY}`, collector.url));
  await sustained(collector, { ...SINGLE, milliseconds: WARM_UP_MS });
  const [bases = [], candidates = []] = await alternating(BESIDE_ROUNDS, ["alone", "beside"], async (way) => {
    const load = sustained(collector, { ...SINGLE, milliseconds: ROUND_MS });
    if (way === "alone") return (await load).microseconds;
    const client = await SocketClient.open(collector.url, query, "any");
    const stop = new AbortController();
    const asking = (async () => {
      while (!stop.signal.aborted) await client.sent();
    })();
    const { microseconds } = await load;
    stop.abort();
    await asking;
    client.close();
    return microseconds;
  });
  return ratioRow({
    subject: `one event a request while a client asks for the last ${ASKED.last} all the time`,
    base: "the same alone",
    unit: "µs an event",
    bases,
    candidates,
    limit: BESIDE_LIMIT,
  });
}
