import assert from "node:assert/strict";
import { test } from "node:test";
import type { NetworkAddress } from "skillctl";
import { isBeyondLoopback, listenedAddresses, originOf, reachableAddresses } from "./network.ts";

const at = (adapter: string, address: string, loopback = false): NetworkAddress => ({
  adapter,
  address,
  family: address.includes(":") ? 6 : 4,
  loopback,
});

test("a private address of a real adapter comes before those of tunnels, virtual machines and containers", () => {
  const all = [
    at("lo", "127.0.0.1", true),
    at("utun4", "198.18.0.1"),
    at("Ethernet 3", "169.254.7.1"),
    at("docker0", "172.17.0.1"),
    at("vmnet8", "192.168.126.1"),
    at("tailscale0", "100.101.1.2"),
    at("eth1", "203.0.113.5"),
    at("en0", "fe80::1"),
    at("en0", "192.168.1.20"),
    at("vEthernet (WSL)", "172.30.0.1"),
  ];
  const ranked = reachableAddresses(all).map(({ address }) => address);
  assert.equal(ranked[0], "192.168.1.20");
  assert.equal(ranked[1], "203.0.113.5");
  assert.deepEqual(ranked.slice(-3).sort(), ["100.101.1.2", "169.254.7.1", "198.18.0.1"]);
  assert.equal(ranked.length, 8);
});

test("addresses of IPv6 come last, link-local ones are omitted, and a server listens at those of its own kind", () => {
  const all = [
    at("en0", "fd00::20"),
    at("en0", "fe80::1"),
    at("lo", "::1", true),
    at("utun4", "198.18.0.1"),
    at("en0", "192.168.1.20"),
  ];
  const listened = (host: string): readonly string[] =>
    listenedAddresses(host, all).map(({ address }) => address);
  assert.deepEqual(listened("::"), ["192.168.1.20", "198.18.0.1", "fd00::20"]);
  assert.deepEqual(listened("0.0.0.0"), ["192.168.1.20", "198.18.0.1"]);
  assert.deepEqual(listened("fd00::20"), ["fd00::20"]);
  assert.deepEqual(listened("127.0.0.1"), []);
});

test("only 127.0.0.0/8, ::1 and localhost stay on this machine", () => {
  for (const host of ["127.0.0.1", "127.9.9.9", "::1", "[::1]", "localhost"])
    assert.equal(isBeyondLoopback(host), false, host);
  for (const host of [
    "0.0.0.0",
    "::",
    "192.168.1.2",
    "dev.example",
    "127.0.0.1.example",
    "localhost.example",
    "127.999.1.1",
  ])
    assert.equal(isBeyondLoopback(host), true, host);
  assert.equal(originOf("fe80::1", 7), "http://[fe80::1]:7");
});
