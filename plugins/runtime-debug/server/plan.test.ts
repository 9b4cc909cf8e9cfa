import assert from "node:assert/strict";
import { test } from "node:test";
import type { NetworkAddress } from "skillctl";
import type { ServeInput } from "../contract.ts";
import { audienceOf } from "./plan.ts";
import { advertisedUrl, eventUrl, planned, type ServerPlan } from "./plan.ts";
import { LOOPBACK_RECORD } from "./fixture-record.ts";
import type { ServerKeys } from "./server-keys.ts";
import type { ServerRecord } from "./server-record.ts";

const LAN: readonly NetworkAddress[] = [
  { adapter: "lo", address: "127.0.0.1", family: 4, loopback: true },
  { adapter: "en0", address: "192.168.1.20", family: 4, loopback: false },
  { adapter: "en0", address: "fd00::20", family: 6, loopback: false },
];
const EARLIER: ServerRecord = {
  ...LOOPBACK_RECORD,
  host: "0.0.0.0",
  port: 7780,
  url: "http://127.0.0.1:7780",
  eventUrl: `http://192.168.1.20:7780/event?${"c".repeat(43)}`,
};
const KEPT = { control: "k".repeat(43), collect: "c".repeat(43) };

function plannedFor(
  input: ServeInput,
  earlier?: ServerRecord,
  addresses = LAN,
  kept?: ServerKeys,
): ServerPlan {
  return planned(audienceOf(input), input.port, earlier, addresses, kept);
}

test("the port of the last start comes first, then eleven from the asked one on, then any free one", () => {
  const row = [7777, 7778, 7779, 7780, 7781, 7782, 7783, 7784, 7785, 7786, 7787];
  assert.deepEqual(plannedFor({ session: "a-b" }).ports, [...row, 0]);
  assert.deepEqual(plannedFor({ session: "a-b" }, EARLIER).ports, [
    7780,
    ...row.filter((port) => port !== 7780),
    0,
  ]);
  assert.deepEqual(plannedFor({ session: "a-b", port: 0 }).ports, [0]);
  assert.deepEqual(plannedFor({ session: "a-b", port: 0 }, EARLIER).ports, [7780, 0]);
  assert.deepEqual(plannedFor({ session: "a-b", port: 65_534 }).ports, [65_534, 65_535, 0]);
});

test("a port that is asked for comes before that of the last start, which had moved away from it", () => {
  const { ports } = plannedFor({ session: "a-b", port: 7779 }, EARLIER);
  assert.deepEqual(ports, [7779, 7780, 7781, 7782, 7783, 7784, 7785, 7786, 7787, 7788, 7789, 0]);
  assert.deepEqual(plannedFor({ session: "a-b", port: 9000 }, EARLIER).ports.slice(0, 3), [9000, 7780, 9001]);
});

test("on loopback there is no key, unless it is asked for", () => {
  const plain = plannedFor({ session: "a-b" });
  assert.deepEqual([plain.host, plain.keys, plain.allowHosts], ["127.0.0.1", undefined, []]);
  assert.match(plannedFor({ session: "a-b", requireKey: true }).keys?.collect ?? "", /^[\w-]{43}$/);
});

test("beyond loopback there are two different keys, kept over a restart, and the machine's own names", () => {
  const plan = plannedFor({ session: "a-b", remote: true, allowHost: ["dev.example:7777"] });
  assert.equal(plan.host, "0.0.0.0");
  assert.notEqual(plan.keys?.control, plan.keys?.collect);
  for (const name of ["dev.example:7777", "192.168.1.20", "[fd00::20]", "host.docker.internal"])
    assert.ok(plan.allowHosts.includes(name), name);
  assert.ok(!plan.allowHosts.includes("0.0.0.0"));
  assert.deepEqual(plannedFor({ session: "a-b", remote: true }, EARLIER, LAN, KEPT).keys, KEPT);
  assert.equal(plannedFor({ session: "a-b" }, EARLIER, LAN, KEPT).keys, undefined);
  assert.ok(plannedFor({ session: "a-b", host: "my.host" }).allowHosts.includes("my.host"));
});

test("programs are told an address that they can reach", () => {
  const listening = { url: "http://127.0.0.1:7777", port: 7777 };
  const told = (words: { remote?: boolean; host?: string }, addresses = LAN): string =>
    advertisedUrl(plannedFor({ session: "a-b", ...words }, undefined, addresses), listening, addresses);
  assert.equal(told({}), "http://127.0.0.1:7777");
  assert.equal(told({ remote: true }), "http://192.168.1.20:7777");
  assert.equal(told({ remote: true }, []), "http://127.0.0.1:7777");
  const onlySix = LAN.filter(({ family }) => family === 6);
  assert.equal(told({ remote: true }, onlySix), "http://127.0.0.1:7777");
  assert.equal(told({ host: "::" }, onlySix), "http://[fd00::20]:7777");
  assert.equal(told({ host: "fd00::20" }), "http://[fd00::20]:7777");
  assert.equal(told({ host: "192.168.1.20" }), "http://192.168.1.20:7777");
  assert.equal(eventUrl("http://h:1", "y"), "http://h:1/event?y");
  assert.equal(eventUrl("http://h:1"), "http://h:1/event");
});
