import type { NetworkAddress } from "skillctl";
import type { Audience } from "./audience.ts";
import { GUEST_NAMES, isBeyondLoopback, isEverywhere, listenedAddresses, originOf } from "./network.ts";
import { newKeys, type ServerKeys } from "./server-keys.ts";
import type { ServerRecord } from "./server-record.ts";

const FIRST_PORT = 7777;
const FURTHER_PORTS = 10;
const LAST_PORT = 65_535;

/** Where a server listens, and for whom: read off its flags, what the session's last start has left, and the network. */
export interface ServerPlan {
  readonly host: string;
  /** In the order in which they are tried; 0 is any free one. */
  readonly ports: readonly number[];
  readonly allowHosts: readonly string[];
  readonly allowOrigins: readonly string[];
  readonly keys?: ServerKeys;
}

export function planned(
  { host, allowHosts, allowOrigins, needsKeys }: Audience,
  port: number | undefined,
  earlier: ServerRecord | undefined,
  addresses: readonly NetworkAddress[],
  kept?: ServerKeys,
): ServerPlan {
  return {
    host,
    ports: portsToTry(port, earlier?.port),
    allowHosts: [...allowHosts, ...(isBeyondLoopback(host) ? namesOf(host, addresses) : [])],
    allowOrigins,
    // They stay over restarts, those between that ask for none included: they stand in instrumented code.
    ...(needsKeys && { keys: kept ?? newKeys() }),
  };
}

/**
 * The port that is asked for; that of the last start, so that addresses in instrumented code stay true; the ten after the
 * first; any free one.
 */
function portsToTry(asked: number | undefined, earlier = 0): readonly number[] {
  const first = asked ?? FIRST_PORT;
  const row = first === 0 ? [] : Array.from({ length: FURTHER_PORTS + 1 }, (_, step) => first + step);
  const ports = [asked ?? 0, earlier, ...row].filter((port) => port > 0 && port <= LAST_PORT);
  return [...new Set(ports), 0];
}

/** How others call this machine. */
function namesOf(host: string, addresses: readonly NetworkAddress[]): readonly string[] {
  const own = addresses.filter(({ loopback }) => !loopback).map(({ address }) => address);
  const names = [...(isEverywhere(host) ? [] : [host]), ...own];
  return [...new Set([...names.map((name) => (name.includes(":") ? `[${name}]` : name)), ...GUEST_NAMES])];
}

/** The address that programs are given, without a path: one that other machines reach where the server listens for them. */
export function advertisedUrl(
  { host }: ServerPlan,
  listening: { readonly url: string; readonly port: number },
  addresses: readonly NetworkAddress[],
): string {
  if (!isBeyondLoopback(host)) return listening.url;
  if (!isEverywhere(host)) return originOf(host, listening.port);
  const [best] = listenedAddresses(host, addresses);
  return best ? originOf(best.address, listening.port) : listening.url;
}

/** Where programs post to; `key` is the one that opens what takes events. */
export function eventUrl(base: string, key = ""): string {
  return `${base}/event${key === "" ? "" : `?${key}`}`;
}

/** The key in an address that programs post to; empty when there is none. */
export function keyIn(address: string): string {
  return new URL(address).search.slice(1);
}
