import { hostedCollector } from "./collector.ts";
import { oversized } from "./oversized.ts";
import { figureRow, type Row } from "./row.ts";
import { atOnce } from "./single-use.ts";
import { sustained } from "./sustained.ts";
import type { Place } from "./whole-process.ts";

const LIMIT_MB = 150;
const LOAD_MS = 1_000;
const BURST = 500;
const PATIENCE_MS = 10_000;
const OVERSIZED_BYTES = 50 * 1024 * 1024;
const DEFAULT_MIB = 64;

/** What /health says of the log. */
interface Health {
  readonly seq: number;
  readonly log_count: number;
  readonly dropped: number;
}

/**
 * The most memory of one server with the usual bound of its log, under everything that the other rows do to it, and
 * under a body of 50 MB, which has to be refused in a way that a simple client sees.
 * @throws Error when it is not, or when the server does not account for every acknowledged event.
 */
export async function memoryRow(place: Place): Promise<Row> {
  const collector = await hostedCollector(place, "memory", { maxMib: DEFAULT_MIB });
  try {
    await sustained(collector, { connections: 50, batch: 1, milliseconds: LOAD_MS });
    await sustained(collector, { connections: 8, batch: 1_000, milliseconds: LOAD_MS });
    await atOnce(collector, BURST, PATIENCE_MS);
    const status = await oversized(collector.url, OVERSIZED_BYTES);
    if (!status.startsWith("HTTP/1.1 413 ")) throw new Error(`50 MB were answered with ${status}.`);
    const response = await fetch(new URL("/health", collector.url), { headers: { connection: "close" } });
    const { seq, log_count, dropped } = (await response.json()) as Health;
    const { acknowledged } = collector.numbers;
    if (seq !== acknowledged || log_count + dropped !== acknowledged) {
      const told = `the last number is ${seq}, ${log_count} are in the log, ${dropped} were left out of its middle`;
      throw new Error(`Of ${acknowledged} acknowledged events ${told}.`);
    }
    const peak = figureRow("peak memory: all of the above, and 50 MB refused", "", "MB", [
      collector.peakMegabytes(),
    ]);
    await collector.close();
    return { ...peak, limit: LIMIT_MB };
  } finally {
    collector.kill();
  }
}
