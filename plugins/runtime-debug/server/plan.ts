import { randomBytes } from "node:crypto";
import type { NetworkAddress } from "skillctl";
import type { Audience } from "./audience.ts";
import { GUEST_NAMES, isBeyondLoopback, isEverywhere, listenedAddresses, originOf } from "./network.ts";
import type { ServerKeys, ServerRecord } from "./server-record.ts";

const FIRST_PORT = 7777;
const FURTHER_PORTS = 10;
const LAST_PORT = 65_535;
const KEY_BYTES = 32;

/** Where a server listens, and for whom: read off its flags, what the session's last start has left, and the network. */
export interface ServerPlan {
  readonly host: string;
  /** In the order in which they are tried; 0 is any free one. */
  readonly ports: readonly number[];
  readonly allowHosts: readonly string[];
  readonly allowOrigins: readonly string[];
  readonly keys?: ServerKeys;
  /** Keys of an earlier start that this one does not ask for: the next one may. */
  readonly spareKeys?: ServerKeys;
}

export function planned(
  { host, allowHosts, allowOrigins, needsKeys }: Audience,
  port: number | undefined,
  earlier: ServerRecord | undefined,
  addresses: readonly NetworkAddress[],
): ServerPlan {
  return {
    host,
    ports: portsToTry(port, earlier?.port),
    allowHosts: [...allowHosts, ...(isBeyondLoopback(host) ? namesOf(host, addresses) : [])],
    allowOrigins,
    ...keysFor(needsKeys, earlier),
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

/** Keys stay over restarts, those between that ask for none included: they stand in instrumented code. */
function keysFor(
  needsKeys: boolean,
  earlier: ServerRecord | undefined,
): Pick<ServerPlan, "keys" | "spareKeys"> {
  const kept = earlier?.keys ?? earlier?.spareKeys;
  if (needsKeys) return { keys: kept ?? newKeys() };
  return kept ? { spareKeys: kept } : {};
}

/** How others call this machine. */
function namesOf(host: string, addresses: readonly NetworkAddress[]): readonly string[] {
  const own = addresses.filter(({ loopback }) => !loopback).map(({ address }) => address);
  const names = [...(isEverywhere(host) ? [] : [host]), ...own];
  return [...new Set([...names.map((name) => (name.includes(":") ? `[${name}]` : name)), ...GUEST_NAMES])];
}

function newKeys(): ServerKeys {
  const key = (): string => randomBytes(KEY_BYTES).toString("base64url");
  return { control: key(), collect: key() };
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

/** Where programs post to. */
export function eventUrl(base: string, keys: ServerKeys | undefined): string {
  return `${base}/event${keys ? `?${keys.collect}` : ""}`;
}
