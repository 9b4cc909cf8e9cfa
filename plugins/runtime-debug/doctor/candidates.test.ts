import assert from "node:assert/strict";
import { test } from "node:test";
import type { NetworkAddress } from "skillctl";
import { LOOPBACK_RECORD } from "../server/fixture-record.ts";
import { candidates } from "./candidates.ts";

const NETWORK: readonly NetworkAddress[] = [
  { adapter: "lo", address: "127.0.0.1", family: 4, loopback: true },
  { adapter: "en0", address: "192.168.1.20", family: 4, loopback: false },
  { adapter: "en0", address: "fd00::20", family: 6, loopback: false },
  { adapter: "docker0", address: "172.17.0.1", family: 4, loopback: false },
];

function listed(host: string, allowHosts: readonly string[] = []) {
  const record = {
    ...LOOPBACK_RECORD,
    host,
    url: `http://${host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host}:7777`,
    allowHosts,
  };
  const all = candidates(record, NETWORK);
  const taken = all.filter(({ listens }) => listens).map(({ url }) => new URL(url).hostname);
  const hintOf = (name: string): string => all.find(({ url }) => new URL(url).hostname === name)?.hint ?? "";
  return { all, taken, hintOf };
}

const GUESTS = ["host.docker.internal", "host.containers.internal", "10.0.2.2"];

test("a server on loopback is for this machine, and for guests that it was told of", () => {
  const { all, taken, hintOf } = listed("127.0.0.1");
  assert.deepEqual(taken, ["127.0.0.1"]);
  for (const { url, hint, listens } of all) assert.ok(listens || hint, url);
  assert.match(hintOf("192.168.1.20"), /--remote/);
  assert.match(hintOf("172.17.0.1"), /--remote/);
  assert.match(hintOf("[fd00::20]"), /--host ::/);
  assert.match(hintOf("10.0.2.2"), /--allow-host 10\.0\.2\.2.*adb reverse tcp:7777 tcp:7777/);
  const allowed = listed("127.0.0.1", ["10.0.2.2:7777", "host.docker.internal"]);
  assert.deepEqual(allowed.taken, ["127.0.0.1", "host.docker.internal", "10.0.2.2"]);
});

test("an emulator reaches 127.0.0.1 of its host and no other loopback address", () => {
  assert.deepEqual(listed("127.0.0.5", ["10.0.2.2"]).taken, ["127.0.0.5"]);
});

test("a server on every adapter is for all who reach one of its kind", () => {
  assert.deepEqual(listed("0.0.0.0", GUESTS).taken, ["127.0.0.1", "192.168.1.20", "172.17.0.1", ...GUESTS]);
  assert.deepEqual(listed("::", GUESTS).taken, [
    "127.0.0.1",
    "192.168.1.20",
    "172.17.0.1",
    "[fd00::20]",
    ...GUESTS,
  ]);
});

test("a server on one adapter is for who reaches that one", () => {
  const { taken, hintOf } = listed("192.168.1.20", ["192.168.1.20", ...GUESTS]);
  assert.deepEqual(taken, ["192.168.1.20"]);
  assert.match(hintOf("127.0.0.1"), /without --host/);
  assert.match(hintOf("10.0.2.2"), /--remote/);
});
