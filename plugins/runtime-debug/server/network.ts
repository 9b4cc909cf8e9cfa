import { isLoopbackAddress, type NetworkAddress } from "skillctl";

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

/** Names under which containers and emulators see this machine: none of them can be owned by anybody else. */
export const GUEST_NAMES = ["host.docker.internal", "host.containers.internal", "10.0.2.2"] as const;
