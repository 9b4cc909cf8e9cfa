import assert from "node:assert/strict";
import { test } from "node:test";
import type { ServeInput } from "../contract.ts";
import { audienceOf } from "./audience.ts";

const asked = (flags: Partial<ServeInput>) => audienceOf({ session: "a-b", ...flags });

test("without flags it is the programs of this machine, without a key", () => {
  assert.deepEqual(asked({}), { host: "127.0.0.1", allowHosts: [], allowOrigins: [], needsKeys: false });
  assert.equal(asked({ requireKey: true }).needsKeys, true);
});

test("beyond loopback keys are needed, whatever the address is spelled like", () => {
  const spelled = {
    "0": "0.0.0.0",
    "0x0": "0.0.0.0",
    "3232235796": "192.168.1.20",
    "::": "::",
    "[::]": "::",
    "0:0:0:0:0:0:0:0": "::",
    "FD00::20": "fd00::20",
    "Dev.Example": "dev.example",
  };
  for (const [host, address] of Object.entries(spelled)) {
    assert.deepEqual([asked({ host }).host, asked({ host }).needsKeys], [address, true], host);
  }
  assert.equal(asked({ remote: true }).host, "0.0.0.0");
});

test("an address of this machine alone needs none", () => {
  for (const host of ["127.1", "127.0.0.9", "::1", "[::1]", "0:0:0:0:0:0:0:1", "localhost", "LOCALHOST"])
    assert.equal(asked({ host }).needsKeys, false, host);
  assert.equal(asked({ host: "127.1" }).host, "127.0.0.1");
  assert.equal(asked({ host: "127.0.0.1", remote: true }).needsKeys, false);
});

test("what is no address, no name and no origin is refused with what to give", () => {
  const wrong: Readonly<Record<string, readonly Partial<ServeInput>[]>> = {
    "--host": [
      "127.0.0.1:80",
      "http://dev.example",
      "dev.example/",
      "a b",
      "300.1.1.1",
      "[::1]:80",
      "fe80::1%eth0",
    ].map((host) => ({ host })),
    "--allow-host": ["http://dev.example", "dev.example/", "a b", "dev.example:port", ""].map((name) => ({
      allowHost: [name],
    })),
    "--allow-origin": [
      "app.example",
      "https://app.example/",
      "null",
      "*",
      "https://*.example",
      "file://",
    ].map((origin) => ({ allowOrigin: [origin] })),
  };
  for (const [flag, inputs] of Object.entries(wrong)) {
    for (const input of inputs) {
      assert.throws(
        () => asked(input),
        (error: Error & { code?: string; hint?: string }) =>
          error.code === "USAGE" && (error.hint ?? "").startsWith(flag),
        JSON.stringify(input),
      );
    }
  }
});
