import { isLoopbackAddress, type NetworkAddress } from "skillctl";
import type { DoctorOutput } from "../contract.ts";
import type { ServerRecord } from "./server-files.ts";

type Candidate = DoctorOutput["addresses"][number];

/** Adapters of tunnels, virtual machines and containers: an address of theirs is rarely the one a phone can reach. */
const VIRTUAL =
  /docker|^br-|veth|virbr|vmnet|vboxnet|utun|^tun|^tap|^wg|tailscale|^zt|^ppp|ham\d|cni|flannel|^lx[cd]|podman|vethernet|wsl|hyper-v|vmware|virtualbox|awdl|llw|bridge|anpi|vpn|clash|meta/i;
const PRIVATE = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/;
/** Benchmark range, which tunnels like to use, link-local, and what is shared by carriers and tunnels. */
const ODD = /^(198\.1[89]\.|169\.254\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|0\.)/;
/** Of the own link only: such an address needs the name of an adapter beside it, which no Host header carries. */
const LINK_LOCAL = /^fe[89ab][0-9a-f]:/i;
/** A machine with many containers has hundreds. */
const MOST = 24;

/** The addresses that other machines may reach this one by, the likeliest first, at most 24. */
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
  if (isVirtual(adapter)) return 2;
  return PRIVATE.test(address) ? 0 : 1;
}

/** Whether an adapter is one of a tunnel, of containers or of virtual machines, by its usual names. */
export function isVirtual(adapter: string): boolean {
  return VIRTUAL.test(adapter);
}

/** Those of them at which a server that is bound to `host` listens. */
export function listenedAddresses(host: string, all: readonly NetworkAddress[]): readonly NetworkAddress[] {
  return reachableAddresses(all).filter(
    ({ address, family }) => host === address || host === "::" || (host === "0.0.0.0" && family === 4),
  );
}

/** Whether a server that listens there can be reached from other machines. */
export function isBeyondLoopback(host: string): boolean {
  return !isLoopbackAddress(host.toLowerCase());
}

/** Whether it listens on every adapter. */
export function isEverywhere(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

/** The origin of an address literal or a name. */
export function originOf(host: string, port: number): string {
  return `http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${port}`;
}

/** Where programs post to; `key` is the one that opens what takes events. */
export function eventUrl(base: string, key = ""): string {
  return `${base}/event${key === "" ? "" : `?${key}`}`;
}

/** The key in an address that programs post to; empty when there is none. */
export function keyIn(address: string): string {
  return new URL(address).search.slice(1);
}

const REMOTE = "Start the server with --remote.";
/** Names of this machine that only containers and emulators know: who does, and what else it needs. */
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
/** Under which containers and emulators see this machine: none of them can be owned by anybody else. */
export const GUEST_NAMES = GUESTS.map(([name]) => name);

/** Every address of a running server that some program may have to use, with who can, and whether it takes events there. */
export function candidates(record: ServerRecord, addresses: readonly NetworkAddress[]): readonly Candidate[] {
  const { host, port, url, allowHosts } = record;
  const row = (origin: string, who: string, listens: boolean, hint?: string): Candidate => ({
    url: eventUrl(origin, keyIn(record.eventUrl)),
    for: who,
    listens,
    ...(hint !== undefined && { hint }),
  });
  const isLocal = isEverywhere(host) || !isBeyondLoopback(host);
  const here = "programs and browsers of this machine, iOS simulators, and Windows when this is WSL";
  const listened = new Set(listenedAddresses(host, addresses));
  const network = reachableAddresses(addresses).map((one) => {
    const whose = isVirtual(one.adapter) ? "containers and virtual machines" : "other machines and phones";
    const start = one.family === 6 ? "Start the server with --host :: for addresses of IPv6." : REMOTE;
    const listens = listened.has(one);
    const who = `${whose} that reach the adapter ${one.adapter}`;
    return row(originOf(one.address, port), who, listens, listens ? "A firewall may stop it." : start);
  });
  const reached = isEverywhere(host) || ["127.0.0.1", "localhost"].includes(host);
  const guests = GUESTS.map(([name, who, hint]) => {
    const listens = reached && allowHosts.some((one) => one === name || one === `${name}:${port}`);
    return row(originOf(name, port), who, listens, hint.replaceAll("PORT", String(port)));
  });
  const local = isLocal
    ? row(url, here, true)
    : row(originOf("127.0.0.1", port), here, false, "Start the server without --host.");
  return [local, ...network, ...guests];
}

/** Silence of a program proves nothing yet. */
const ARRIVES =
  "An event arrives. Of a program that hangs, is killed or exits by itself only probes with --sync are sure to.";
const WSL_NOTE =
  "From WSL to a server on Windows: the address of `ip route show default`, and --remote there; from Windows to one in WSL: 127.0.0.1.";
/** An address as it may be shown: keys stay in the files. */
export function withoutKey(url: string): string {
  return url.replace(/([?&]k=|\?(?=[^=&#]+(?:[&#]|$)))[^&#]*/g, "$1…");
}

/** What the doctor has found, for reading. */
export function textOf({ ok, links, addresses }: Omit<DoctorOutput, "text">): string {
  const lines = links.flatMap((link) => [
    `${link.ok ? "ok     " : "BROKEN "} ${link.link}: ${link.sentence}`,
    ...(link.hint === undefined ? [] : [`         ${link.hint}`]),
  ]);
  const where = addresses.flatMap(({ url, for: who, listens, hint }) => [
    `${listens ? "yes" : "no "}  ${withoutKey(url)}  ${who}`,
    ...(hint === undefined ? [] : [`       ${hint}`]),
  ]);
  const list =
    where.length === 0
      ? []
      : ["", "Addresses, and whether the server takes events there now:", ...where, WSL_NOTE];
  return [...lines, ...list, "", ok ? ARRIVES : "An event does not arrive."].join("\n");
}
