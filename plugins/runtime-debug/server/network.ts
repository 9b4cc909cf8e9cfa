import { isLoopbackAddress, type NetworkAddress } from "skillctl";
import type { DoctorOutput } from "../contract.ts";
import type { ServerRecord } from "./server-files.ts";

type Candidate = DoctorOutput["addresses"][number];

/** Adapters of tunnels, virtual machines and containers; their addresses are rarely reachable from a phone. */
const VIRTUAL =
  /docker|^br-|veth|virbr|vmnet|vboxnet|utun|^tun|^tap|^wg|tailscale|^zt|^ppp|ham\d|cni|flannel|^lx[cd]|podman|vethernet|wsl|hyper-v|vmware|virtualbox|awdl|llw|bridge|anpi|vpn|clash|meta/i;
const PRIVATE = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/;
/** The benchmark range, which some tunnels use, link-local addresses, and ranges shared by carriers and tunnels. */
const ODD = /^(198\.1[89]\.|169\.254\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|0\.)/;
/** Link-local addresses need the name of an adapter, which a Host header does not contain. */
const LINK_LOCAL = /^fe[89ab][0-9a-f]:/i;
/** A machine with many containers has hundreds of addresses. */
const MOST = 24;

/** Addresses at which other machines may reach this one, the likeliest first, at most 24. */
export function reachableAddresses(all: readonly NetworkAddress[]): readonly NetworkAddress[] {
  return all
    .filter(({ address, loopback }) => !loopback && !LINK_LOCAL.test(address))
    .map((one) => ({ one, rank: rankOf(one) }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MOST)
    .map(({ one }) => one);
}

function rankOf({ adapter, address, family }: NetworkAddress): number {
  if (family === 6) return 4;
  if (ODD.test(address)) return 3;
  if (VIRTUAL.test(adapter)) return 2;
  return PRIVATE.test(address) ? 0 : 1;
}

/** The addresses at which a server bound to `host` listens. */
export function listenedAddresses(host: string, all: readonly NetworkAddress[]): readonly NetworkAddress[] {
  return reachableAddresses(all).filter(
    ({ address, family }) => host === address || host === "::" || (host === "0.0.0.0" && family === 4),
  );
}

/** Whether other machines can reach a server that listens at the address. */
export function isBeyondLoopback(host: string): boolean {
  return !isLoopbackAddress(host.toLowerCase());
}

/** Whether it listens on all adapters. */
export function isEverywhere(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

/** The origin of an address literal or a name. */
export function originOf(host: string, port: number): string {
  return `http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${port}`;
}

/** The address for events; `key` permits sending them. */
export function eventUrl(base: string, key = ""): string {
  return `${base}/event${key === "" ? "" : `?${key}`}`;
}

/** The key in an address for events; empty without a key. */
export function keyIn(address: string): string {
  return new URL(address).search.slice(1);
}

/** Names of this machine inside containers and emulators: their clients and further requirements. */
const GUESTS = [
  [
    "host.docker.internal",
    "containers of Docker",
    "On Linux start the container with --add-host=host.docker.internal:host-gateway and the server with --remote; for Docker Desktop --allow-host host.docker.internal is enough.",
  ],
  ["host.containers.internal", "containers of Podman", "The server needs --remote; a firewall may stop it."],
  [
    "10.0.2.2",
    "the Android emulator",
    "The server needs --allow-host 10.0.2.2; or run `adb reverse tcp:PORT tcp:PORT`: then 127.0.0.1 works there, and on phones by cable.",
  ],
] as const;
/** Names of this machine inside containers and emulators; no other party can own them. */
export const GUEST_NAMES = GUESTS.map(([name]) => name);

/**
 * All addresses of a running server that programs may need, with their clients, and whether the server accepts events
 * there.
 */
export function candidates(record: ServerRecord, addresses: readonly NetworkAddress[]): readonly Candidate[] {
  const { host, port, url, allowHosts } = record;
  const isLocal = isEverywhere(host) || !isBeyondLoopback(host);
  const at = (origin: string): string => eventUrl(origin, keyIn(record.eventUrl));
  const listened = new Set(listenedAddresses(host, addresses));
  return [
    {
      url: at(isLocal ? url : originOf("127.0.0.1", port)),
      for: "programs and browsers of this machine, iOS simulators, and Windows when this is WSL",
      listens: isLocal,
    },
    ...reachableAddresses(addresses).map((one) => ({
      url: at(originOf(one.address, port)),
      for: `other machines, phones and containers that reach the adapter ${one.adapter}`,
      listens: listened.has(one),
      hint: listened.has(one)
        ? "A firewall may stop it."
        : `Start the server with ${one.family === 6 ? "--host ::" : "--remote"}.`,
    })),
    ...GUESTS.map(([name, who, hint]) => ({
      url: at(originOf(name, port)),
      for: who,
      listens: isLocal && allowHosts.some((one) => one === name || one === `${name}:${port}`),
      hint: hint.replaceAll("PORT", String(port)),
    })),
  ];
}

/** The address without its key, for display. */
export function withoutKey(url: string): string {
  return url.replace(/([?&]k=|\?(?=[^=&#?]+(?:[&#]|$)))[^&#]*/g, "$1…");
}
