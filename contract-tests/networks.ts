/** Network namespaces of Linux that act as separate machines, for tests that run as root. */
import { execFileSync } from "node:child_process";

/** A network with one way out, to this machine. */
export interface Network {
  readonly name: string;
  /** The address of this machine in it. */
  readonly gateway: string;
  /** Its own address. */
  readonly address: string;
  readonly remove: () => void;
}

/** Creates a network; `subnet`: the first two numbers of its addresses. */
export function network(subnet: string, number: number): Network {
  const name = `skillctl-${process.pid}-${subnet}-${number}`;
  const near = `s${process.pid % 100_000}-${subnet.split(".")[1] ?? ""}-${number}`;
  // A run that was killed leaves its networks behind.
  const third = (process.pid * 2 + number) % 256;
  const [gateway, address] = [1, 2].map((last) => `${subnet}.${third}.${last}`) as [string, string];
  const ip = (...words: readonly string[]): unknown => execFileSync("ip", words);
  ip("netns", "add", name);
  ip("link", "add", near, "type", "veth", "peer", "name", "eth0", "netns", name);
  ip("addr", "add", `${gateway}/24`, "dev", near);
  ip("link", "set", near, "up");
  ip("-n", name, "addr", "add", `${address}/24`, "dev", "eth0");
  for (const device of ["lo", "eth0"]) ip("-n", name, "link", "set", device, "up");
  return { name, gateway, address, remove: () => void ip("netns", "del", name) };
}
