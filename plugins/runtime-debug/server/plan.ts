import { randomBytes } from "node:crypto";
import { SkillError, type NetworkAddress } from "skillctl";
import type { ServeInput } from "../contract.ts";
import { GUEST_NAMES, isBeyondLoopback, isEverywhere, originOf, reachableAddresses } from "./network.ts";
import type { ServerKeys, ServerRecord } from "./server-record.ts";

const FIRST_PORT = 7777;
const FURTHER_PORTS = 10;
const LAST_PORT = 65_535;
const KEY_BYTES = 32;
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:\d{1,5})?$/i;

/** Where a server listens, and for whom: read off the flags and what the session's last start has left. */
export interface ServerPlan {
  readonly host: string;
  /** In the order in which they are tried; 0 is any free one. */
  readonly ports: readonly number[];
  readonly allowHosts: readonly string[];
  readonly allowOrigins: readonly string[];
  readonly keys?: ServerKeys;
}

/** @throws SkillError `USAGE` for a name that no Host header can hold. */
export function planned(
  input: ServeInput,
  earlier: ServerRecord | undefined,
  addresses: readonly NetworkAddress[],
): ServerPlan {
  const host = input.host ?? (input.remote ? "0.0.0.0" : "127.0.0.1");
  const beyond = isBeyondLoopback(host);
  const allowed = (input.allowHost ?? []).map(checkedHost);
  return {
    host,
    ports: portsToTry(input.port, earlier?.port),
    allowHosts: [...allowed, ...(beyond ? namesOf(host, addresses) : [])],
    allowOrigins: input.allowOrigin ?? [],
    ...((beyond || input.requireKey) && { keys: earlier?.keys ?? newKeys() }),
  };
}

/** The port of the last start, so that addresses in instrumented code stay true; then those that are asked for. */
function portsToTry(asked = FIRST_PORT, earlier = 0): readonly number[] {
  const row = asked === 0 ? [] : Array.from({ length: FURTHER_PORTS + 1 }, (_, step) => asked + step);
  return [...new Set([...(earlier > 0 ? [earlier] : []), ...row.filter((port) => port <= LAST_PORT), 0])];
}

/** How others call this machine. */
function namesOf(host: string, addresses: readonly NetworkAddress[]): readonly string[] {
  const own = addresses.filter(({ loopback }) => !loopback);
  const literals = own.map(({ address, family }) => (family === 6 ? `[${address}]` : address));
  const bound = isEverywhere(host) ? [] : [host.includes(":") && !host.startsWith("[") ? `[${host}]` : host];
  return [...new Set([...bound, ...literals, ...GUEST_NAMES])];
}

function newKeys(): ServerKeys {
  const key = (): string => randomBytes(KEY_BYTES).toString("base64url");
  return { control: key(), collect: key() };
}

function checkedHost(name: string): string {
  if (HOST.test(name)) return name;
  throw new SkillError("USAGE", `"${name}" is no host name.`, {
    hint: "--allow-host takes a name or an address, with a port or without: dev.example or dev.example:7777.",
  });
}

/** The address that programs are given, without a path: one that other machines reach where the server listens for them. */
export function advertisedUrl(
  { host }: ServerPlan,
  listening: { readonly url: string; readonly port: number },
  addresses: readonly NetworkAddress[],
): string {
  if (!isBeyondLoopback(host)) return listening.url;
  if (!isEverywhere(host)) return originOf(host, listening.port);
  const [best] = reachableAddresses(addresses);
  return best ? originOf(best.address, listening.port) : listening.url;
}

/** Where programs post to. */
export function eventUrl(base: string, keys: ServerKeys | undefined): string {
  return `${base}/event${keys ? `?k=${keys.collect}` : ""}`;
}
