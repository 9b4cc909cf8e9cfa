import assert from "node:assert/strict";
import { test } from "node:test";
import { checkPage } from "./page-links.ts";
import { Way } from "./way.ts";

function looked(url: string, origin: string) {
  const way = new Way();
  const goesOn = checkPage(url, origin, way);
  return { goesOn, ok: way.isWhole, hint: way.links[0]?.hint ?? "" };
}

const HERE = "http://127.0.0.1:7777/event";
const NETWORK = "http://192.168.1.20:7777/event?k=x";

test("a page with TLS may send to this machine when its user agrees, and nowhere else without TLS", () => {
  const here = looked(HERE, "https://app.example");
  assert.deepEqual([here.goesOn, here.ok], [true, true]);
  assert.match(here.hint, /asks the user/);
  const network = looked(NETWORK, "https://app.example");
  assert.deepEqual([network.goesOn, network.ok], [true, false]);
  assert.match(network.hint, /127\.0\.0\.1/);
  assert.equal(looked("https://relay.example/event", "https://app.example").ok, true);
});

test("a page of elsewhere without TLS is told what Chrome does to it", () => {
  const { goesOn, ok, hint } = looked(HERE, "http://app.example");
  assert.deepEqual([goesOn, ok], [true, true]);
  assert.match(hint, /without TLS/);
});

test("of a page of this machine there is nothing to say", () => {
  for (const origin of ["http://localhost:3000", "https://127.0.0.1", "http://[::1]:5173"])
    assert.deepEqual(looked(HERE, origin), { goesOn: true, ok: true, hint: "" }, origin);
});
