import type { NetworkAddress } from "skillctl";

/** Adapters of tunnels, virtual machines and containers: an address of theirs is rarely the one a phone can reach. */
const VIRTUAL =
  /docker|^br-|veth|virbr|vmnet|vboxnet|utun|^tun|^tap|^wg|tailscale|^zt|^ppp|ham\d|cni|flannel|^lx[cd]|podman|vethernet|wsl|hyper-v|vmware|virtualbox|awdl|llw|bridge|anpi|vpn|clash|meta/i;
const PRIVATE = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/;
/** Benchmark range, which tunnels like to use, link-local, and what is shared by carriers and tunnels. */
const ODD = /^(198\.1[89]\.|169\.254\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|0\.)/;

/** The IPv4 addresses that other machines may reach this one by, the likeliest first. */
export function reachableAddresses(all: readonly NetworkAddress[]): readonly NetworkAddress[] {
  return all
    .filter(({ family, loopback }) => family === 4 && !loopback)
    .map((one) => ({ one, rank: rankOf(one) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ one }) => one);
}

function rankOf({ adapter, address }: NetworkAddress): number {
  if (ODD.test(address)) return 3;
  if (VIRTUAL.test(adapter)) return 2;
  return PRIVATE.test(address) ? 0 : 1;
}

/** Whether a server that listens there can be reached from other machines. */
export function isBeyondLoopback(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  return !(name === "localhost" || name === "::1" || /^127(\.\d{1,3}){3}$/.test(name));
}

/** Whether it listens on every adapter. */
export function isEverywhere(host: string): boolean {
  return ["0.0.0.0", "::", "[::]"].includes(host);
}

/** The origin of an address literal or a name. */
export function originOf(host: string, port: number): string {
  return `http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${port}`;
}

/** Names under which containers and emulators see this machine: none of them can be owned by anybody else. */
export const GUEST_NAMES = ["host.docker.internal", "host.containers.internal", "10.0.2.2"] as const;
