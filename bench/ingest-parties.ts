import { bareCollector, hostedCollector, type Collector } from "./collector.ts";
import { peerCollector, peers, type Peer } from "./peers.ts";
import type { Row } from "./row.ts";
import type { Place } from "./whole-process.ts";

/** The bare server and the one of skillctl. */
export type Pair = readonly [bare: Collector, hosted: Collector];

export interface Scene {
  /** Names its folders. */
  readonly name: string;
  /** Which public servers take part. Default: none. */
  readonly peers?: (peer: Peer) => boolean;
  /** @param eased the server of skillctl with the promise of the peers: it answers once the system has the events */
  readonly measure: (pair: Pair, peers: readonly Collector[], eased: Collector) => Promise<readonly Row[]>;
}

export interface SceneMeasured {
  readonly rows: readonly Row[];
  /** Acknowledged ones; all of them were found in the logs. */
  readonly events: number;
}

/** Starts servers with new logs for a scene, ends them, and holds every log against what was acknowledged. */
export async function played(place: Place, { name, peers: wanted, measure }: Scene): Promise<SceneMeasured> {
  const open: Collector[] = [];
  const opened = async (collector: Promise<Collector>): Promise<Collector> => {
    open.push(await collector);
    return collector;
  };
  try {
    const pair: Pair = [
      await opened(bareCollector(place, `${name}-bare`)),
      await opened(hostedCollector(place, `${name}-hosted`)),
    ];
    const others: Collector[] = [];
    for (const peer of wanted ? peers.here.filter(wanted) : [])
      others.push(await opened(peerCollector(place, `${name}-${peer.name}`, peer)));
    const eased = await opened(hostedCollector(place, `${name}-eased`, { durability: "process" }));
    const rows = await measure(pair, others, eased);
    while (open.length > 0) await open.pop()?.close();
    return {
      rows,
      events: [...pair, ...others, eased].reduce((sum, { numbers }) => sum + numbers.acknowledged, 0),
    };
  } finally {
    for (const collector of open) collector.kill();
  }
}
