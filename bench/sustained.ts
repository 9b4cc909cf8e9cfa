import type { Collector } from "./collector.ts";
import { Poster } from "./poster.ts";

export interface Connections {
  readonly connections: number;
  /** Events of each request. */
  readonly batch: number;
}

export interface SustainedLoad extends Connections {
  /** No request is begun after so long. */
  readonly milliseconds: number;
}

export interface Sustained {
  /** From the first request to the last answer, for one event. */
  readonly microseconds: number;
  /** What the server spent on one event. */
  readonly cpuMicroseconds: number;
}

/**
 * Keeps one request under way on every connection. Numbers every event, and holds every answer against the first.
 * @throws Error for a wrong answer.
 */
export async function sustained(collector: Collector, load: SustainedLoad): Promise<Sustained> {
  const posters = await opened(collector, load);
  const before = collector.numbers.acknowledged;
  const cpu = collector.cpuMicroseconds();
  const start = performance.now();
  const end = start + load.milliseconds;
  await Promise.all(posters.map((poster) => poster.until(() => performance.now() >= end)));
  const took = performance.now() - start;
  const events = collector.numbers.acknowledged - before;
  for (const poster of posters) poster.close();
  return {
    microseconds: (took * 1_000) / events,
    cpuMicroseconds: (collector.cpuMicroseconds() - cpu) / events,
  };
}

/** Posts until the server has so many events, a multiple of the batch. */
export async function filled(collector: Collector, events: number, connections: Connections): Promise<void> {
  const posters = await opened(collector, connections);
  await Promise.all(posters.map((poster) => poster.until(() => collector.numbers.acknowledged >= events)));
  for (const poster of posters) poster.close();
}

/** Milliseconds of single requests, one after the other on a connection that nobody else competes with. */
export async function unloaded(collector: Collector, requests: number): Promise<readonly number[]> {
  const poster = await Poster.open(collector, 1);
  const times: number[] = [];
  for (let request = 0; request < requests; request += 1) {
    const start = performance.now();
    await poster.post();
    times.push(performance.now() - start);
  }
  poster.close();
  return times;
}

function opened(collector: Collector, { connections, batch }: Connections): Promise<readonly Poster[]> {
  return Promise.all(Array.from({ length: connections }, (_, index) => Poster.open(collector, batch, index)));
}
