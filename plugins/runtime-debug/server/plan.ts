import { SkillError, type NetworkAddress } from "skillctl";
import type { ServeInput, ServeOutput } from "../contract.ts";
import type { SessionFiles } from "../session-files.ts";
import {
  GUEST_NAMES,
  eventUrl,
  isBeyondLoopback,
  isEverywhere,
  keyIn,
  listenedAddresses,
  originOf,
} from "./network.ts";
import type { ServerRecord } from "./server-files.ts";

const FIRST_PORT = 7777;
const FURTHER_PORTS = 10;
const LAST_PORT = 65_535;

/**
 * Ports in the order in which they are tried: the requested one; that of the last start, which keeps addresses in
 * instrumented code valid; the ten after the first; any free one.
 */
export function portsToTry(asked: number | undefined, earlier = 0): readonly number[] {
  const first = asked ?? FIRST_PORT;
  const row = first === 0 ? [] : Array.from({ length: FURTHER_PORTS + 1 }, (_, step) => first + step);
  const ports = [asked ?? 0, earlier, ...row].filter((port) => port > 0 && port <= LAST_PORT);
  return [...new Set(ports), 0];
}

/** Names of this machine for its clients. */
function namesOf(host: string, addresses: readonly NetworkAddress[]): readonly string[] {
  const own = addresses.filter(({ loopback }) => !loopback).map(({ address }) => address);
  const names = [...(isEverywhere(host) ? [] : [host]), ...own];
  return [...new Set([...names.map((name) => (name.includes(":") ? `[${name}]` : name)), ...GUEST_NAMES])];
}

/** The address for programs, without a path; other machines can reach it if the server listens for them. */
export function advertisedUrl(
  { host, addresses }: Audience,
  listening: { readonly url: string; readonly port: number },
): string {
  if (!isBeyondLoopback(host)) return listening.url;
  if (!isEverywhere(host)) return originOf(host, listening.port);
  const [best] = listenedAddresses(host, addresses);
  return best ? originOf(best.address, listening.port) : listening.url;
}

const NAME = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:\d{1,5})?$/i;
const NOT_IN_A_HOST = /[/?#@\\\s]/;

/** The clients of a server, according to its flags. */
export interface Audience {
  /** Address or name to listen on; an IPv6 address has no brackets. */
  readonly host: string;
  /** Accepted host names other than loopback. */
  readonly allowHosts: readonly string[];
  readonly allowOrigins: readonly string[];
  /** Whether programs of other users or machines can reach it, so that it requires keys. */
  readonly needsKeys: boolean;
  /** Addresses of this machine. */
  readonly addresses: readonly NetworkAddress[];
}

/** Evaluates the flags and the network before any file is written. @throws SkillError `USAGE` */
export function audienceOf(
  { host, remote, allowHost, allowOrigin, requireKey }: ServeInput,
  addresses: readonly NetworkAddress[],
): Audience {
  const listens = host === undefined ? (remote ? "0.0.0.0" : "127.0.0.1") : checkedHost(host);
  const isBeyond = isBeyondLoopback(listens);
  return {
    host: listens,
    allowHosts: [...(allowHost ?? []).map(checkedName), ...(isBeyond ? namesOf(listens, addresses) : [])],
    allowOrigins: (allowOrigin ?? []).map(checkedOrigin),
    needsKeys: isBeyond || requireKey === true,
    addresses,
  };
}

/**
 * In the spelling of URLs: the system accepts `0` and `127.1` as addresses too, and a Host header has the full form.
 */
function checkedHost(given: string): string {
  const bare = given.replace(/^\[(.*)\]$/, "$1");
  const url = `http://${bare.includes(":") ? `[${bare}]` : bare}`;
  if (!NOT_IN_A_HOST.test(bare) && URL.canParse(url))
    return new URL(url).hostname.replace(/^\[(.*)\]$/, "$1");
  throw new SkillError("USAGE", `"${given}" is not an address to listen on.`, {
    hint: "--host takes an address or a name of this machine, without a port: 192.168.1.20 or ::1.",
  });
}

function checkedName(name: string): string {
  if (NAME.test(name)) return name;
  throw new SkillError("USAGE", `"${name}" is not a host name.`, {
    hint: "--allow-host takes a name or an address, with a port or without: dev.example or dev.example:7777.",
  });
}

function checkedOrigin(origin: string): string {
  const isExact = !origin.includes("*");
  if (isExact && URL.canParse(origin) && new URL(origin).origin === origin) return origin;
  throw new SkillError("USAGE", `"${origin}" is not an origin.`, {
    hint: "--allow-origin takes scheme, host and port as a browser sends them, without wildcards: https://app.example.",
  });
}

/** Facts about a running server, without the text. */
export type ServerInfo = Omit<ServeOutput, "text" | "ended">;

/** A server and its addresses: docs/runtime-debug.md, section Start. */
export function serverInfo(
  record: ServerRecord,
  files: SessionFiles,
  addresses: readonly NetworkAddress[],
): ServerInfo {
  const base = new URL(record.eventUrl).origin;
  return {
    api_url: record.eventUrl,
    session_id: record.session,
    log_dir: files.folder,
    log_file: files.log,
    env_file: files.environment,
    base_url: base,
    endpoints: {
      event: record.eventUrl,
      logs: `${base}/logs`,
      health: `${base}/health`,
      run: `${base}/run`,
    },
    pid: record.pid,
    addresses: [...furtherAddresses(record, addresses)],
    ...(record.keyFile !== undefined && { key_file: record.keyFile }),
  };
}

function furtherAddresses(
  { host, port, eventUrl: advertised }: ServerRecord,
  addresses: readonly NetworkAddress[],
): readonly string[] {
  if (!isEverywhere(host)) return [];
  const names = [
    ...listenedAddresses(host, addresses).map(({ address }) => address),
    "127.0.0.1",
    ...GUEST_NAMES,
  ];
  return names
    .map((name) => eventUrl(originOf(name, port), keyIn(advertised)))
    .filter((url) => url !== advertised);
}

/** The block between two lines that existing agents look for on standard output. */
export function serverBlock(info: ServerInfo): string {
  return `@@DEBUG_SERVER_INFO\n${JSON.stringify(info, undefined, 2)}\n@@END_DEBUG_SERVER_INFO`;
}

/**
 * The notice for people if programs with the earlier address no longer reach a session; otherwise `undefined`: a server
 * without keys accepts an address with a key. It contains no key.
 */
export function movedAddress(earlier: ServerRecord | undefined, now: ServerRecord): string | undefined {
  if (!earlier || earlier.eventUrl === now.eventUrl) return undefined;
  const [before, after] = [earlier, now].map(({ eventUrl: url }) => url.split("?", 1)[0]);
  if (before === after && now.keyFile === undefined) return undefined;
  const key = now.keyFile === undefined ? "" : ", with its key in the environment file";
  return `The address has changed to ${after}${key}: events of instrumented code to ${before} no longer arrive.`;
}
